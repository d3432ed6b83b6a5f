"""The models a configuration asks for."""

import asyncio
import socket

import pytest
from pydantic import SecretStr

from neomem.config import Config
from neomem.errors import ModelUnavailable
from neomem.models import choose
from neomem.models.onnx import OnnxEmbedder
from neomem.models.openai import OpenAIEmbedder, OpenAILanguageModel
from neomem.ports import Embedder, EntityFinder, LanguageModel
from neomem.sections import EmbedderSettings, OpenAISettings
from neomem.testing import FakeEmbedder, FakeLanguageModel

KEY = SecretStr("not-a-key")


async def test_the_default_embedder_is_local():
    embedder: Embedder = choose.embedder(Config())

    assert isinstance(embedder, OnnxEmbedder)
    assert (embedder.model, embedder.dimensions) == ("e5-small-v2", 384)
    await embedder.close()


async def test_an_endpoint_is_used_when_configured():
    config = Config(
        embedder=EmbedderSettings(provider="openai", model="m"), openai=OpenAISettings(api_key=KEY)
    )

    embedder: Embedder = choose.embedder(config)

    assert isinstance(embedder, OpenAIEmbedder)
    await embedder.close()


async def test_no_language_model_is_asked_unless_configured():
    assert choose.language_model(Config()) is None

    model: LanguageModel | None = choose.language_model(
        Config(openai=OpenAISettings(api_key=KEY, language_model="m"))
    )

    assert isinstance(model, OpenAILanguageModel)
    await model.close()


def test_the_fakes_are_what_is_asked_for():
    embedder: Embedder = FakeEmbedder()
    model: LanguageModel = FakeLanguageModel()
    finder: EntityFinder = choose.entity_finder(Config())

    assert (embedder.model, model.model) == ("fake", "fake")
    assert finder.find("Then Ada left.")[0].name == "Ada"


@pytest.mark.parametrize("host", ["203.0.113.1", "models.example.org"])
async def test_no_test_reaches_a_model_beyond_this_machine(host):
    settings = OpenAISettings(base_url=f"https://{host}/v1", attempts=1, timeout=5)
    embedder = OpenAIEmbedder(EmbedderSettings(provider="openai", model="m"), settings)

    with pytest.raises(ModelUnavailable):
        await embedder.embed_question("Is anybody there?")
    with pytest.raises(OSError, match="tests do not"):
        await asyncio.get_running_loop().run_in_executor(
            None, socket.create_connection, (host, 443)
        )
    await embedder.close()
