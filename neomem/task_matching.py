"""Which memories belong to a task: by its id, or by words that only its own text has.

What is in doubt belongs to none: a memory hidden by mistake is worse than one shown for nothing.
"""

import re
import unicodedata
from collections.abc import Iterable, Sequence
from collections.abc import Set as AbstractSet
from functools import lru_cache
from typing import NamedTuple

from neomem.tasks import Task

_ENOUGH = 2
"""Terms of one task that make a text its own."""
_LETTERS = 4

# Marks that belong to a letter are no letters to Python, but split no word either.
_MARKS = "\u0300-\u036f\u0591-\u05c7\u0610-\u061a\u064b-\u065f\u0670\u0900-\u0963\u0966-\u109f"
_CJK = (
    "\u3041-\u309f\u30a1-\u30fa\u30fc-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff"
    "\uac00-\ud7a3\uf900-\ufaff\U00020000-\U0003ffff"
)
_RUNS = re.compile(f"(?P<cjk>[{_CJK}]+)|(?:(?![{_CJK}])[^\\W_]|[{_MARKS}])+")
_HIRAGANA = re.compile("[\u3041-\u309f\u30fc]+")

_ID = r"(?<![A-Za-z0-9_-])(TASK{}[0-9]{{1,9}})(?![A-Za-z0-9_]|[.-][0-9])"
_WRITTEN_ID = re.compile(_ID.format("-"), re.IGNORECASE)
_SPOKEN_ID = re.compile(_ID.format(r"[ \t_#-]{0,3}"), re.IGNORECASE)
"""Enough to protect a memory or to ask for one, not to hide one: "task 1 of 3" is no TASK-1."""

_COMMON = """
    about above across active actually added adding after afterwards again against ahead almost
    alone along already also although always among another anyone anything around asked awaiting
    away back based became because become been before began begin behind being below best better
    between beyond blocked both bring came cannot cause change changed changes check checked clear
    close come comes coming completed could create created current currently date days details
    does doing done down during each early either else enough even ever every everything example
    final finally find fine finished first following follows form forward found from full gave
    general gets getting give given gives goes going gone good great half hand have having hence
    here high himself hour hours however idea include included including indeed input instead into
    issue issues itself just keep kept kind knew know known large last late later least left less
    like likely line list little long longer look looked looking lots made main mainly make makes
    making many matter maybe mean means might minute minutes month months more most mostly much
    must myself near nearly need needed needs neither never next none note noted notes nothing
    number often okay once ones only onto open order other others otherwise ours ourselves over
    part past people perhaps place please point possible probably problem progress quite rather
    ready really right said same says second seconds seem seemed seems seen sent several shall
    should show shown similar simply since small some someone something soon sort stale start
    started state status step steps still stop such sure take taken takes task tasks tell than
    thank thanks that their them themselves then there therefore these they thing things think
    third this those though thought three through thus time times today together told tomorrow
    took toward towards tried true trying turn twice under unless until update updated upon used
    useful user uses using usually various very want wanted wants week weeks well went were what
    whatever when where whether which while whole whom whose will with within without word words
    work worked working works would write year years yesterday your yours yourself
"""
_DATES = (
    "january february march april june july august sept september october november december "
    "monday tuesday wednesday thursday friday saturday sunday "
    "januar februar märz juni juli oktober dezember "  # codespell:ignore
    "montag dienstag mittwoch donnerstag freitag samstag sonntag "
    "janvier février mars avril juin juillet août septembre octobre novembre décembre "
    "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre"
)
_STOP = frozenset(_COMMON.split()) | frozenset(_DATES.split())
_CJK_COMMON = (
    "的 了 是 在 和 与 與 或 及 吗 嗎 呢 吧 니다 합니 습니 입니 있습 하는 하고 에서 으로 한다 된다"
)
_CJK_STOP = frozenset(_CJK_COMMON.split())
"""Characters and pairs of them that say nothing of their own."""


class _Said(NamedTuple):
    """The words of a text as they are compared, and its runs of CJK characters."""

    words: frozenset[str]
    runs: tuple[str, ...]


def key_terms(task: Task) -> frozenset[str]:
    """Return the words by which a task is known: of four letters, or two CJK characters, or more.

    Numbers, dates and words that any text may have are none.
    """
    return _terms(f"{task.title}\n{task.details}\n{task.current_step}\n{task.blocked_on}")


def finished_match(
    text: str, task_id: str | None, finished: Iterable[Task], active: Sequence[Task]
) -> Task | None:
    """Return the finished task that a memory belongs to, by tag, by id or by two of its terms.

    What an active task shares never counts, and a memory that is also an active one's has none.
    """
    said = _said(text)
    tag = {_same(task_id)} if task_id else set[str]()
    if _is_of(active, said, tag | _ids(_SPOKEN_ID, text)):
        return None
    shared = frozenset[str]().union(*map(key_terms, active))
    ids = tag | _ids(_WRITTEN_ID, text)
    for task in finished:
        if _same(task.id) in ids or _count(said, key_terms(task) - shared) >= _ENOUGH:
            return task
    return None


def names_task(question: str, task: Task) -> bool:
    """Tell whether a question is about a task: it has its id, or two of its terms."""
    return _is_of([task], _said(question), _ids(_SPOKEN_ID, question))


def _is_of(tasks: Iterable[Task], said: _Said, ids: AbstractSet[str]) -> bool:
    return any(_same(task.id) in ids or _count(said, key_terms(task)) >= _ENOUGH for task in tasks)


def _ids(pattern: re.Pattern[str], text: str) -> set[str]:
    return set(map(_same, pattern.findall(text)))


def _same(task_id: str) -> str:
    """Return an id as ids are compared: `Task 007` is TASK-7."""
    letters = task_id.strip().upper()
    parts = re.fullmatch(r"TASK[ \t_#-]*([0-9]{1,9})", letters)
    return f"TASK-{int(parts[1])}" if parts else letters


def _count(said: _Said, terms: AbstractSet[str]) -> int:
    """Return how many of the terms a text has; characters count for one term only."""
    found = {word for word in said.words if word in terms}
    for run in said.runs:
        at = 0
        while at < len(run) - 1:
            pair = run[at : at + 2]
            if pair in terms:
                found.add(pair)
                at += 1
            at += 1
    return len(found)


@lru_cache(maxsize=256)
def _terms(text: str) -> frozenset[str]:
    said = _said(text)
    pairs = {run[at : at + 2] for run in said.runs for at in range(len(run) - 1)}
    return frozenset(
        word for word in said.words - _STOP if sum(map(str.isalpha, word)) >= _LETTERS
    ) | frozenset(
        pair
        for pair in pairs
        if _CJK_STOP.isdisjoint({*pair, pair}) and not _HIRAGANA.fullmatch(pair)
    )


def _said(text: str) -> _Said:
    words: set[str] = set()
    runs: dict[str, None] = {}
    for found in _RUNS.finditer(unicodedata.normalize("NFKC", text).casefold()):
        if found["cjk"]:
            runs[found[0]] = None
        else:
            words.add(found[0])
    return _Said(frozenset(words), tuple(runs))
