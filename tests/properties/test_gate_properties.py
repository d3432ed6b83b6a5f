import json
from collections.abc import Iterator

from hypothesis import given
from hypothesis import strategies as st

from neomem.capture.gate import Judgement, judge, strip
from neomem.capture.transcripts import Format, Problem, Turn, detect, lines, read, spoken

TAGS = ("relevant-memories", "memory", "system-reminder", "command-name", "thinking", "tool_result")
PIECES = st.sampled_from([
    "<memory>", "</memory>", "<relevant-memories a='", "<system-reminder>", "</think>", "<Memory>",
    "<memory/>", "`", "```", "```json", "\n", "\n\n", "  ", "[Telegram Ann 1] ", "[message_id: 1]",
    "System: [", "x (untrusted):\n", "⏺ ", "⏺ Bash(", "⎿ ", "a", "word ", "{", '"tool_use_id"',
    "Queued #1", "[cron:", "#include ", "[[reply_to]]", "HEARTBEAT_OK", "?", "我", "ok", "<mem",
    "ory>", "This session is being continued from a previous conversation", "Read HEARTBEAT.md",
    "[Request interrupted by user]", "[Mon 2026-01-01 ", "]",
])  # fmt: skip
TEXTS = st.text() | st.lists(PIECES | st.text(max_size=3), max_size=20).map("".join)
SECRET = "quokka"
BODIES = st.text(alphabet=st.characters(codec="utf-8", exclude_characters="<>`")).map(
    lambda body: f" {SECRET} {body} {SECRET} "
)


@st.composite
def blocks(draw: st.DrawFn) -> str:
    """One block, perhaps with attributes, a block of its own kind inside, or no end."""
    tag = draw(st.sampled_from(TAGS))
    inner = draw(BODIES)
    if draw(st.booleans()):
        inner += f"<{tag}>{draw(BODIES)}</{tag}>{SECRET}"
    attributes = draw(st.sampled_from(["", ' id="1"', "\n a='b'\n c", ' d="x>y"']))
    return f"<{tag}{attributes}>{inner}{draw(st.sampled_from([f'</{tag}>', '']))}"


@given(TEXTS)
def test_stripping_twice_is_stripping_once(text):
    once = strip(text)

    assert strip(once) == once
    assert len(once) <= len(text) + text.count("<")


@given(TEXTS)
def test_any_text_gets_a_judgement(text):
    judgement = judge(text)

    assert isinstance(judgement, Judgement)
    assert judgement.reason
    assert judge(text) == judgement


@given(st.text(alphabet=st.characters(exclude_characters="<`")), blocks())
def test_no_trace_is_left_of_a_block_after_a_text(text, block):
    assert SECRET not in strip(text + block)
    assert SECRET not in strip(block)


@given(st.lists(blocks(), min_size=1, max_size=4))
def test_no_trace_is_left_of_many_blocks(many):
    assert SECRET not in strip("\nand ".join(many))


@given(st.sampled_from(["Ann moved to Graz.", "我五月搬到了成都。"]), blocks())
def test_a_closed_block_takes_nothing_of_the_text_around_it(text, block):
    tag = block[1:].partition(">")[0].split()[0]
    closed = block + f"</{tag}>" * (block.count(f"<{tag}") - block.count(f"</{tag}"))

    assert strip(f"{text}\n{closed}\n{text}").split() == f"{text} {text}".split()


FIELDS = st.sampled_from([
    "type", "message", "content", "role", "text", "uuid", "sessionId", "timestamp", "isMeta", "id",
    "session", "speaker", "date", "title", "kind", "importance", "about", "links", "image_caption",
])  # fmt: skip
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=10),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(FIELDS, inner, max_size=4),
    max_leaves=8,
)
KINDS = st.fixed_dictionaries(
    {"type": st.sampled_from(["user", "assistant", "message", "session", "summary"])},
    optional={"message": VALUES, "id": VALUES, "sessionId": VALUES, "text": VALUES},
)
LINES = st.lists(
    st.text()
    | VALUES.map(json.dumps)
    | KINDS.map(json.dumps)
    | st.builds("{}: {}".format, st.sampled_from(["Ann", "user", "[2026-01-02] Kofi"]), TEXTS)
    | KINDS.map(json.dumps).flatmap(lambda line: st.integers(0, len(line)).map(lambda n: line[:n])),
    max_size=8,
)


def each(found: list[str]) -> Iterator[Turn | Problem]:
    for form in Format:
        yield from read(found, form, session="s")


@given(LINES)
def test_any_lines_are_read_or_named_and_nothing_raises(found):
    detect(found, "a.jsonl")

    for item in each(found):
        if isinstance(item, Turn):
            assert spoken(item)
            assert item.position in range(1, len(found) + 1)
            item.text.encode()
        else:
            assert item.line_number in range(1, len(found) + 1)
            assert item.reason


@given(st.lists(st.binary()))
def test_any_bytes_are_lines(chunks):
    whole = b"".join(chunks)

    found = list(lines(chunks))

    assert "\n".join(found) == whole.removesuffix(b"\n").decode(errors="surrogateescape")
    list(each(found))
