"""The models of a configuration; nothing is loaded, fetched or asked before it is used."""

from neomem.config import Config
from neomem.models import artifacts
from neomem.models.recipes import RECIPES, ModelFiles, files_of, recipe_of
from neomem.ports import Embedder, EntityFinder, LanguageModel


def embedder(config: Config) -> Embedder:
    """Return the configured embedder."""
    settings = config.embedder
    if settings.provider == "openai":
        from neomem.models.openai import OpenAIEmbedder

        return OpenAIEmbedder(settings, config.openai)
    from neomem.models.onnx import OnnxEmbedder
    from neomem.models.token_head import TokenHead

    return OnnxEmbedder(
        settings, recipe_of(settings), lambda: local_files(config), TokenHead.load(settings.model)
    )


def language_model(config: Config) -> LanguageModel | None:
    """Return the configured language model, if there is one."""
    if config.openai.language_model is None:
        return None
    from neomem.models.openai import OpenAILanguageModel

    return OpenAILanguageModel(config.openai)


def entity_finder(config: Config) -> EntityFinder:
    """Return the finder of names for the store's language."""
    from neomem.models.spacy import SpacyFinder

    return SpacyFinder.open(config.language, config.entities.pipeline)


def locked_names(config: Config) -> tuple[str, ...]:
    """Return what is to be fetched for the embedder; nothing when it is somebody else's."""
    settings = config.embedder
    ours = settings.provider == "local" and settings.model in RECIPES
    return (settings.model,) if ours else ()


def local_files(config: Config) -> ModelFiles:
    """Return the embedder's files, fetched if they are not there yet."""
    artifacts.install(locked_names(config), config.cache, config.artifacts)
    return files_of(config.embedder.model, config.cache)
