"""What stays worth knowing when a task is over, and what was only said on the way.

Each sentence is judged by a table of cues. Doubt keeps: only a text that is noise from the first
sentence to the last is called noise.
"""

import re
from dataclasses import dataclass

_LASTING_KINDS = frozenset({"preference", "decision", "lesson"})
_AUTHORED_KINDS = frozenset({"chunk", "summary"})
_LONGEST = 4_000
"""Characters beyond which nobody writes a progress note."""

_SENTENCE = re.compile(r"(?<=[.!?…])\s+|(?<=[。！？])|[\r\n]+|;\s+")  # noqa: RUF001
_BULLET = re.compile(
    r"^(?:[-*+•>]|[0-9]{1,2}[.)]|\[[ xX]?\]|TASK-[0-9]+\s*[:\u2013\u2014-])\s+", re.IGNORECASE
)
_SAYS = re.compile(r"\w")
_TOLD = re.compile(r":\s+(?:\S+\s+){3}\S")


@dataclass(frozen=True, slots=True)
class Cue:
    """Words by which a sentence is known as lasting or as noise, with one it is written for."""

    name: str
    pattern: re.Pattern[str]
    example: str


def _cue(name: str, pattern: str, example: str) -> Cue:
    return Cue(name, re.compile(pattern, re.IGNORECASE), example)


LASTING = (
    _cue(
        "port map",
        r"\bports?\b.{0,60}\b[0-9]{2,5}\b|\b(?:listens?|served?|serves|exposed|runs|reachable|bound)"
        r" (?:on|at|to)\b.{0,40}(?::|\bport )?\b[0-9]{2,5}\b",
        "The API is on port 8081, Grafana on port 3000.",
    ),
    _cue(
        "decision",
        r"\b(?:decided|agreed|settled on|opted for|chose|chosen|went with|go(?:ing)? with|"
        r"ruled out|rejected)\b|^decision\b",
        "We decided to keep one database per customer.",
    ),
    _cue(
        "comparison",
        r"\b(?:instead of|rather than|in favou?r of|(?:faster|slower|better|worse|cheaper|safer|"
        r"smaller|larger|simpler) than)\b",
        "Ruff is faster than the linter we had.",
    ),
    _cue(
        "preference",
        r"\b(?:prefers?|preferred|preference|favou?rites?|would rather|likes? (?:to|it|the)|"
        r"hates?|dislikes?)\b",
        "Ada prefers short answers.",
    ),
    _cue(
        "lesson",
        r"\b(?:lessons?|learn(?:ed|t)|turn(?:s|ed) out|root cause|gotcha|pitfall|caveat|"
        r"workaround|next time|the fix (?:is|was)|caused by|because of a (?:bug|race)|"
        r"remember (?:to|that)|beware|watch out|keep in mind)\b",
        "It turned out that the proxy drops empty headers.",
    ),
    _cue(
        "finding",
        r"\bnow (?:we|i) know\b|\btaught (?:us|me)\b|\b(?:is|are) not enough\b"
        r"|\bneeds? at least\b|\bbecause\b|\bonly works?\b|\bdoes(?: not|n't) work\b",
        "Two cores are not enough for the encoder.",
    ),
    _cue(
        "rule",
        r"\b(?:always|never|must not|from now on|do not ever|only ever|policy|convention)\b",
        "Never deploy on a Friday.",
    ),
    _cue(
        "where a secret is",
        r"\b(?:passwords?|tokens?|credentials?|secrets?|certificates?|(?:api|ssh|signing|access) "
        r"keys?)\b.{0,60}\b(?:in|at|under|from|inside)\b",
        "The deploy token is kept in the vault under ops/deploy.",
    ),
    _cue(
        "setting",
        r"\b(?:(?:is|are|was|must be|should be|needs to be) set (?:to|in|by)|defaults? (?:to|is)|"
        r"configured (?:to|as|in|with)|environment variable|requires? (?:at least|version)|"
        r"feature flag|time ?zone is|retention is)\b|\b(?-i:[A-Z][A-Z0-9]*_[A-Z0-9_]+)\s*=",
        "The request timeout is set to 30 seconds.",
    ),
    _cue(
        "place",
        r"\b(?:lives?|located|hosted|deployed|mounted|backed up|stored|kept|documented) "
        r"(?:in|at|on|under|to|by)\b",
        "Backups are stored on the second disk.",
    ),
    _cue(
        "in other languages",
        r"\b(?:entschieden|beschlossen|bevorzugt|décidé|préfère|decidimos|prefiere|решили|"
        r"предпочитает)\b|决定|決定|偏好|端口|ポート|포트|결정|선호|教训|教訓",
        "我们决定使用一个数据库。",
    ),
)

