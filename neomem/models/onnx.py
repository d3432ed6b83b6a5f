"""Local embeddings: a model's ONNX file and tokenizer, run on this machine's cores."""

import asyncio
import os
import threading
import time
from collections import deque
from collections.abc import Callable, Generator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, Literal, Protocol, TypeVar

import onnxruntime  # pyright: ignore[reportMissingTypeStubs]
from tokenizers import Tokenizer

from neomem.errors import ModelError
from neomem.models import batches, eight_bits
from neomem.models.batches import Tokens
from neomem.models.question_cache import QuestionCache
from neomem.models.recipes import ModelFiles, Recipe
from neomem.ports import Embedding, Name, Passage, Vector
from neomem.sections import EmbedderSettings

Result = TypeVar("Result")
_For = Literal["questions", "passages"]

_MOST_THREADS = 4
_AXES = 3  # of an output with a vector per token: text, token, number
_CPU = "CPUExecutionProvider"


class Head(Protocol):
    """Reads names off the vectors of a text's tokens."""

    def names(
        self, hidden: Vector, spans: Sequence[tuple[int, int]], text: str
    ) -> tuple[Name, ...]:
        """Return the names of a text, given the vector and place of each of its tokens."""
        ...


class OnnxEmbedder:
    """An Embedder on this machine.

    A question never waits behind passages, and leaves cores to the database; those that wait for
    each other are read together, as most of the time goes into fetching the model's weights, which
    for questions are kept in eight bits where the recipe says so. Passages have as many workers of
    one thread each as there are threads. Loads its files when first used.
    """

    reads_context = True

    def __init__(
        self,
        settings: EmbedderSettings,
        recipe: Recipe,
        files: Callable[[], ModelFiles],
        head: Head | None = None,
    ) -> None:
        self.model, self.dimensions, self.floor = settings.model, settings.dimensions, recipe.floor
        self._recipe, self._files, self._head = recipe, files, head
        self._threads = settings.threads or min(_cores(), _MOST_THREADS)
        # For a question, half: the database searches for its words meanwhile.
        self._alone = max(self._threads // 2, 1)
        self._cache = QuestionCache(settings.cached_questions)
        self._questions = ThreadPoolExecutor(1, "neomem-question")
        self._passages = ThreadPoolExecutor(self._threads, "neomem-passages")
        self._waiting: deque[_Asked] = deque()
        self._loading = threading.Lock()
        self._loaded: dict[_For, _Network] = {}

    async def embed_question(self, text: str) -> Embedding:
        """Return the vector of a question, remembered if it was asked before."""
        return await self._cache.get(text, self._embed_question)

    async def embed_passages(self, passages: Sequence[Passage]) -> list[Embedding]:
        """Return the vectors of passages, in their order."""
        tokens = await self._run(self._passages, partial(self._tokens, "passages", passages))
        plan = batches.batches([len(each.ids) for each in tokens], alone=self._recipe.alone)
        jobs = (
            self._run(self._passages, partial(self._embed, [tokens[index] for index in batch]))
            for batch in plan
        )
        return batches.in_order(plan, await asyncio.gather(*jobs))

    async def close(self) -> None:
        """Give back threads and memory; work that has not begun is dropped."""
        for pool in (self._questions, self._passages):
            pool.shutdown(wait=False, cancel_futures=True)
        for asked in self._waiting:
            asked.hidden.cancel()
        self._loaded.clear()

    async def _embed_question(self, text: str) -> Embedding:
        read = partial(self._tokens, "questions", [Passage(text)])
        # Read right here, once all is loaded: a thread would wait longer for its turn.
        (tokens,) = (
            read() if "questions" in self._loaded else await self._run(self._questions, read)
        )
        asked = _Asked(tokens)
        self._send(asked)
        return self._embedding(await asyncio.wrap_future(asked.hidden), tokens)

    def _send(self, asked: "_Asked") -> None:
        self._waiting.append(asked)
        self._questions.submit(self._answer)
        # The thread that was woken needs the interpreter once, and would get it only when this one
        # has nothing left to do: a millisecond later.
        time.sleep(1e-6)

    def _answer(self) -> None:
        """Answer all questions that wait; each has sent for this, and most find nothing to do."""
        taken = [self._waiting.popleft() for _ in range(len(self._waiting))]
        waiting = [each for each in taken if each.hidden.set_running_or_notify_cancel()]
        lengths = [len(each.tokens.ids) for each in waiting]
        for batch in batches.batches(lengths, alone=self._recipe.alone):
            some = [waiting[index] for index in batch]
            try:
                hidden = self._network("questions").run([each.tokens for each in some])
            except ModelError as error:
                for each in some:
                    each.hidden.set_exception(error)
            else:
                for each, row in zip(some, hidden, strict=True):
                    each.hidden.set_result(row)

    @staticmethod
    def _run(pool: ThreadPoolExecutor, work: Callable[[], Result]) -> asyncio.Future[Result]:
        return asyncio.get_running_loop().run_in_executor(pool, work)

    def _tokens(self, use: _For, passages: Sequence[Passage]) -> list[Tokens]:
        tokenizer, recipe = self._network(use).tokenizer, self._recipe
        prefix = recipe.question_prefix if use == "questions" else recipe.passage_prefix
        inputs = [batches.joined(prefix, passage) for passage in passages]
        texts = [text for text, _ in inputs]
        # A batch is spread over threads, which for a single text costs more than it brings.
        encodings = (
            tokenizer.encode_batch(texts) if len(texts) > 1 else map(tokenizer.encode, texts)
        )
        return [
            batches.fit(encoding, len(prefix), begin, passage, recipe.max_tokens)
            for encoding, (_, begin), passage in zip(encodings, inputs, passages, strict=True)
        ]

    def _embed(self, batch: Sequence[Tokens]) -> list[Embedding]:
        hidden = self._network("passages").run(batch)
        return [
            self._embedding(row, tokens, self._head)
            for row, tokens in zip(hidden, batch, strict=True)
        ]

    def _embedding(self, hidden: Vector, tokens: Tokens, head: Head | None = None) -> Embedding:
        if hidden.shape[-1] != self.dimensions:
            raise ModelError(
                f"{self.model} makes vectors of {hidden.shape[-1]} numbers, not {self.dimensions}",
                hint=f"set embedder.dimensions to {hidden.shape[-1]}",
            )
        names = head.names(hidden[tokens.own], tokens.spans, tokens.text) if head else None
        return Embedding(batches.pool(hidden, tokens, self._recipe.pooling), tokens.cut, names)

    def _network(self, use: _For) -> "_Network":
        with self._loading:
            if use not in self._loaded:
                self._loaded[use] = self._load(use)
            return self._loaded[use]

    def _load(self, use: _For) -> "_Network":
        files = self._files()
        if use == "passages":
            return _Network.load(files, 1)
        if self._recipe.eight_bits:
            with _explained(files.onnx.name):
                files = replace(files, onnx=eight_bits.beside(files.onnx))
        return _Network.load(files, self._alone)


@dataclass(frozen=True, slots=True)
class _Asked:
    """A question as the model reads it, and what the model will say."""

    tokens: Tokens
    hidden: Future[Vector] = field(default_factory=Future[Vector])


class _Port(Protocol):
    """An input or output of a network."""

    name: str
    shape: Sequence[int | str | None]


class _Session(Protocol):
    """What is used of onnxruntime, which says little of its own types."""

    def get_inputs(self) -> Sequence[_Port]: ...
    def get_outputs(self) -> Sequence[_Port]: ...
    def run(self, output_names: list[str], input_feed: dict[str, Any]) -> list[Vector]: ...


@dataclass(frozen=True, slots=True)
class _Network:
    """A loaded model."""

    session: _Session
    tokenizer: Tokenizer
    inputs: tuple[str, ...]
    output: str

    @classmethod
    def load(cls, files: ModelFiles, threads: int) -> "_Network":
        runtime: Any = onnxruntime
        options = runtime.SessionOptions()
        options.intra_op_num_threads = threads
        options.inter_op_num_threads = 1
        options.log_severity_level = 4  # what goes wrong is raised, and said in our words
        with _explained(files.onnx.name):
            session: _Session = runtime.InferenceSession(files.onnx, options, providers=[_CPU])
        inputs = tuple(each.name for each in session.get_inputs())
        return cls(session, _tokenizer(files), inputs, _token_vectors(session, files))

    def run(self, batch: Sequence[Tokens]) -> Vector:
        """Return a vector per text and token."""
        feed = batches.arrays(batch)
        with _explained("the model"):
            return self.session.run([self.output], {name: feed[name] for name in self.inputs})[0]


def _token_vectors(session: _Session, files: ModelFiles) -> str:
    """Return the output that has a vector per token; refuse a network of another kind."""
    unknown = {each.name for each in session.get_inputs()} - batches.INPUTS
    outputs = [each.name for each in session.get_outputs() if len(each.shape) == _AXES]
    if unknown or not outputs:
        asks = f"asks for {', '.join(sorted(unknown))}" if unknown else "gives no vector per token"
        raise ModelError(
            f"{files.onnx.name} {asks}: it is no encoder that neomem can use",
            hint="export the model for feature extraction (last_hidden_state)",
        )
    return outputs[0]


def _tokenizer(files: ModelFiles) -> Tokenizer:
    try:
        tokenizer = Tokenizer.from_file(str(files.tokenizer))
    except Exception as error:  # the library raises nothing narrower
        raise ModelError(
            f"{files.tokenizer} is no tokenizer", hint="it should come with the model it stands by"
        ) from error
    # Some files carry limits of their own; ours keep the text, and say what was cut.
    tokenizer.no_truncation()
    tokenizer.no_padding()
    return tokenizer


@contextmanager
def _explained(what: str) -> Generator[None]:
    try:
        yield
    except Exception as error:  # the library's errors have no common ancestor
        raise ModelError(
            f"{what} cannot be run: {str(error).splitlines()[0][:200]}",
            hint="`neomem up --verify` mends neomem's own models; check a folder's files",
        ) from error


def _cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
