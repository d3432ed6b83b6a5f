"""The gate of automatic capture: what was really said, and whether it is worth keeping."""

import re
from dataclasses import dataclass

from neomem.capture.gate_words import (
    CLOSING,
    EMPTY,
    EMPTY_PHRASES,
    NARRATION,
    ORDER_FORMS,
    ORDERS,
    OWN,
    QUESTION_WORDS,
    RULES,
    SELF,
    SELF_CHARACTERS,
    TOLD,
)

_NAMES = (
    r"[\w-]{0,40}mem(?:ory|ories)[\w-]{0,40}"
    r"|think(?:ing)?|thoughts?|antthinking|reasoning|reflection|scratchpad|analysis"
    r"|tool[_-](?:use|call|result|response|output|code)[\w-]{0,20}|code_output"
    r"|function[_-](?:call|result)s?|invoke(?=\s)|(?<=/)(?:invoke|file)"
    r"|system[_-](?:reminder|message|prompt)|system|[\w-]{1,40}-hook"
    r"|command-[\w-]{1,20}|local-command-[\w-]{1,20}|bash-(?:input|stdout|stderr)"
    r"|task-notification|ide_\w{1,20}|environment[_-]context|user[_-]instructions"
    r"|file(?=\s+name=)"
)
# `Vec<Memory>`, `#include <memory>` and a tag in backticks are talked about, not blocks.
_TAG = re.compile(
    r"(?!(?<=\w)<(?-i:[A-Z][a-z]+)>|(?<=`)</?[\w:-]+>`)(?<!#include )"
    rf"<(?P<close>/?)(?:[\w.-]{{1,20}}:)?(?P<name>{_NAMES})(?![\w-])"
    r"(?P<empty>(?:[^<>/]|/(?!>))*+/>)?(?:\s*+>)?",
    re.IGNORECASE,
)
_CHANNELS = (
    "Telegram|WhatsApp|Discord|Slack|Signal|iMessage|BlueBubbles|WebChat|Google ?Chat|"
    "(?:MS |Microsoft )?Teams|Matrix|Zalo(?: Personal)?|LINE|Feishu|Lark|Mattermost|IRC|Nostr|"
    "Twitch|SMS|Voice|Webhook|Email"
)
_WRAPPER = re.compile(
    rf"^[ \t]*(?:\[(?:{_CHANNELS})(?:[ \t]+(?![a-z][a-z ]*\])[^\]\n]*)?\][ \t]*"
    r"|\[(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun) \d{4}-\d\d-\d\d[^\]\n]*\][ \t]*"
    r"|[⏺●][ \t]+(?![\w:.-]+(?: - [\w:.-]+ \(MCP\))?\())+",
    re.MULTILINE,
)
_MARK = re.compile(
    r"\[(?:message_id:|Request interrupted by user|media attached|Image #\d)[^\[\]\n]*\]"
    r"|\[\[(?:reply_to|audio_as)[^\[\]\n]*\]\]|<media:\w+>",
    re.IGNORECASE,
)
# Whole lines, left empty so that no two others become neighbours.
_LINES = re.compile(
    r"""
    ^[ \t]*(?:
      System:[ \t]*\[[^\n]*
    | \[(?:cron|heartbeat)[: \]][^\n]*
    | (?:Read|When[ ]reading)[ ]HEARTBEAT\.md[^\n]*
    | Current[ ]time:[ ]\w+day,[^\n]*
    | A[ ]new[ ]session[ ]was[ ]started[ ]via[^\n]*
    | Caveat:[ ]The[ ]messages[ ]below[ ]were[ ]generated[^\n]*
    | Please[ ]continue[ ]the[ ]conversation[ ]from[ ]where[ ]we[ ]left[^\n]*
    | \[(?:Queued[ ]messages|Chat[ ]messages[ ]since|Current[ ]message)[^\]\n]*\][ \t]*$
    | Queued[ ]\#\d+[ \t]*$
    | This[ ]session[ ]is[ ]being[ ]continued[ ]from[ ]a[ ]previous[ ]conversation(?s:.*)
    | [^\n]{1,80}\(untrusted[^\n]*\n[ \t]*```(?:(?!```)(?s:.))*+(?:```)?
    | (?:[⏺●][ \t]*[\w:.-]+(?:[ ]-[ ][\w:.-]+[ ]\(MCP\))?\(|⎿)[^\n]*(?:\n[ \t]{2,}\S[^\n]*)*+
    | \[?\{(?:(?=[^\n]*"(?:tool_?(?:calls?|use|result|name)|tool(?:Call|Result)(?:Id)?
          |tool_(?:use|call)_id|function_call)")
          |(?=[^\n]*"name"[ ]*:)(?=[^\n]*"(?:arguments|input|parameters)"[ ]*:))[^\n]*
    )""",
    re.MULTILINE | re.VERBOSE,
)
_TRACES = re.compile(r"[<\[⏺●⎿{]|^[ \t]*(?:System:|Read |When|Curr|A new|Cave|Plea|This)|HEARTBEAT|"
                     r"\(untrusted|Queued #", re.MULTILINE)  # fmt: skip
