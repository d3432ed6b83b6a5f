"""The local embedder with real models: the published recipe, context, limits, broken files."""

import asyncio
import os
import shutil
from pathlib import Path

import numpy as np
import onnxruntime
import pytest
from tokenizers import Tokenizer

from neomem.config import Config
from neomem.errors import ModelError
from neomem.models import artifacts, choose, eight_bits, onnx, recipes
from neomem.models.onnx import OnnxEmbedder
from neomem.models.recipes import RECIPES, ModelFiles, recipe_of
from neomem.ports import Embedding, Passage
from neomem.sections import ArtifactSettings, EmbedderSettings
from tests.conftest import CACHE

TEXTS = [
    "Ada moved to Lisbon in May.",
    "I love hiking in the mountains with my dog.",
    "The deployment failed because the certificate had expired. " * 12,
    "ok",
    "Katzen schlafen gern in der Sonne.",
    "東京へ行きました。",
    "مرحبا بالعالم",
    "🙂🙂",
]
QUICK = ["e5-small-v2", "e5-small-v2-q", "bge-small-en-v1.5-q", "all-MiniLM-L6-v2-q"]


def an_embedder(**settings) -> OnnxEmbedder:
    config = Config(cache=CACHE, embedder=EmbedderSettings(**settings))
    embedder = choose.embedder(config)
    assert isinstance(embedder, OnnxEmbedder)
    return embedder


@pytest.fixture(scope="session")
async def embedder(cache):
    """The default one, loaded once."""
    default = an_embedder()
    yield default
    await default.close()


def published(model: str, files: ModelFiles, texts: list[str]) -> np.ndarray:
    """Vectors as the model's makers say they are made, one text at a time."""
    recipe = RECIPES[model]
    tokenizer = Tokenizer.from_file(str(files.tokenizer))
    tokenizer.no_padding()
    tokenizer.enable_truncation(recipe.max_tokens)
    session = onnxruntime.InferenceSession(files.onnx, providers=["CPUExecutionProvider"])
    vectors = []
    for text in texts:
        encoding = tokenizer.encode(text)
        feed = {
            "input_ids": np.array([encoding.ids]),
            "attention_mask": np.array([encoding.attention_mask]),
            "token_type_ids": np.array([encoding.type_ids]),
        }
        hidden = np.asarray(session.run(None, feed)[0])[0]
        vector = hidden[0] if recipe.pooling == "first" else hidden.mean(axis=0)
        vectors.append(vector / np.linalg.norm(vector))
    return np.array(vectors)


@pytest.fixture(scope="session")
def quick_models():
    """Fetch the smaller models; tests themselves have no network."""
    artifacts.install(QUICK, CACHE, ArtifactSettings())


@pytest.fixture(scope="session")
def all_models():
    """Fetch every model."""
    artifacts.install(list(RECIPES), CACHE, ArtifactSettings())


@pytest.mark.parametrize("model", QUICK)
async def test_cosines_are_those_of_the_published_recipe(model, quick_models):
    await follows_its_recipe(model)


@pytest.mark.slow
@pytest.mark.parametrize("model", [model for model in RECIPES if model not in QUICK])
async def test_cosines_are_those_of_the_published_recipe_for_the_large_ones_too(model, all_models):
    await follows_its_recipe(model)


async def follows_its_recipe(model: str) -> None:
    embedder = an_embedder(model=model)
    recipe, files = RECIPES[model], choose.local_files(embedder_config(model))
    question = "Where does Ada live?"
    texts = [recipe.question_prefix + question, *(recipe.passage_prefix + text for text in TEXTS)]

    asked = await embedder.embed_question(question)
    found = await embedder.embed_passages([Passage(text) for text in TEXTS])
    await embedder.close()

    question, *passages = published(model, files, texts)
    expected = np.stack(passages)
    vectors = np.stack([each.vector for each in found])
    assert vectors.dtype == asked.vector.dtype == np.float32
    assert np.abs(np.linalg.norm([asked.vector, *vectors], axis=1) - 1).max() < 1e-6
    assert np.abs(expected @ expected.T - vectors @ vectors.T).max() < 1e-4
    assert np.abs(expected - vectors).max() < 1e-4
    if recipe.eight_bits:
        assert 0.9995 < asked.vector @ question < 1 - 1e-5
        assert np.abs(expected @ question - vectors @ asked.vector).max() < 0.005
    else:
        assert np.abs(question - asked.vector).max() < 1e-4


