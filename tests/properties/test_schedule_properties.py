"""Any crontab that gets our line and loses it again is what it was."""

from hypothesis import given
from hypothesis import strategies as st

from sleep_cycle import schedule

ODD = ["# neomem sleep", "0 5 * * * backup", "\r", "\x0c", "a\u2028 # neomem sleep", "x\x85y", ""]
LINES = st.lists(st.sampled_from(ODD) | st.text(st.characters(exclude_characters="\n")))
CRONTABS = LINES.map(lambda lines: "".join(f"{line}\n" for line in lines))
OURS = st.builds(
    lambda words, hour, minute: schedule.line(words, f"{hour}:{minute:02}"),
    st.lists(st.text(st.characters(exclude_characters="\n")), min_size=1),
    st.integers(0, 23),
    st.integers(0, 59),
)


@given(CRONTABS, OURS, OURS)
def test_a_crontab_gets_one_line_at_its_end_and_is_given_back(mine, first, second):
    once = schedule.added(mine, first)
    moved = schedule.added(once, second)

    assert once == f"{mine}{first}\n"
    assert moved == f"{mine}{second}\n"
    assert schedule.removed(moved) == mine
    assert schedule.removed(mine) == mine