_GAPS = re.compile(r"\n[ \t\r]*\n\s*\n")

_OPENING = ORDERS | QUESTION_WORDS
_LONGEST = 20_000  # characters looked at, half from each end
_FENCE = re.compile(r"```(?:(?!```)(?s:.))*+(?:```)?")
_MACHINE = re.compile(
    r"""
      [\[(]?\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d | \[?\d\d:\d\d:\d\d[\].,\ ]
    | [A-Z][a-z]{2}[ ]\d{1,2}[ ]\d\d:\d\d:\d\d | npm[ ](?:ERR!|WARN|error)
    | (?:\[(?:INFO|WARN(?:ING)?|ERROR|DEBUG|TRACE|FATAL)\]|(?:INFO|WARN(?:ING)?|ERROR|DEBUG|FATAL):)
    | (?:FAILED|PASSED|ERROR|SKIPPED)[ ]\S+(?:::|/)\S | ={3,}+[ ][^=]+[ ]={3,}
    | (?:.*\b)?\d+[ ](?:passed|failed)(?:,|[ ]in[ ]\d)
    | Traceback[ ]\(most | File[ ]".*",[ ]line | at[ ][\w$.<>]+\(
    | (?:[\w.]*Error|\w+Exception)(?::|$) | Exception[ ]in | Caused[ ]by: | \.\.\.[ ]\d+[ ]more
    | diff[ ]--git | index[ ][0-9a-f]+\.\. | ---[ ][ab]/ | \+\+\+[ ][ab]/ | @@[ ]
    | total[ ]\d+$ | [dl-][rwxsStT-]{9}
    | import[ ](?:[\w.,*]+(?:[ ]as[ ]\w+)?;?$|[{*"']|.+[ ]from[ ]["']) | from[ ]\S+[ ]import[ ]
    | (?:def|function|func|fn)[ ]\w*[(<] | class[ ]\w+(?:[({:]|[ ]\{|[ ]extends[ ]) | \#include
    | (?:const|let|var)[ ]\w+(?:[ ]=|:) | (?:public|private|static|export)[ ]\w+[ ].*[;{(]
    | return(?:;|$|[ ][\w.]+[(\[;]|[ ][\w.]+[ ][-+*/<>=&|]|[ ](?:None|True|False|null|true|false)\b)
    | (?:if|for|while|elif|with|except|switch|try|else|finally|async|await)\b.*[:{]$
    | [\w.]+\(.*\)[;:]?$ | [\w.\[\]]+[ ]=[ ](?:["'\[{(]|[\w.]+[(\[]|new[ ]|await[ ]) | @\w+(?:\(|$)
    | (?i:select[ ].+[ ]from|insert[ ]into|update[ ]\S+[ ]set|(?:create|alter|drop)[ ]table)[ ]
    | </?[a-zA-Z!][^>]*>(?=$|.*>$) | .*[{}]$ | (?=.*;$)[^()=]*+[()=] | [\])}]+[,;]?$
    | [{\[]["{\[] | "[^"]+"[ ]*: | [^\s,]*(?:,[^\s,]+){2,}$ | \|[ :|-]+\|$
    | https?://\S+$ | [~.\w-]*(?:/[\w.@-]+)+/?$ | /[a-z][\w:-]*(?:[ ]\S+){0,2}$ | \$[ ] | \#!/
    | (?:git|npm|npx|yarn|pnpm|pip|uv|docker|kubectl|helm|cargo|brew|apt(?:-get)?|sudo|ssh|scp|curl
        |wget|pytest|ruff|mvn|gradle|terraform|gcloud|systemctl|psql|ls|rm|mkdir|chmod|grep|awk)
      (?:$|[ ](?=.*(?:[ ]-|[|&/$=>]|\w\.\w))|[ ](?=(?:[a-z0-9:@-]++[ ]?){1,3}$)(?!is|are|it|the))
    | (?:cd|cp|mv|sed|cat|tail|head|python3?|node|make|ps|df|du|echo|export|source|touch|aws|go)
      [ ](?=.*(?:(?:^|[ ])--?\w|[|&/$=>]|\w\.\w))
    """,
    re.VERBOSE,
)
_SENTENCE = re.compile(r"(?<=[.!?…]) |(?<=[。\uff01\uff1f؟।]) ?|\n| [\u2013—-] ")
_SPEAKER = re.compile(r"[^\W\d_][\w.'-]{0,30}: ")
_PHRASES = re.compile(f"(?>{EMPTY_PHRASES}|w)++")
_EDGES = (
    " \t\"'`.,;:!?…()[]{}<>*_~#-—。、؟،「」『』¿¡«»“”„।"
    "\u2013\uff0c\uff01\uff1f\uff1b\uff1a\uff08\uff09"  # the fullwidth forms
)
_ASKED = ("?", "\uff1f", "؟", "吗", "か")
_HEARTBEAT = re.compile(r"\b(?:HEARTBEAT_OK|NO_REPLY)\b")
# What a character carries beyond a Latin letter: a word, a syllable, unwritten vowels.
_SCRIPTS = (
    (re.compile("[\u3400-\u9fff\uf900-\ufaff]"), 1.6),
    (re.compile("[\uac00-\ud7af]"), 1.0),
    (re.compile("[\u3040-\u30ff]"), 0.5),
    (re.compile("[\u0590-\u06ff]"), 0.4),
    (re.compile("[\u0900-\u0dff]"), 0.6),
)
_UNSPACED = re.compile("[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff]")