def embedder_config(model: str) -> Config:
    return Config(cache=CACHE, embedder=EmbedderSettings(model=model))


async def test_what_is_alike_is_nearer(embedder):
    question = await embedder.embed_question("Which city did Ada move to?")
    near, far = await embedder.embed_passages([Passage(text) for text in TEXTS[:2]])

    assert question.vector @ near.vector > question.vector @ far.vector + 0.05


async def test_context_changes_what_a_text_means_and_is_no_part_of_it(embedder):
    bare, about_dogs, about_bread = await embedder.embed_passages(
        [
            Passage("He eats them every day."),
            Passage("He eats them every day.", context="Ann: Does your dog like carrots?"),
            Passage("He eats them every day.", context="Ann: Does Tom buy those bread rolls?"),
        ]
    )
    asked = await embedder.embed_question("What does the dog like to eat?")

    assert asked.vector @ about_dogs.vector > asked.vector @ bare.vector
    assert asked.vector @ about_dogs.vector > asked.vector @ about_bread.vector


async def test_a_text_is_the_same_in_any_company(embedder):
    alone = [(await embedder.embed_passages([Passage(text)]))[0] for text in TEXTS]
    together = await embedder.embed_passages([Passage(text) for text in TEXTS])

    for one, other in zip(alone, together, strict=True):
        assert np.abs(one.vector - other.vector).max() < 1e-5


async def test_a_long_text_is_cut_and_says_so(embedder):
    long, short = await embedder.embed_passages([Passage("word " * 20_000), Passage("word")])

    assert 90_000 < long.cut < 100_000
    assert short.cut == 0


@pytest.mark.parametrize(
    "text",
    ["", " ", "\0", "\ud800", "\ud83d\ude00", "🙂" * 50, "שלום עולם", "あ" * 5000, "x" * 100_000],
)
async def test_any_text_has_a_vector_of_unit_length(embedder, text):
    found = await embedder.embed_passages([Passage(text), Passage(text, context=text or "before")])
    asked = await embedder.embed_question(text)

    for each in (*found, asked):
        assert np.linalg.norm(each.vector) == pytest.approx(1, abs=1e-5)


async def test_nothing_to_embed_is_nothing(embedder):
    assert await embedder.embed_passages([]) == []


async def test_names_come_with_the_vector(embedder):
    text = "Last week Caroline and her sister flew to Lisbon."

    (found,) = await embedder.embed_passages([Passage(text, context="Ann: Where is Tom?")])

    assert [(text[n.start : n.end], n.type) for n in found.names or ()] == [
        ("Caroline", "person"),
        ("Lisbon", "place"),
    ]


async def test_a_question_asked_again_is_remembered(embedder):
    first, again = await asyncio.gather(*(embedder.embed_question("Who is Ada?") for _ in "12"))

    assert first is again
    assert (await embedder.embed_question("Who is Ada?")) is first


async def test_questions_that_wait_are_read_together_and_answered_each_by_its_own(monkeypatch):
    embedder = an_embedder(cached_questions=0)
    questions = [*TEXTS, *(f"Where is boat {number}?" for number in range(8))]
    alone = [await embedder.embed_question(text) for text in questions]
    runs = []
    run = onnx._Network.run
    monkeypatch.setattr(onnx._Network, "run", lambda net, batch: runs.append(0) or run(net, batch))

    together = await asyncio.gather(*map(embedder.embed_question, questions))

    assert len(runs) < len(questions) / 2
    for one, other in zip(alone, together, strict=True):
        assert np.abs(one.vector - other.vector).max() < 1e-5
    await embedder.close()


