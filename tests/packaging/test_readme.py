"""What the README shows runs as it is written."""

import re
import subprocess
import sys
from pathlib import Path

from tests.conftest import environment

README = Path(__file__).parents[2] / "README.md"


def test_the_python_in_the_readme_runs(private_config):
    (example,) = re.findall(r"```python\n(.*?)```", README.read_text(encoding="utf-8"), re.DOTALL)

    result = subprocess.run(
        [sys.executable, "-c", example],
        env=environment(private_config),
        capture_output=True,
        text=True,
        check=False,
        timeout=180,
    )

    assert result.returncode == 0, result.stderr
    assert result.stdout == "stored ('Ada', 'Lisbon')\nAda moved to Lisbon in May.\n"


def test_the_commands_in_the_readme_exist():
    text = README.read_text(encoding="utf-8")
    makefile = (README.parent / "Makefile").read_text(encoding="utf-8")

    for target in re.findall(r"^make (\S+)", text, re.MULTILINE):
        assert f"\n{target}: " in makefile