_LITTLE, _STATED, _ENOUGH, _FEW = 5, 8, 12, 14  # weights, a Latin letter being one
_FEW_WORDS, _LONG_QUESTION, _LONG_ORDER, _LONG_HEARTBEAT = 3, 14, 8, 300
_DUMP_LINES, _DUMP_SHARE, _DUMP_PROSE = 4, 0.6, 30


@dataclass(frozen=True, slots=True)
class Judgement:
    """Whether a text is worth keeping, and why."""

    keep: bool
    reason: str


def strip(text: str) -> str:
    """Remove what was not said: recalled memories, tool traffic, thinking, channel wrappers."""
    text = text.strip()
    while _TRACES.search(text):
        bare = _without_blocks(text)
        bare = _MARK.sub(" ", bare)
        bare = _WRAPPER.sub("", bare)
        bare = _GAPS.sub("\n\n", _LINES.sub("", bare)).strip()
        if bare == text:
            break
        text = bare
    return text


def _without_blocks(text: str) -> str:
    """Remove tagged blocks; one never closed runs to the end, one never opened from the last."""
    kept: list[str] = []
    start, block, depth = 0, "", 0
    for tag in _TAG.finditer(text):
        name = tag["name"].lower()
        if not block:
            if not tag["close"]:
                kept.append(text[start : tag.start()])
                block, depth = ("", 0) if tag["empty"] else (name, 1)
            start = tag.end()
        elif name == block and not tag["empty"]:
            depth += -1 if tag["close"] else 1
            if not depth:
                block, start = "", tag.end()
    return "\n".join(kept if block else [*kept, text[start:]])


