"""OpenAI-compatible endpoints: embeddings and answers, with retries.

No key, text or body of an answer goes into a message or a log; bodies are only looked at.
"""

import asyncio
import json
import logging
import math
import re
import time
from collections.abc import Awaitable, Callable, Generator, Sequence
from contextlib import contextmanager
from email.utils import parsedate_to_datetime
from functools import partial
from typing import TYPE_CHECKING, Protocol
from urllib.parse import urlsplit

import numpy as np
import openai
import tenacity
from pydantic import BaseModel

from neomem.config import redact, variable
from neomem.errors import ConfigError, ModelUnavailable
from neomem.models import answers, outgoing, prompts
from neomem.models.question_cache import QuestionCache
from neomem.ports import Answer, Embedding, Passage, Usage, Vector
from neomem.sections import EmbedderSettings, OpenAISettings, is_loopback
from neomem.text import clean

if TYPE_CHECKING:
    from httpx2 import AsyncBaseTransport

log = logging.getLogger(__name__)

Sleep = Callable[[float], Awaitable[None]]

_OPENAI = "https://api.openai.com/v1"
_MAY_PASS = {408, 409, 429}
# What some servers or models do not know, and how their refusal reads.
_OPTIONAL = {
    "response_format": r"response_format|json_schema",
    "temperature": r"temperature",
    "logprobs": r"logprobs|log_probs|log probabilities",
}
_BACKOFF = tenacity.wait_exponential(multiplier=0.5, max=20) + tenacity.wait_random(0, 0.5)


class _Raw(Protocol):
    """A response whose body nobody has interpreted."""

    @property
    def content(self) -> bytes: ...


class _Endpoint:
    """One model at one address: so many requests at a time, each tried again when that may help."""

    def __init__(
        self,
        settings: OpenAISettings,
        model: str,
        transport: "AsyncBaseTransport | None",
        sleep: Sleep,
    ) -> None:
        url = settings.base_url or _OPENAI
        self.model = model
        self.name = f"{model} at {redact(url)}"
        self._settings = settings
        self._sleep = sleep
        self._free = asyncio.Semaphore(settings.concurrency)
        self.client = openai.AsyncOpenAI(
            api_key=_key(settings),
            base_url=url,
            max_retries=0,
            timeout=settings.timeout,
            http_client=openai.DefaultAsyncHttpxClient(
                transport=transport,
                timeout=settings.timeout,
                # Texts go where the settings say: to no proxy on the way to this machine,
                # and nowhere else because an answer says so.
                trust_env=not is_loopback(urlsplit(url).hostname or ""),
                follow_redirects=False,
            ),
        )
        # The client reads these from the environment; ours are read in one place.
        self.client.organization = self.client.project = None

    async def send(self, request: Callable[[], Awaitable[_Raw]]) -> bytes:
        """Return the body of the answer.

        A new try begins within `retry_time`; the one under way then has its own `timeout`.
        """
        retrying = tenacity.AsyncRetrying(
            sleep=self._sleep,
            retry=tenacity.retry_if_exception(_may_pass),
            wait=_wait,
            stop=tenacity.stop_after_attempt(self._settings.attempts)
            | tenacity.stop_before_delay(self._settings.retry_time),
            before_sleep=self._log,
            reraise=True,
        )

        async def once() -> bytes:
            # The client's own limit is per chunk: an endpoint that trickles would never end.
            async with asyncio.timeout(self._settings.timeout):
                return (await request()).content

        async with self._free:
            with self._translated(retrying):
                body: bytes = await retrying(once)
        return body

    def _log(self, state: tenacity.RetryCallState) -> None:
        error = state.outcome and state.outcome.exception()
        status = getattr(error, "status_code", None)
        log.info(
            "%s: %s; trying again in %.1f s",
            self.name,
            f"status {status}" if status else type(error).__name__,
            state.upcoming_sleep,
            extra={"attempt": state.attempt_number},
        )

    @contextmanager
    def _translated(self, retrying: tenacity.AsyncRetrying) -> Generator[None]:
        try:
            yield
        except (TimeoutError, openai.APITimeoutError) as error:
            raise ModelUnavailable(
                f"{self.name} did not answer within {self._settings.timeout:g} s{_tries(retrying)}",
                hint="is it still loading, or busy? otherwise raise openai.timeout, "
                "or lower openai.batch",
            ) from error
        except openai.APIConnectionError as error:
            raise ModelUnavailable(
                f"{self.name} cannot be reached{_tries(retrying)}",
                hint="is the server running? check openai.base_url",
            ) from error
        except openai.APIStatusError as error:  # its text repeats the body: not passed on
            raise self._refusal(error, _tries(retrying)) from None
        except openai.OpenAIError as error:
            raise ModelUnavailable(
                f"{self.name} could not be asked: {type(error).__name__}",
                hint="check the openai section of the settings",
            ) from None

    def _refusal(self, error: openai.APIStatusError, tries: str) -> ModelUnavailable:
        what, hint = "failed", "see the server's log, and check openai.base_url"
        match error.status_code:
            case 401 | 403:
                what, hint = "refused the key", f"check {variable('openai.api_key')}"
            case 404:
                what = "is not there"
                hint = (
                    "check the model's name and openai.base_url (it often ends in /v1); "
                    f"with Ollama: `ollama pull {self.model}`"
                )
            case 429 if _is_quota(error):
                what, hint = "has no quota left for this key", "check the account's billing"
            case 429:
                what, hint = "has had too many requests", "wait, or lower openai.concurrency"
            case 400 | 413 | 422:
                what = "refused the request"
                hint = (
                    "is it a model for this use? if a text may have been too long for it, "
                    "set embedder.max_tokens, or give shorter texts"
                )
            case _:
                pass
        return ModelUnavailable(
            f"{self.name} {what} (status {error.status_code}){tries}", hint=hint
        )


