"""Files read back from folders, without a store."""

import os
from pathlib import Path
from typing import Any

import pytest

from neomem.capture.reading import Lines, Unreadable, locate, names_a_file, opened, read_lines
from neomem.errors import InputError, NotFound
from tests.unit.test_masking import KEY

LIMITS: dict[str, Any] = {"longest": 1000, "largest": 100_000}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A registered folder, beside one that is not."""
    folder = tmp_path / "notes"
    folder.mkdir()
    (folder / "a.md").write_text("one\ntwo\nthree\n")
    (tmp_path / "outside.md").write_text("not yours\n")
    return folder


def lines(file: Path, start: int = 1, count: int | None = None, **limits: Any) -> Lines:
    return read_lines(file, file, start=start, count=count, **(LIMITS | limits))


@pytest.mark.parametrize(
    ("given", "is_file"),
    [
        ("0198c5d2-7b1e-7c3a", False),
        ("0198c5d2", False),
        ("deadbeef", False),
        ("./deadbeef", True),
        ("notes/a", True),
        ("a.md", True),
        ("abc", False),
        ("", False),
        ("x" * 5000, False),
    ],
)
def test_a_path_is_told_from_an_id(given, is_file):
    assert names_a_file(given) is is_file


def test_a_file_here_needs_no_separator(tmp_path, monkeypatch):
    (tmp_path / "README").write_text("x")
    monkeypatch.chdir(tmp_path)

    assert names_a_file("README")


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_the_lines_asked_for_are_given_however_they_end(tmp_path, end):
    file = tmp_path / "a.md"
    file.write_bytes(end.join(["one", "two", "three", "four", ""]).encode())

    found = lines(file, start=2, count=2)

    assert (found.text, found.line_from, found.line_to, found.more) == ("two\nthree", 2, 3, True)


def test_without_a_number_all_lines_that_follow_are_given(folder):
    found = lines(folder / "a.md", start=2)

    assert (found.text, found.line_to, found.more, found.note) == ("two\nthree", 3, False, None)


@pytest.mark.parametrize(
    ("text", "said"), [("", "0 lines"), ("one", "1 line"), ("one\ntwo\n", "2 lines")]
)
def test_beyond_the_end_there_is_nothing_and_that_is_said(tmp_path, text, said):
    file = tmp_path / "a.md"
    file.write_text(text)

    found = lines(file, start=9)

    assert (found.text, found.line_from, found.line_to, found.more) == ("", 9, 8, False)
    assert found.note == f"the file has {said}"


def test_an_answer_ends_before_the_line_that_is_too_much(tmp_path):
    file = tmp_path / "a.md"
    file.write_text("".join(f"line {n:04}\n" for n in range(1, 501)))

    first = lines(file, longest=95)
    second = lines(file, start=first.line_to + 1, longest=95)

    assert (first.line_to, first.more) == (9, True)
    assert first.text.endswith("line 0009")
    assert second.text.startswith("line 0010\n")


def test_a_line_that_is_too_long_is_cut_and_that_is_said(tmp_path):
    file = tmp_path / "a.md"
    file.write_text("x" * 40_000 + "\nnext\n")

    found = lines(file)

    assert (len(found.text), found.line_to, found.more) == (1000, 1, True)
    assert "cut" in (found.note or "")


def test_lines_from_the_middle_of_a_secret_are_masked(tmp_path):
    file = tmp_path / "a.md"
    file.write_text("word\n" * 10_000 + f"{KEY}\nafter\n")

    inside = lines(file, start=10_005, count=3)
    after = lines(file, start=10_000 + KEY.count("\n") + 2)

    assert "MIIE" not in inside.text
    assert after.text == "after"


@pytest.mark.parametrize(
    ("content", "reason"),
    [(b"\xff\xfe\x00x", "UTF-8"), (b"a\x00b\n", "no text"), (b"x" * 100_001, "larger than 0.1 MB")],
)
def test_what_is_no_text_of_a_bearable_size_is_not_read(tmp_path, content, reason):
    file = tmp_path / "a.md"
    file.write_bytes(content)

    with pytest.raises(Unreadable, match=reason):
        lines(file)


def test_neither_folders_nor_pipes_are_read(tmp_path):
    os.mkfifo(tmp_path / "pipe.md")
    (tmp_path / "folder.md").mkdir()

    for name, reason in (("pipe.md", "no plain file"), ("folder.md", "is a folder")):
        with pytest.raises(Unreadable, match=reason):
            read_lines(tmp_path, tmp_path / name, start=1, count=1, **LIMITS)


def test_paths_are_whole_or_begin_at_the_folder_or_here(folder, tmp_path):
    (folder / "sub").mkdir()
    (folder / "sub" / "b.md").write_text("b")
    file = folder / "a.md"

    assert locate(str(file), [folder], tmp_path) == (folder, file)
    assert locate("a.md", [folder], tmp_path) == (folder, file)
    assert locate("b.md", [folder], folder / "sub") == (folder, folder / "sub" / "b.md")
    assert locate("a.md", [file], tmp_path) == (file, file)


def test_a_relative_path_in_two_folders_is_asked_about(folder, tmp_path):
    other = tmp_path / "other"
    other.mkdir()
    (other / "a.md").write_text("x")

    with pytest.raises(InputError, match="2 registered folders"):
        locate("a.md", [folder, other], tmp_path)


@pytest.mark.parametrize(
    "given",
    [
        "../outside.md",
        "{folder}/../outside.md",
        "{folder}/./../outside.md",
        "{outside}",
        "outside.md",
        "link.md",
        "linked/outside.md",
        ".hidden.md",
        ".git/config",
        "missing.md",
        "a.md/below.md",
        "/etc/passwd",
        "~/.bashrc",
        "~nobody-of-this-name/x",
        "a\0.md",
        " ",
        "x" * 5000 + ".md",
    ],
)
def test_whatever_leads_out_is_refused_as_if_it_were_not_there(folder, tmp_path, given):
    (folder / "link.md").symlink_to(tmp_path / "outside.md")
    (folder / "linked").symlink_to(tmp_path)
    (folder / ".hidden.md").write_text("x")
    path = given.format(folder=folder, outside=tmp_path / "outside.md")

    with pytest.raises(NotFound) as refused:
        read_lines(*locate(path, [folder], tmp_path), start=1, count=1, **LIMITS)

    assert str(refused.value).endswith(": no file in the agent's registered folders")


def test_a_link_inside_the_folder_is_followed(folder, tmp_path):
    (folder / "same.md").symlink_to("a.md")

    assert locate("same.md", [folder], tmp_path) == (folder, folder / "a.md")


def test_a_folder_whose_name_begins_like_another_is_another(folder, tmp_path):
    (tmp_path / "notes-of-others").mkdir()
    (tmp_path / "notes-of-others" / "a.md").write_text("x")

    with pytest.raises(NotFound):
        locate(str(tmp_path / "notes-of-others" / "a.md"), [folder], tmp_path)


def test_a_link_put_there_after_the_look_leads_nowhere(folder, tmp_path):
    (folder / "sub").mkdir()
    (folder / "sub" / "outside.md").write_text("mine")
    places = [locate("sub/outside.md", [folder], tmp_path), locate("a.md", [folder], tmp_path)]
    (folder / "sub").rename(folder / "moved")
    (folder / "sub").symlink_to(tmp_path)
    (folder / "a.md").unlink()
    (folder / "a.md").symlink_to(tmp_path / "outside.md")

    for place in places:
        with pytest.raises(Unreadable), opened(*place):
            pass