async def test_a_question_nobody_waits_for_any_more_takes_no_other_along(embedder):
    asked = [asyncio.create_task(embedder.embed_question(f"Is it {day}?")) for day in range(9)]
    await asyncio.sleep(0)
    asked[4].cancel()

    done = await asyncio.gather(*asked, return_exceptions=True)

    assert [at for at, each in enumerate(done) if not isinstance(each, Embedding)] == [4]


async def test_questions_that_wait_when_the_embedder_is_closed_are_told():
    embedder = an_embedder()
    await embedder.embed_question("Is it loaded?")
    asked = [asyncio.create_task(embedder.embed_question(f"Is it {day}?")) for day in range(9)]
    await asyncio.sleep(0.001)
    await embedder.close()

    done = await asyncio.wait_for(asyncio.gather(*asked, return_exceptions=True), 30)

    assert all(isinstance(each, Embedding | asyncio.CancelledError) for each in done)


async def test_the_loop_goes_on_while_a_text_is_embedded(embedder):
    ticks = 0
    work = asyncio.create_task(embedder.embed_passages([Passage(TEXTS[2])] * 8))
    while not work.done():
        await asyncio.sleep(0)
        ticks += 1

    assert ticks > 10


async def test_a_question_does_not_wait_behind_many_passages(embedder):
    bulk = asyncio.create_task(embedder.embed_passages([Passage(TEXTS[2])] * 60))
    await asyncio.sleep(0.05)

    await embedder.embed_question("Is anybody there?")

    assert not bulk.done()
    await bulk


async def test_work_that_is_cancelled_leaves_the_embedder_fit(embedder):
    bulk = asyncio.create_task(embedder.embed_passages([Passage(TEXTS[2])] * 60))
    await asyncio.sleep(0.05)
    bulk.cancel()

    with pytest.raises(asyncio.CancelledError):
        await bulk
    assert (await embedder.embed_question("Still there?")).vector.shape == (384,)


# ---- folders of one's own ------------------------------------------------------------------------


@pytest.fixture
def folder(cache: Path, tmp_path: Path) -> Path:
    """A model folder such as users have, made of the default model's files."""
    files = recipes.files_of("e5-small-v2", cache)
    (tmp_path / "model.onnx").symlink_to(files.onnx)
    shutil.copy(files.tokenizer, tmp_path / "tokenizer.json")
    return tmp_path


async def test_a_folder_with_its_recipe_in_the_settings_is_the_same_model(folder, embedder):
    mine = an_embedder(model=str(folder), question_prefix="query: ", passage_prefix="passage: ")

    asked = await mine.embed_question("Where does Ada live?")
    (found,) = await mine.embed_passages([Passage("Ada lives in Lisbon.")])
    await mine.close()

    (expected,) = await embedder.embed_passages([Passage("Ada lives in Lisbon.")])
    assert np.abs(found.vector - expected.vector).max() < 1e-5
    assert found.names is None
    files = choose.local_files(embedder_config("e5-small-v2"))
    (question,) = published("e5-small-v2", files, ["query: Where does Ada live?"])
    assert np.abs(asked.vector - question).max() < 1e-5


# ---- weights of eight bits -----------------------------------------------------------------------


def test_a_packed_matrix_is_what_it_was_but_for_half_a_step():
    weights = np.random.default_rng(3).normal(size=(150, 7)).astype(np.float32)
    weights[:64, 3] = 0

    numbers, scales = eight_bits.packed(weights)

    steps = np.repeat(scales, 64, axis=1)[:, :150].T
    again = (numbers.reshape(7, -1)[:, :150].T.astype(np.float32) - 128) * steps
    assert numbers.dtype == np.uint8
    assert numbers.shape == (7, 3, 64)
    assert (np.abs(again - weights) <= steps / 2 + 1e-7).all()


