"""Agents' own words for what happens, as the events the service knows, and back."""

import os
import time

from neomem_hook.plain import Event, a_list, an_object

CAPTURES = ("Stop", "SessionEnd", "PreCompact")
FORGETTING = ("clear", "compact")
"""Beginnings after which the agent no longer sees what it was given before."""


def read(given: Event) -> Event | None:
    """Return the event that a hook's input means; None when it means nothing to a memory."""
    event = _claude_code(given) if "hook_event_name" in given else given
    if event is None or event.get("event") not in {"recall", "capture", "start"}:
        return None
    return {name: value for name, value in event.items() if value is not None}


def answer(given: Event, told: Event) -> Event | None:
    """Return what the agent is to read: in its own form, or as the service has told it."""
    if "hook_event_name" not in given:
        return told
    if not told.get("context"):
        return None
    name = given["hook_event_name"]
    return {
        "hookSpecificOutput": {"hookEventName": name, "additionalContext": told["context"]},
        "suppressOutput": True,
    }


def stamped(turns: object) -> object:
    """Give each turn a time and a name of its own, so that sending it twice keeps it once."""
    listed = a_list(turns)
    if listed is None:
        return turns
    now = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
    mark = f"{time.time_ns()}-{os.getpid()}"
    for number, each in enumerate(listed):
        turn = an_object(each)
        if turn is not None:
            turn.setdefault("said", now)
            if "id" not in turn and "position" not in turn:
                turn["id"] = f"hook-{mark}-{number}"
    return listed


def _claude_code(given: Event) -> Event | None:
    name = given["hook_event_name"]
    where = {
        "session": given.get("session_id"),
        "folder": given.get("cwd"),
        "transcript": given.get("transcript_path"),
    }
    if name == "UserPromptSubmit":
        return {"event": "recall", "prompt": given.get("prompt"), **where}
    if name in CAPTURES:
        return {"event": "capture", **where}
    if name == "SessionStart":
        return {"event": "start", "afresh": given.get("source") in FORGETTING, **where}
    return None
