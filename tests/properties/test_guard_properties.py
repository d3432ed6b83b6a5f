"""What must hold of the guard for any text."""

from hypothesis import given, reject
from hypothesis import strategies as st

from neomem.capture.guard import Finding, compile_extra, mask, mask_all, scan
from tests.unit.guard_examples import ORDERS, SECRETS

ANY = st.text(st.characters())  # lone surrogates and NUL too
SCRIPTS = st.text(
    "aZ9 \n\x00\ud800éñ…ﬁ№İ\u0301\u200b\u202eжжШ密码テ؟שم👩‍💻️:=@/<>[]\"'-_.", max_size=60
)
SNIPPETS = st.sampled_from(
    [
        text
        for table in (SECRETS, ORDERS)
        for texts in table.values()
        for side in texts
        for text in side
    ]
)
TEXTS = st.lists(st.one_of(ANY, SCRIPTS, SNIPPETS), max_size=6).map("".join)
# A filler ends in a space: what touches a token may make another word of it.
FILLERS = st.lists(st.text("abcdefgh ,.!?éж密\n", max_size=20)).map(" ".join).map(lambda t: f"{t} ")
SECRET = st.sampled_from([text for found, _ in SECRETS.values() for text in found])
WORD = compile_extra("word", r"[a-z: ]{3,}")


@given(text=TEXTS)
def test_findings_lie_in_the_text_in_order_and_are_not_empty(text):
    verdict = scan(text, [WORD])

    for findings in (verdict.secrets, verdict.orders):
        assert [found.start for found in findings] == sorted(found.start for found in findings)
        assert all(0 <= found.start < found.end <= len(text) for found in findings)


@given(text=TEXTS)
def test_masking_until_nothing_is_left_ends_and_lasts(text):
    masked = mask_all(text, [WORD])

    assert scan(masked, [WORD]).secrets == ()
    assert mask_all(masked, [WORD]) == masked


@given(before=FILLERS, secret=SECRET, after=FILLERS)
def test_a_secret_is_found_and_masked_among_any_words(before, secret, after):
    text = f"{before}{secret} {after}"

    found = scan(text).secrets
    masked = mask(text, found)

    assert found
    assert scan(masked).secrets == ()
    assert mask(masked, scan(masked).secrets) == masked


@given(
    text=ANY,
    places=st.lists(st.tuples(st.integers(0, 50), st.integers(1, 9)), max_size=8),
)
def test_masking_keeps_all_that_no_finding_covers(text, places):
    findings = [
        Finding("jwt", start, min(start + size, len(text)))
        for start, size in places
        if start < len(text)
    ]
    covered = {at for found in findings for at in range(found.start, found.end)}
    kept = "".join(char for at, char in enumerate(text) if at not in covered)

    assert mask(text, findings).replace("[secret removed: jwt]", "") == kept


@given(pattern=st.text(r"ab\wd(?:=!<>P)[^]{1,2}+*?|.$x&#", max_size=30), text=SCRIPTS)
def test_a_pattern_of_the_users_own_is_refused_with_a_word_or_works(pattern, text):
    try:
        extra = compile_extra("own", pattern)
    except ValueError:
        reject()

    assert all(found.start < found.end for found in scan(text, [extra]).secrets)
