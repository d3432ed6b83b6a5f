"""One hook, start to end: read the event, ask the service, print its answer."""

import json
import os
import sys
import time

from neomem_hook import events, spool, starting, transcript, wire
from neomem_hook import home as files
from neomem_hook import limits as settings
from neomem_hook.breaker import Breaker
from neomem_hook.plain import Event, loads

USAGE = """Usage: neomem-hook [--agent NAME] [--home DIR] < EVENT

Reads one event as JSON: a hook of Claude Code as it is, or
  {"event": "recall", "prompt": "...", "session": "..."}
  {"event": "capture", "session": "...", "turns": [{"role": "user", "text": "..."}]}
  {"event": "capture", "session": "...", "transcript": "FILE"}
Prints what the agent is to read. Whatever goes wrong, it prints nothing and ends with 0.
"""

_LARGEST = 16_000_000  # bytes of an event
_LARGEST_LOG = 200_000
_POLL = 0.05


class Hook:
    """What one call works with."""

    def __init__(self, home: str) -> None:
        self.home = home
        self.limits = settings.read(home)
        self.breaker = Breaker(home, self.limits)

    def recall(self, event: Event) -> Event:
        """Return what the service remembers, or nothing."""
        if self.breaker.is_open:
            return {}
        return self._asked(event, self.limits["timeout"]) or {}

    def capture(self, event: Event) -> Event:
        """Deliver what was said, or leave it where the service will find it."""
        if "turns" in event or "transcript" not in event:
            event["turns"] = events.stamped(event.get("turns"))
            return self._delivered(event) or {}
        path = os.path.abspath(str(event["transcript"]))
        session = str(event.get("session", ""))
        position = transcript.Position(self.home, path, session)
        told: Event = {}
        for batch in transcript.batches(path, *position.read()):
            part = {**event, "lines": batch.lines, "first": batch.first}
            delivered = self._delivered(part) if any(batch.lines) else told
            if delivered is None:
                break
            position.write(batch)
            told = delivered
            if "spooled" in told:
                break
        return told

    def _delivered(self, event: Event) -> Event | None:
        """Return what became of a capture; None when there is no room for it anywhere."""
        told = None
        if not self.breaker.is_open:
            told = self._asked(event, self.limits["capture_timeout"])
        if told is not None:
            return told
        if spool.put(self.home, event, self.limits):
            return {"spooled": True}
        self.log("capture: too much waits already")
        return None

    def _asked(self, event: Event, seconds: float) -> Event | None:
        """Return what the service answers; None when it has to be sent again."""
        try:
            answer = self._started(event, seconds)
        except wire.Refused as reason:
            self.log(f"{event['event']}: refused: {reason}")
            return {}
        except (wire.Failed, wire.NotRunning) as reason:
            self.log(f"{event['event']}: {reason}")
            self.breaker.failed()
            return None
        self.breaker.worked()
        return answer

    def _started(self, event: Event, seconds: float) -> Event:
        """Ask a service that runs; start one that does not, and wait as long as is allowed."""
        try:
            return wire.ask(self.home, event, seconds)
        except wire.NotRunning:
            starting.start(self.home)
        deadline = time.monotonic() + self.limits["start_wait"]
        while time.monotonic() < deadline:
            try:
                return wire.ask(self.home, event, seconds)
            except (wire.NotRunning, wire.Failed):
                time.sleep(_POLL)
        raise wire.NotRunning("no service is running; one was started")

    def log(self, line: str) -> None:
        """Leave a line in the log, which never grows beyond its bounds."""
        note(self.home, line)


def main(arguments: list[str] | None = None) -> int:
    """Answer one hook; an agent sees an answer or nothing, and never a failure."""
    home: str | None = None
    try:
        options = _options(sys.argv[1:] if arguments is None else arguments)
        if "help" in options:
            sys.stdout.write(USAGE)
            return 0
        home = files.find(options.get("home"))
        told = run(home, sys.stdin.buffer.read(_LARGEST), options.get("agent"))
        if told:
            sys.stdout.write(json.dumps(told) + "\n")
            sys.stdout.flush()
    except (Exception, KeyboardInterrupt) as error:  # noqa: BLE001 - nothing may reach the agent
        note(home or files.find(), f"{type(error).__name__}: {error}")
    return 0


def run(home: str, raw: bytes, agent: str | None = None) -> Event | None:
    """Return the answer to what an agent has sent; None when there is nothing to say."""
    given = loads(raw)
    event = events.read(given)
    if event is None:
        return None
    if agent:
        event["agent"] = agent
    hook = Hook(home)
    told = hook.capture(event) if event["event"] == "capture" else hook.recall(event)
    return events.answer(given, told)


def note(home: str, line: str) -> None:
    """Leave a line in a home's log, if that is possible at all."""
    path = os.path.join(home, files.LOG)
    try:
        files.private_folder(os.path.dirname(path))
        if os.path.exists(path) and os.path.getsize(path) > _LARGEST_LOG:
            os.replace(path, f"{path}.1")
        number = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        with open(number, "a", encoding="utf-8", errors="replace") as stream:
            stream.write(f"{time.strftime('%Y-%m-%dT%H:%M:%S%z')} {' '.join(line.split())[:500]}\n")
    except OSError:
        return


def _options(arguments: list[str]) -> dict[str, str]:
    """Return the options by name; argparse takes longer to load than all else together."""
    found: dict[str, str] = {}
    rest = list(arguments)
    while rest:
        name, _, value = rest.pop(0).partition("=")
        if name in {"-h", "--help"}:
            found["help"] = "yes"
        elif name in {"--home", "--agent"} and (value or rest):
            found[name[2:]] = value or rest.pop(0)
        else:
            raise ValueError(f"{name} is no option; see --help")
    return found
