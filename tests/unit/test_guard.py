"""The guard: what it finds, what it leaves alone, and that it never repeats a secret."""

import pytest

from neomem.capture import guard
from neomem.capture.guard import Finding, compile_extra, mask, mask_all, scan
from tests.unit import guard_examples
from tests.unit.guard_examples import BASE62, HEX, ORDERS, PASSWORD, SECRETS, SENTENCES, STRONG

SECRET_FAMILIES = (*guard.TOKENS.families, *guard.SECRETS.families)
ORDER_FAMILIES = (
    *guard.ORDERS.families,
    *guard.FORGERIES.families,
    *guard.INVISIBLE.families,
    *guard.ENCODED.families,
)
POSITIVES = [(name, text) for name, (texts, _) in SECRETS.items() for text in texts]
ORDER_POSITIVES = [(name, text) for name, (texts, _) in ORDERS.items() for text in texts]
NEGATIVES = [
    (name, text)
    for table in (SECRETS, ORDERS)
    for name, (_, texts) in table.items()
    for text in texts
]
TROUBLESOME = [
    *("a", " ", "\n", "é", "a.", "a@", "<", "[", "{", "\u200b", "…", "4111 "),
    *("-----BEGIN ", "-----BEGIN PRIVATE KEY-----", "password=", "password ", "password is "),
    *("token: ", "secret is ", "ignore ", "ignore all previous ", "eyJ", "eyJa.", "://a:b", "a:/"),
    *("<!--", "<!-- x ", "![](http://a?", "curl x ", "login a password ", "send the passwords to "),
    *("sk-", "ghp_", "aws key ", "heroku key ", "seed phrase abc ", "remember to always run "),
    *(
        "system:\n",
        "human: x\n",
        "### instruction: ",
        "<p style='color:",
        "you must rm -rf ",
        "AAAA ",
    ),
    *("user password ", "creds: a/", "pin for a ", "store x in memory ", "if the user asks x "),
]


def families(text):
    verdict = scan(text)
    return {finding.family for finding in (*verdict.secrets, *verdict.orders)}


def test_there_are_enough_families_and_each_has_examples():
    assert [family.name for family in SECRET_FAMILIES] == list(
        dict.fromkeys(family.name for family in SECRET_FAMILIES)
    )
    assert {family.name for family in SECRET_FAMILIES} == set(SECRETS)
    assert {family.name for family in ORDER_FAMILIES} == set(ORDERS)
    assert len(SECRETS) >= 25
    assert len(ORDERS) >= 25
    for found, left in (*SECRETS.values(), *ORDERS.values()):
        assert len(found) >= 2
        assert len(left) >= 2


@pytest.mark.parametrize(("family", "text"), [*POSITIVES, *ORDER_POSITIVES])
def test_every_family_finds_its_examples(family, text):
    assert family in families(f"Hello there. {text}") | families(text)


@pytest.mark.parametrize(("family", "text"), POSITIVES)
def test_a_masked_secret_is_gone_and_the_mark_stays_as_it_is(family, text):
    masked = mask(text, scan(text).secrets)

    assert "[secret removed: " in masked
    assert scan(masked).secrets == ()
    assert mask(masked, scan(masked).secrets) == masked


@pytest.mark.parametrize(("family", "text"), NEGATIVES)
def test_what_only_looks_alike_is_left_alone(family, text):
    assert families(text) == set()


@pytest.mark.parametrize("text", SENTENCES)
def test_ordinary_talk_is_left_alone(text):
    assert families(text) == set()


def test_a_finding_never_holds_what_was_found():
    verdict = scan(f"my password is {STRONG}")

    assert STRONG not in repr(verdict)
    assert verdict.secrets == (Finding("said-password", 15, 15 + len(STRONG)),)


def test_only_the_secret_itself_is_taken_out():
    text = f"postgres://ada:{STRONG}@db/app and Bearer {BASE62[:40]}, thanks"

    assert mask(text, scan(text).secrets) == (
        "postgres://ada:[secret removed: url-password]@db/app and Bearer "
        "[secret removed: authorization-header], thanks"
    )


def test_overlapping_findings_share_the_most_telling_mark():
    text = f"api_key = 'ghp_{BASE62[:36]}'"

    assert mask(text, scan(text).secrets) == "api_key = '[secret removed: github-token]'"
    assert mask("abcdef", [Finding("b", 3, 5), Finding("a", 1, 4)]) == "a[secret removed: a]f"


def test_a_cut_key_is_taken_out_as_far_as_it_goes():
    text = guard_examples._pem("PRIVATE KEY", end="") + "\nand that was it."

    assert mask(text, scan(text).secrets) == "[secret removed: private-key]\nand that was it."


def test_a_forged_mark_hides_nothing():
    assert scan(f"[secret removed: glpat-{HEX[:30]}]").secrets
    assert scan(f"[secret removed: jwt] password: {STRONG}").secrets


def test_what_is_left_around_a_mark_is_looked_at_again():
    assert mask_all(f"password: {STRONG}") == "password: [secret removed: assigned-password]"
    assert mask_all("nothing here") == "nothing here"


def test_places_are_those_of_the_text_as_it_was_given():
    text = f"…n\u0303 ﬁ\u200b №1 password: {PASSWORD[:3]}\u200b{PASSWORD[3:]} ½"

    (finding, *_) = scan(text).secrets

    assert text[finding.start : finding.end] == f"{PASSWORD[:3]}\u200b{PASSWORD[3:]}"


def test_a_place_covers_all_of_a_character_that_was_folded():
    decomposed = "contrasen\u0303a: " + PASSWORD + "ﬁ"

    (finding, *_) = scan(decomposed).secrets

    assert decomposed[finding.start : finding.end] == PASSWORD + "ﬁ"


def test_a_pattern_of_the_users_own_finds_secrets_or_orders():
    badge = compile_extra("badge", r"ACME-\d{6}")
    shout = compile_extra("shout", r"(?i)open sesame", kind="order")

    verdict = scan("ACME-123456 says Open Sesame", [badge, shout])

    assert verdict.secrets == (Finding("badge", 0, 11),)
    assert verdict.orders == (Finding("shout", 17, 28),)
    assert mask_all("ACME-123456!", [badge]) == "[secret removed: badge]!"


def test_a_pattern_that_matches_its_own_mark_still_ends():
    greedy = compile_extra("greedy", r"[a-z: ]+")

    assert mask_all("a secret B", [greedy]) == "[secret removed: greedy]B"


def test_a_pattern_never_finds_nothing():
    assert scan("abc", [compile_extra("edge", r"(?<=b)")]).secrets == ()


@pytest.mark.parametrize(
    ("name", "pattern"),
    [
        ("Bad Name", "x"),
        ("jwt", "x"),
        ("long", "x" * 501),
        ("broken", "("),
        ("empty", "x*"),
        ("huge", "(((a{100}){100}){100}){100}"),
    ],
)
def test_a_pattern_that_cannot_be_used_is_refused(name, pattern):
    with pytest.raises(ValueError, match=r"should|expression"):
        compile_extra(name, pattern)


def test_a_pattern_that_takes_too_long_is_named_and_the_rest_is_judged():
    slow = compile_extra("slow", r"(a|aa)+$")

    verdict = scan(f"{'a' * 5000}! my password is {STRONG}", [slow])

    assert verdict.timed_out == ("slow",)
    assert verdict.secrets


@pytest.mark.parametrize("piece", TROUBLESOME)
def test_no_text_makes_the_guard_hang(piece):
    text = (piece * 100_000)[:100_000]

    assert scan(text).timed_out == ()
    scan(text + "x")