class OpenAIEmbedder:
    """Embeddings from an endpoint; it gives one vector per text, so context is not read."""

    reads_context = False

    def __init__(
        self,
        settings: EmbedderSettings,
        endpoint: OpenAISettings,
        *,
        transport: "AsyncBaseTransport | None" = None,
        sleep: Sleep = asyncio.sleep,
    ) -> None:
        self.model = settings.model
        self.dimensions = settings.dimensions
        self.floor = settings.floor or 0.0
        self._question_prefix = settings.question_prefix or ""
        self._passage_prefix = settings.passage_prefix or ""
        self._max_tokens = settings.max_tokens or outgoing.MAX_TOKENS
        self._batch, self._concurrency = endpoint.batch, endpoint.concurrency
        self._endpoint = _Endpoint(endpoint, settings.model, transport, sleep)
        self._questions = QuestionCache(settings.cached_questions)

    async def embed_question(self, text: str) -> Embedding:
        """Return the vector of a question, which may be remembered from before."""
        return await self._questions.get(text, self._embed_question)

    async def _embed_question(self, text: str) -> Embedding:
        return (await self._embed([self._question_prefix + text]))[0]

    async def embed_passages(self, passages: Sequence[Passage]) -> list[Embedding]:
        """Return the vectors of passages, in their order; all of them, or an error."""
        return await self._embed([self._passage_prefix + passage.text for passage in passages])

    async def close(self) -> None:
        """Give back the connections."""
        await self._endpoint.client.close()

    async def _embed(self, texts: Sequence[str]) -> list[Embedding]:
        whole = [outgoing.embeddable(text) for text in texts]
        sent = [outgoing.cut(text, self._max_tokens) for text in whole]
        vectors = np.empty((len(sent), self.dimensions), dtype=np.float32)
        batches = outgoing.batches(sent, self._batch)

        async def work() -> None:
            # Each worker takes the next batch when it is free, so a question waits for one only.
            for batch in batches:
                vectors[batch] = await self._request(sent[batch])

        try:
            async with asyncio.TaskGroup() as group:
                for _ in range(self._concurrency):
                    group.create_task(work())
        except ExceptionGroup as failed:
            first = failed.exceptions[0]
            raise first from first.__cause__
        return [
            Embedding(vector, cut=len(text) - len(kept))
            for vector, text, kept in zip(vectors, whole, sent, strict=True)
        ]

    async def _request(self, texts: list[str]) -> Vector:
        # Only these models can shorten their vectors; other servers may refuse the very word.
        shortens = self.model.startswith("text-embedding-3")
        embeddings = self._endpoint.client.embeddings.with_raw_response
        body = await self._endpoint.send(
            lambda: embeddings.create(
                model=self.model,
                input=texts,
                encoding_format="float",
                dimensions=self.dimensions if shortens else openai.omit,
            )
        )
        found = answers.validate(answers.Vectors, body, self._endpoint.name)
        return answers.unit_vectors(found, len(texts), self.dimensions, self._endpoint.name)