def test_the_light_model_is_made_once_and_anew_when_the_model_is(cache, tmp_path):
    model = tmp_path / "model.onnx"
    shutil.copy(recipes.files_of("e5-small-v2", cache).onnx, model)

    light = eight_bits.beside(model)
    made = light.stat().st_mtime_ns
    again = eight_bits.beside(model).stat().st_mtime_ns
    os.utime(model, ns=(made + 1, made + 1))
    anew = eight_bits.beside(model).stat().st_mtime_ns

    assert light.stat().st_size < 0.6 * model.stat().st_size
    assert made == again < anew
    assert {each.name for each in tmp_path.iterdir()} == {"model.onnx", "model-8.onnx"}


def test_where_nothing_can_be_written_questions_are_read_with_full_weights(folder, monkeypatch):
    def full(*_args, **_more):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("tempfile.mkstemp", full)

    assert eight_bits.beside(folder / "model.onnx") == folder / "model.onnx"


async def test_a_model_of_ours_that_is_broken_is_named(tmp_path):
    (tmp_path / "model.onnx").write_bytes(b"no network")
    files = ModelFiles(tmp_path / "model.onnx", tmp_path / "tokenizer.json")
    settings = EmbedderSettings()
    broken = OnnxEmbedder(settings, recipe_of(settings), lambda: files)

    with pytest.raises(ModelError, match=r"model\.onnx"):
        await broken.embed_question("Ada")
    await broken.close()


async def test_another_dimension_is_refused_with_the_right_one(folder):
    mine = an_embedder(model=str(folder), dimensions=768)

    with pytest.raises(ModelError) as caught:
        await mine.embed_passages([Passage("Ada")])

    assert "384" in str(caught.value)
    assert "embedder.dimensions to 384" in (caught.value.hint or "")
    await mine.close()


async def test_more_tokens_than_the_model_has_places_for_is_a_clear_error(folder):
    mine = an_embedder(model=str(folder), max_tokens=2000)

    with pytest.raises(ModelError, match="cannot be run"):
        await mine.embed_passages([Passage("word " * 1500)])
    await mine.close()


@pytest.mark.parametrize(
    ("file", "content"),
    [("model.onnx", b"no network"), ("model.onnx", b""), ("tokenizer.json", b"{}")],
)
async def test_a_wrong_file_is_named(folder, file, content):
    (folder / file).unlink()
    (folder / file).write_bytes(content)
    mine = an_embedder(model=str(folder))

    with pytest.raises(ModelError, match=file):
        await mine.embed_question("Ada")
    await mine.close()


def test_a_network_of_another_kind_is_refused():
    from neomem.models.onnx import _token_vectors

    class Port:
        def __init__(self, name, shape):
            self.name, self.shape = name, shape

    class Classifier:
        def get_inputs(self):
            return [Port("input_ids", [1, "length"])]

        def get_outputs(self):
            return [Port("logits", [1, 2])]

    class Vision(Classifier):
        def get_inputs(self):
            return [Port("pixel_values", [1, 3, 224, 224])]

    files = ModelFiles(Path("model.onnx"), Path("tokenizer.json"))
    with pytest.raises(ModelError, match="gives no vector per token"):
        _token_vectors(Classifier(), files)  # type: ignore[arg-type]
    with pytest.raises(ModelError, match="asks for pixel_values"):
        _token_vectors(Vision(), files)  # type: ignore[arg-type]


def test_settings_may_bound_the_threads():
    settings = EmbedderSettings(threads=1)
    embedder = OnnxEmbedder(settings, recipe_of(settings), lambda: ModelFiles(Path(), Path()))

    assert embedder._threads == 1
