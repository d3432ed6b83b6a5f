"""The settings file itself: planned first, then written whole or not at all, its former self kept.

The copy of what stood there before is named after what was written, so that it is found again
only while nobody has changed the file since.
"""

import hashlib
import os
import re
import shlex
import shutil
import sysconfig
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib import resources
from pathlib import Path

from neomem.errors import InputError
from neomem.install import needs
from neomem.install.needs import Agent, Commands

DEFAULTS: dict[Agent, Path] = {
    "claude-code": Path("~/.claude/settings.json"),
    "openclaw": Path("~/.openclaw/openclaw.json"),
    "mcp": Path(".mcp.json"),
}
_PRIVATE = 0o600
_ABSENT = "-absent"


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """A change to a settings file; None stands for a file that is not there."""

    file: Path
    before: bytes | None
    after: bytes | None
    keep: Path | None = None
    """Where what stood there without neomem is copied to."""
    kept: bytes = b""
    spent: Path | None = None
    """A copy that is needed no more."""
    left: Path | None = None
    """A copy of what the file was before others changed it; for people to delete."""

    @property
    def changes(self) -> bool:
        """Whether there is anything to do."""
        return self.before != self.after


def plan(agent: Agent, file: Path, commands: Commands, *, uninstall: bool = False) -> Plan:
    """Look at a settings file and say what would become of it."""
    file = file.expanduser().resolve()
    before, copies = _read(file), _copies(agent, file)
    exact = next((each for each in copies if _mark(before) in each.name), None)
    if exact:
        clean = _former(exact)
    else:
        clean = _cleaned(agent, file, before, copies) if copies or uninstall else before
    if uninstall:
        last = copies[-1] if copies and not exact else None
        told = last and last.name.endswith(_ABSENT)  # that there was nothing: no use to anybody
        return Plan(
            file=file,
            before=before,
            after=clean,
            spent=last if told else exact,
            left=None if told else last,
        )
    without = _edited(file, lambda text: needs.remove(text, agent), clean or b"")
    after = _edited(file, lambda text: needs.add(text, agent, commands), without)
    if after == before:
        return Plan(file=file, before=before, after=before)
    name = f"{file.name}.before-neomem-{agent}-{_mark(after)}{_ABSENT if clean is None else ''}"
    keep = file.with_name(name)
    return Plan(file=file, before=before, after=after, keep=keep, kept=clean or b"", spent=exact)


def carry_out(change: Plan) -> None:
    """Write what was planned, unless the file has changed since it was looked at."""
    file = change.file
    try:
        if _read(file) != change.before:
            raise InputError(
                f"{file} has just been changed by another program", hint="run it again"
            )
        mode = file.stat().st_mode & 0o777 if change.before is not None else _PRIVATE
        file.parent.mkdir(parents=True, exist_ok=True)
        if change.keep:
            _write(change.keep, change.kept, mode)
        if change.after is None:
            file.unlink(missing_ok=True)
        else:
            _write(file, change.after, mode)
        if change.spent and change.spent != change.keep:
            change.spent.unlink(missing_ok=True)
    except OSError as error:
        raise InputError(
            f"cannot write {file}: {error.strerror}", hint="--file names another"
        ) from error


def commands() -> Commands:
    """Find neomem's own commands; one that others would not find by its name has its path."""
    hook = _command("neomem-hook")
    return Commands(
        neomem=_command("neomem"), hook=shlex.quote(hook), hook_file=hook, plugin=str(_plugin())
    )


def _command(name: str) -> str:
    own, found = Path(sysconfig.get_path("scripts")) / name, shutil.which(name)
    if not own.exists() or (found and Path(found).exists() and own.samefile(found)):
        return name
    return str(own)


def _plugin() -> Path:
    """Return the installed copy of the plugin if there is one, else the checkout's."""
    with resources.as_file(resources.files("neomem") / "integrations") as installed:
        root = installed if installed.is_dir() else Path(__file__).parents[2] / "integrations"
    return root / "openclaw"


def _mark(written: bytes | None) -> str:
    return hashlib.sha256(written or b"").hexdigest()[:12]


def _copies(agent: Agent, file: Path) -> list[Path]:
    """Return the copies there are, the newest last."""
    name = re.escape(f"{file.name}.before-neomem-{agent}-") + f"[0-9a-f]{{12}}(?:{_ABSENT})?"
    found = file.parent.iterdir() if file.parent.is_dir() else ()
    return sorted((each for each in found if re.fullmatch(name, each.name)), key=_age)


def _former(copy: Path) -> bytes | None:
    return None if copy.name.endswith(_ABSENT) else _read(copy)


def _cleaned(
    agent: Agent, file: Path, before: bytes | None, copies: Sequence[Path]
) -> bytes | None:
    """Return the settings without what neomem added, and no file where there was none at first."""
    if before is None:
        return None
    original = _former(copies[-1]) if copies else before
    text = original.decode(errors="replace") if original and copies else None
    clean = _edited(file, lambda given: needs.remove(given, agent, text), before)
    return None if original is None and not clean.strip(b"{} \t\r\n") else clean


def _edited(file: Path, edit: Callable[[str], str], content: bytes) -> bytes:
    try:
        return edit(content.decode()).encode()
    except UnicodeDecodeError as error:
        raise InputError(f"{file} is not UTF-8 text", hint="nothing was changed") from error
    except InputError as error:
        raise InputError(
            f"{file}, {error}", hint="nothing was changed; mend the file, or name another by --file"
        ) from error


def _age(file: Path) -> float:
    return file.stat().st_mtime


def _read(file: Path) -> bytes | None:
    try:
        return file.read_bytes()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise InputError(
            f"cannot read {file}: {error.strerror}", hint="--file names another"
        ) from error


def _write(file: Path, content: bytes, mode: int) -> None:
    """Write all of it or nothing."""
    draft = file.with_name(f".{file.name}.{os.getpid()}")
    descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, _PRIVATE)
    with os.fdopen(descriptor, "wb") as stream:
        stream.write(content)
        stream.flush()
        os.fsync(stream.fileno())
    draft.chmod(mode)
    draft.replace(file)
