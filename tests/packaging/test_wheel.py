"""The package as a user gets it: from a wheel, and from a wheel built from the source archive."""

import subprocess
import sys
import tarfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]

LOOK = """
import neomem, sleep_cycle
from neomem.models import artifacts
from neomem.store import queries, migrate, health
from neomem.cli import main
from neomem.install import files
print(neomem.__file__)
print(queries._file("store/components.cypher"))
print(len(queries.migrations()), len(artifacts.lock()["neo4j"]))
print(*sorted(file.name for file in files.Path(files.commands().plugin).iterdir()))
main(["--help"])
"""


def build(kind: str, source: Path, target: Path) -> Path:
    subprocess.run(
        [sys.executable, "-m", "build", "--no-isolation", f"--{kind}", "-o", target, source],
        check=True,
        capture_output=True,
    )
    (built,) = target.iterdir()
    return built


@pytest.mark.parametrize("by_way_of_the_sdist", [False, True])
def test_the_wheel_holds_everything(tmp_path, by_way_of_the_sdist):
    source = ROOT
    if by_way_of_the_sdist:
        archive = build("sdist", ROOT, tmp_path / "sdist")
        with tarfile.open(archive) as tar:
            tar.extractall(tmp_path / "source", filter="data")
        (source,) = (tmp_path / "source").iterdir()
    wheel = build("wheel", source, tmp_path / "wheel")
    installed = tmp_path / "installed"
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-index"]
    subprocess.run([*pip, "--target", installed, wheel], check=True)

    seen = subprocess.run(
        [sys.executable, "-c", LOOK],
        cwd=tmp_path,
        env={"PYTHONPATH": str(installed), "PATH": "/usr/bin:/bin"},
        capture_output=True,
        text=True,
        check=True,
    ).stdout.splitlines()

    assert seen[0] == str(installed / "neomem" / "__init__.py")
    assert seen[1] == str(installed / "neomem" / "cypher" / "store" / "components.cypher")
    assert [int(n) > 0 for n in seen[2].split()] == [True, True]
    assert seen[3].split() == ["hook.ts", "index.ts", "openclaw.plugin.json", "package.json"]
    assert seen[4].startswith("Usage:")