def judge(text: str) -> Judgement:
    """Decide whether a text, stripped before, is worth keeping as a memory."""
    text = text.strip()
    if len(text) > _LONGEST:
        text = f"{text[: _LONGEST // 2]}\n{text[-_LONGEST // 2 :]}"
    if len(text) <= _LONG_HEARTBEAT and _HEARTBEAT.search(text):
        return Judgement(keep=False, reason="heartbeat")
    prose = _prose(text)
    if prose is None:
        return Judgement(keep=False, reason="machine output")
    reason = "empty"
    for sentence in _SENTENCE.split(prose.replace("\u2019", "'")):
        found = _why_not(sentence)
        if found is None:
            return Judgement(keep=True, reason="says something")
        reason = found or reason
    return Judgement(keep=False, reason=reason)


def _prose(text: str) -> str | None:
    """Return the lines people wrote; None when a machine wrote all, or nearly all."""
    said = _FENCE.sub("\n", text)
    lines = [" ".join(line.split()) for line in said.split("\n")]
    prose = [line for line in lines if line and not _MACHINE.match(line)]
    if not prose and text:
        return None
    machine = sum(map(bool, lines)) - len(prose)
    words = "\n".join(prose)
    dump = machine >= _DUMP_LINES and machine > _DUMP_SHARE * (machine + len(prose))
    return None if dump and len(words) < _DUMP_PROSE else words


def _why_not(sentence: str) -> str | None:
    """Say why a sentence is not worth keeping; None when it is, an empty word for no words."""
    speaker = _SPEAKER.match(sentence)
    words = _words(sentence[speaker.end() :] if speaker else sentence)
    if not any(map(str.isalpha, "".join(words))):
        return "no words" if sentence else ""
    if EMPTY.issuperset(words) or _PHRASES.fullmatch("".join(words)):
        return "small talk"
    plain = " ".join(words)
    rest = _after_small_talk(words)
    if sentence.endswith(_ASKED) or rest[0] in QUESTION_WORDS:
        return None if _tells(words, plain) else "question"
    telling = any(map(str.isdigit, plain)) or not OWN.isdisjoint(words)
    named = any(word.strip(_EDGES)[:1].isupper() for word in sentence.split()[1:])
    if not telling and (CLOSING.match(plain) or (not named and NARRATION.match(plain))):
        return "narration"
    if not telling and RULES.isdisjoint(words) and _is_order(rest):
        return "order"
    told = telling or named or bool(speaker) or not SELF.isdisjoint(words)
    told = told or not SELF_CHARACTERS.isdisjoint(plain)
    return None if _heavy(sentence, told=told) else "too short"


def _words(sentence: str) -> list[str]:
    return [word for raw in sentence.lower().split() if (word := raw.strip(_EDGES))]


def _after_small_talk(words: list[str]) -> list[str]:
    """Leave out the first words of a sentence that are only polite; some word never is."""
    begins = (n for n, word in enumerate(words) if word not in EMPTY or word in _OPENING)
    return words[next(begins) :]


def _tells(words: list[str], plain: str) -> bool:
    """Tell whether a question says something of the one who asks."""
    if len(words) >= _LONG_QUESTION or not OWN.isdisjoint(words) or TOLD.search(plain):
        return True
    return len(words) > _FEW_WORDS and any(map(str.isdigit, plain))


def _is_order(words: list[str]) -> bool:
    if words[0] in ORDERS:
        return len(words) <= _LONG_ORDER
    joined = "".join(words)
    return not joined.isascii() and bool(ORDER_FORMS.fullmatch(joined))


def _heavy(sentence: str, *, told: bool) -> bool:
    """Tell whether there is enough in a sentence; characters of some scripts carry more."""
    words = _words(sentence)
    joined = "".join(words)
    weight = float(sum(map(str.isalnum, joined)))
    if not joined.isascii():
        weight += sum(extra * len(script.findall(joined)) for script, extra in _SCRIPTS)
    written = len(words) > 1 and sentence.endswith((".", "。", "।"))
    if weight < _ENOUGH:
        return weight >= (_LITTLE if told else _STATED if written else _ENOUGH)
    few = len(words) <= _FEW_WORDS and not _UNSPACED.search(joined)
    return not few or told or written or weight >= _FEW
