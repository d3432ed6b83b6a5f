"""Endpoints over real sockets on loopback: one that works, and three ways not to."""

import json
import socket
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest
from pydantic import BaseModel

from neomem.errors import ModelUnavailable
from neomem.models.openai import OpenAIEmbedder, OpenAILanguageModel
from neomem.ports import Passage, Usage
from neomem.sections import EmbedderSettings, OpenAISettings


class Colour(BaseModel):
    name: str


class Endpoint:
    """A server that embeds and answers, unless a test breaks it."""

    def __init__(self) -> None:
        self.requests = 0
        self.fault: Callable[[BaseHTTPRequestHandler], None] | None = None
        self.ended = threading.Event()
        endpoint = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                endpoint.requests += 1
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                if endpoint.fault:
                    endpoint.fault(self)
                    return
                content = json.dumps(answer(self.path, body)).encode()
                self.send_response(200)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(content)))
                self.end_headers()
                self.wfile.write(content)

            def log_message(self, format: str, *args: object) -> None:  # noqa: A002
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.server.serve_forever, args=[0.01], daemon=True).start()

    @property
    def port(self) -> int:
        return self.server.server_port

    def close(self) -> None:
        self.ended.set()
        self.server.shutdown()
        self.server.server_close()


def answer(path: str, body: dict[str, Any]) -> dict[str, Any]:
    if path == "/v1/embeddings":
        return {"data": [{"index": n, "embedding": [3, 4]} for n in range(len(body["input"]))]}
    return {
        "choices": [{"message": {"content": '{"name": "red"}'}, "finish_reason": "stop"}],
        "usage": {"prompt_tokens": 12, "completion_tokens": 3},
    }


@pytest.fixture
def endpoint() -> Iterator[Endpoint]:
    endpoint = Endpoint()
    yield endpoint
    endpoint.close()


def settings(port: int, **changes: object) -> OpenAISettings:
    return OpenAISettings.model_validate(
        {
            "base_url": f"http://127.0.0.1:{port}/v1",
            "language_model": "talker",
            "attempts": 2,
            **changes,
        }
    )


async def no_wait(seconds: float) -> None:
    pass


def an_embedder(port: int, **changes: object) -> OpenAIEmbedder:
    embedder = EmbedderSettings(provider="openai", model="embed", dimensions=2)
    return OpenAIEmbedder(embedder, settings(port, **changes), sleep=no_wait)


async def test_an_endpoint_embeds_and_answers(endpoint):
    embedder = an_embedder(endpoint.port, batch=2)
    model = OpenAILanguageModel(settings(endpoint.port))

    embeddings = await embedder.embed_passages([Passage("a"), Passage("b"), Passage("c")])
    colour = await model.ask("Which colour?", "A red car.", Colour)
    await embedder.close()
    await model.close()

    assert [e.vector.tolist() for e in embeddings] == [pytest.approx([0.6, 0.8])] * 3
    assert colour == Colour(name="red")
    assert model.usage == Usage(12, 3)
    assert endpoint.requests == 3


async def test_a_proxy_is_no_stop_on_the_way_to_this_machine(endpoint, monkeypatch):
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:1")
    monkeypatch.setenv("ALL_PROXY", "http://127.0.0.1:1")
    embedder = an_embedder(endpoint.port)

    embedding = await embedder.embed_question("a")
    await embedder.close()

    assert embedding.vector.tolist() == pytest.approx([0.6, 0.8])


async def test_nothing_at_the_port_is_said_plainly():
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))  # bound, but not listening
        embedder = an_embedder(taken.getsockname()[1])

        with pytest.raises(ModelUnavailable, match="cannot be reached, tried 2 times") as caught:
            await embedder.embed_question("a")
        await embedder.close()

    assert "openai.base_url" in str(caught.value.hint)


async def test_an_endpoint_that_never_answers_is_given_up(endpoint):
    endpoint.fault = lambda _: endpoint.ended.wait()
    embedder = an_embedder(endpoint.port, timeout=0.2)

    with pytest.raises(ModelUnavailable, match=r"did not answer within 0\.2 s, tried 2 times"):
        await embedder.embed_question("a")
    await embedder.close()

    assert endpoint.requests == 2


async def test_an_endpoint_that_trickles_is_given_up(endpoint):
    def trickle(handler: BaseHTTPRequestHandler) -> None:
        handler.send_response(200)
        handler.send_header("Content-Length", "1000000")
        handler.end_headers()
        while not endpoint.ended.wait(0.02):
            try:
                handler.wfile.write(b" ")
            except OSError:  # the client has gone
                return

    endpoint.fault = trickle
    embedder = an_embedder(endpoint.port, timeout=0.2)

    with pytest.raises(ModelUnavailable, match=r"did not answer within 0\.2 s"):
        await embedder.embed_question("a")
    await embedder.close()


async def test_an_answer_that_breaks_off_is_tried_again(endpoint):
    def break_off(handler: BaseHTTPRequestHandler) -> None:
        endpoint.fault = None
        handler.send_response(200)
        handler.send_header("Content-Length", "1000")
        handler.end_headers()
        handler.wfile.write(b'{"data": [{"emb')
        handler.close_connection = True

    endpoint.fault = break_off
    embedder = an_embedder(endpoint.port)

    embedding = await embedder.embed_question("a")
    await embedder.close()

    assert embedding.vector.tolist() == pytest.approx([0.6, 0.8])
    assert endpoint.requests == 2