class OpenAILanguageModel:
    """Answers from an endpoint, in the shape asked for."""

    def __init__(
        self,
        settings: OpenAISettings,
        *,
        transport: "AsyncBaseTransport | None" = None,
        sleep: Sleep = asyncio.sleep,
    ) -> None:
        if settings.language_model is None:
            raise ConfigError("openai.language_model: no model is set that could answer")
        self.model = settings.language_model
        self.usage = Usage()
        self._endpoint = _Endpoint(settings, self.model, transport, sleep)
        self._refused: frozenset[str] = frozenset()

    async def ask(self, instructions: str, data: str, shape: type[Answer]) -> Answer:
        """Follow the instructions on the data; ModelAnswerInvalid when the shape is missed."""
        completion = await self._completion(instructions, data, shape, weighed=False)
        return self._read(shape, completion)

    async def ask_sure(
        self, instructions: str, data: str, shape: type[Answer]
    ) -> tuple[Answer, float | None]:
        """Ask, and tell how likely the model found its words, if the server says so."""
        completion = await self._completion(instructions, data, shape, weighed=True)
        return self._read(shape, completion), answers.likelihood(completion)

    def _read(self, shape: type[Answer], completion: answers.Completion) -> Answer:
        name = self._endpoint.name
        return answers.validate(shape, answers.json_in(completion, name), name)

    async def _completion(
        self, instructions: str, data: str, shape: type[BaseModel], *, weighed: bool
    ) -> answers.Completion:
        send = partial(self._request, instructions, data, shape, weighed=weighed)
        body = await self._endpoint.send(send)
        completion = answers.validate(answers.Completion, body, self._endpoint.name)
        if spent := completion.usage:
            self.usage += Usage(spent.prompt_tokens or 0, spent.completion_tokens or 0)
        return completion

    async def close(self) -> None:
        """Give back the connections."""
        await self._endpoint.client.close()

    async def _request(
        self, instructions: str, data: str, shape: type[BaseModel], *, weighed: bool
    ) -> _Raw:
        """Ask, leaving out from then on what this server does not know."""
        without = self._refused
        schema = answers.strict_schema(shape)
        told = json.dumps(schema) if "response_format" in without else None
        try:
            return await self._endpoint.client.chat.completions.with_raw_response.create(
                model=self.model,
                messages=[
                    {"role": "system", "content": prompts.orders(instructions, told)},
                    {"role": "user", "content": prompts.material(clean(data))},
                ],
                temperature=openai.omit if "temperature" in without else 0,
                logprobs=True if weighed and "logprobs" not in without else openai.omit,
                response_format={"type": "json_object"}
                if told
                else {
                    "type": "json_schema",
                    "json_schema": {"name": shape.__name__, "schema": schema, "strict": True},
                },
            )
        except (openai.BadRequestError, openai.UnprocessableEntityError) as error:
            said = f"{error.param} {error.body}".lower()
            refused = {name for name, words in _OPTIONAL.items() if re.search(words, said)}
            if refused <= without:
                raise
            self._refused |= refused
        return await self._request(instructions, data, shape, weighed=weighed)


def _key(settings: OpenAISettings) -> str:
    key = settings.api_key.get_secret_value().strip() if settings.api_key else ""
    if not key and settings.base_url is None:
        raise ConfigError(
            "openai.api_key: is not set, and OpenAI wants one",
            hint=f"set {variable('openai.api_key')}, or openai.base_url to a server of your own",
        )
    if not all("!" <= character <= "~" for character in key):
        # The library would repeat it in its complaint about the header.
        raise ConfigError(
            "openai.api_key: holds characters that no key has",
            hint=f"check {variable('openai.api_key')}",
        )
    return key or "none"  # servers on one's own machine want none; the client wants some


def _may_pass(error: BaseException) -> bool:
    if isinstance(error, openai.APIStatusError):
        status = error.status_code
        return (status in _MAY_PASS or status >= 500) and not _is_quota(error)  # noqa: PLR2004
    return isinstance(error, TimeoutError | openai.APIConnectionError)


def _is_quota(error: openai.APIStatusError) -> bool:
    return error.code == "insufficient_quota"


def _wait(state: tenacity.RetryCallState) -> float:
    error = state.outcome and state.outcome.exception()
    asked = _retry_after(error) if isinstance(error, openai.APIStatusError) else None
    return _BACKOFF(state) if asked is None else asked


def _retry_after(error: openai.APIStatusError) -> float | None:
    header = error.response.headers.get("retry-after", "")
    try:
        seconds = float(header)
    except ValueError:
        try:
            seconds = parsedate_to_datetime(header).timestamp() - time.time()
        except ValueError:
            return None
    return None if math.isnan(seconds) else max(0.0, seconds)


def _tries(retrying: tenacity.AsyncRetrying) -> str:
    tries = retrying.statistics.get("attempt_number", 1)
    return f", tried {tries} times" if tries > 1 else ""