NOISE = (
    _cue(
        "under way",
        r"^(?:(?:i am|i'm|we are|we're|now|currently|still|just|again|ok(?:ay)?,?) )*"
        r"(?:re-?)?(?:running|starting|restarting|checking|trying|testing|building|installing|"
        r"waiting|working on|looking (?:at|into|for)|debugging|fixing|reading|writing|searching|"
        r"investigating|continuing|retrying|compiling|downloading|uploading|refactoring)\b",
        "Running the tests now.",
    ),
    _cue(
        "about to",
        r"^(?:(?:now|next|then|ok(?:ay)?|so|first)[,:]? )*(?:let me|let's|i(?:'ll| will)|"
        r"we(?:'ll| will)|i(?:'m| am) (?:going|about) to|going to|about to)\b",
        "Next, I'll look at the failing test.",
    ),
    _cue(
        "progress",
        r"^(?:progress|status|update|checkpoint|interim|wip|eta)\b"
        r"|\bcheckpoint (?:saved|reached|written|[0-9])|\bwork in progress\b"
        r"|\b[0-9]{1,3} ?(?:%|percent) (?:done|complete|finished|there|through)\b"
        r"|\b(?:half ?way|almost|nearly) (?:done|there|finished|through)\b",
        "Progress: 60% done.",
    ),
    _cue(
        "count",
        r"\b[0-9]+ ?(?:/|of|out of) ?[0-9]+ (?:\w+ ){0,2}(?:done|left|passed|failed|processed|"
        r"migrated|completed?|finished|remaining|tests?|files?|steps?)\b",
        "12 of 40 files migrated.",
    ),
    _cue(
        "step",
        r"^(?:step|phase|part|item|stage) [0-9]+(?: ?(?:/|of) ?[0-9]+)?[:,]? ?"
        r"(?:is |was |has been )?(?:now )?"
        r"(?:done|completed?|finished|started|in progress|under way|next)\b",
        "Step 3 of 5 is done.",
    ),
    _cue(
        "result of a run",
        r"\b(?:tests?|builds?|ci|lint(?:er)?|checks?|pipeline|suite) "
        r"(?:(?:all|now|still|is|are|have|has) )*"
        r"(?:pass(?:es|ed|ing)?|fail(?:s|ed|ing)?|green|red|succeed(?:s|ed)?|finished|running)\b",
        "All tests pass.",
    ),
    _cue(
        "housekeeping",
        r"^(?:(?:i|we|have|has|just|i've|we've) )*(?:committed|pushed|merged|rebased|opened|"
        r"created|amended|checked out|stashed)\b.{0,60}"
        r"\b(?:branch|commits?|pr|pull request|changes?|main)\b",
        "Pushed the changes to the branch.",
    ),
    _cue(
        "small step",
        r"^(?:(?:i|we|just|now|so|then|again)[ ,]+)*(?:re-?)?(?:opened|ran|checked|clicked|resumed|"
        r"reverted|bumped|scrolled|restarted|reran|retried|committed|started|stopped|killed)\b",
        "Opened the parser to have a look.",
    ),
    _cue(
        "passing",
        r"\b(?:right now|at the moment|for now|just for this|remove (?:it )?later|continuing|"
        r"rerunning|retrying|ignoring (?:it|them)|fixing (?:it|them)|same error|looking into it|"
        r"back in \w+|still (?:running|nothing|loading|waiting|open)|"
        r"in (?:a|an|\w+) (?:minutes?|hours?))\b"
        r"|\b(?:is|are) (?:loading|spinning|running|compiling|up)\b",
        "The page is loading slowly right now.",
    ),
    _cue(
        "reading",
        r"^(?:epoch|iteration|batch|page|file|chapter|queue|upload|download|exit code)\b.{0,30}\d"
        r"|\bloss [0-9.]+|\b(?:page|line|file) [0-9]+ of\b|\b0 matches\b"
        r"|\b(?:two|[0-9]+) warnings?\b",
        "Epoch 8/20, loss 0.518.",
    ),
    _cue(
        "acknowledgement",
        r"^(?:ack|ok(?:ay)?|thanks?|thank you|sure|perfect|great|got it|understood|will do|noted|"
        r"hm+|alles klar|danke|d'accord|merci|vale|gracias)\b|^(?:了解|好的|收到|はい)"
        r"|^(?:that's|that is) (?:all|it) for (?:today|now)|\bwhat's next\b",
        "Thanks, that helps.",
    ),
    _cue(
        "waiting",
        r"^(?:still )?(?:waiting|blocked|paused|on hold)\b|\bawaiting (?:input|review|approval)\b",
        "Blocked on the review.",
    ),
    _cue(
        "done",
        r"^(?:(?:all|task|that|this|it|everything) )?(?:is |are )?(?:now )?"
        r"(?:done|finished|completed?|ok|okay|fixed)\b.{0,20}$",
        "All done for today.",
    ),
    _cue(
        "in other languages",
        r"^(?:fortschritt|zwischenstand|avancement|progreso|прогресс|进度|進捗|진행)"
        r"|\b(?:laufen|läuft) (?:gerade|noch)\b|\bmache ich gleich\b|^je (?:lance|m'en occupe)\b"
        r"|\b(?:sigo esperando|ahora ejecuto)\b"
        r"|正在运行|已完成|继续处理|実行中|お待ちください|실행 중",
        "进度 60%。",
    ),
)


def lasting(text: str, kind: str) -> bool | None:
    """Tell whether a memory outlives its task: False is noise, None is doubt, which keeps."""
    if kind in _LASTING_KINDS:
        return True
    if len(text) > _LONGEST:
        return None
    verdicts = {_verdict(sentence) for sentence in _sentences(text)}
    if True in verdicts:
        return True
    return False if verdicts == {False} and kind not in _AUTHORED_KINDS else None


def _sentences(text: str) -> list[str]:
    parts = (_BULLET.sub("", part.strip()) for part in _SENTENCE.split(text))
    return [part for part in parts if _SAYS.search(part)]


def _verdict(sentence: str) -> bool | None:
    stays = any(cue.pattern.search(sentence) for cue in LASTING)
    # After a colon stands what was found on the way: "Opened the lease: notice is three months."
    passes = any(cue.pattern.search(sentence) for cue in NOISE) and not _TOLD.search(sentence)
    return stays if stays != passes else None
