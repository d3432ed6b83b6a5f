"""The tools over MCP, called by the protocol's own clients: over stdio, over HTTP."""

import asyncio
import json
import shutil
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import httpx2
import pytest
from mcp import Client, StdioServerParameters
from mcp.client.streamable_http import streamable_http_client

from neomem.engine import connect
from neomem.store.local_home import is_free
from tests.conftest import environment
from tests.integration.serving import PATIENCE, PATIENT, apart, serving

INSPECTOR = "@modelcontextprotocol/inspector@2.12.0"
NPM_CACHE = str(Path.home() / ".npm")  # so that nothing is fetched twice
TOOLS = ["memory_search", "memory_get", "memory_store", "memory_forget", "memory_explain"]


@pytest.fixture
def mine(graph, config, tmp_path):
    """Settings with a home of the test's own."""
    return apart(graph, config, tmp_path / "home")


def stdio(config, agent) -> StdioServerParameters:
    return StdioServerParameters(
        command=sys.executable,
        args=["-m", "neomem", "mcp", "--agent", agent],
        env=environment(config, **PATIENT),
    )


@asynccontextmanager
async def over_http(config, agent, mode: str) -> AsyncIterator[Client]:
    async with (
        serving(config, "--agent", agent) as served,
        httpx2.AsyncClient(
            transport=httpx2.AsyncHTTPTransport(uds=str(served.socket)),
            headers={"Authorization": f"Bearer {served.token}"},
            timeout=PATIENCE,
        ) as http,
        Client(
            streamable_http_client("http://localhost/mcp", http_client=http), mode=mode
        ) as client,
    ):
        yield client


@asynccontextmanager
async def connected(config, agent, way: str) -> AsyncIterator[Client]:
    transport, _, mode = way.partition(" ")
    if transport == "http":
        async with over_http(config, agent, mode) as client:
            yield client
    else:
        async with Client(stdio(config, agent), mode=mode) as client:
            yield client


async def call(client: Client, tool: str, **arguments: object) -> dict:
    result = await client.call_tool(tool, arguments)
    assert not result.is_error, result.content
    assert json.loads(result.content[0].text) == result.structured_content  # type: ignore[union-attr]
    return result.structured_content


async def refusal(client: Client, tool: str, **arguments: object) -> str:
    result = await client.call_tool(tool, arguments)
    assert result.is_error
    return result.content[0].text  # type: ignore[union-attr]


@pytest.mark.parametrize("way", ["stdio legacy", "stdio auto", "http legacy", "http auto"])
async def test_an_agent_stores_finds_reads_explains_and_forgets(mine, agent, way):
    async with connected(mine, agent, way) as client:
        listed = await client.list_tools()
        stored = await call(client, "memory_store", text="Ada moved to Lisbon in May.", kind="fact")
        found = await call(client, "memory_search", query="Where does Ada live?")
        read = await call(client, "memory_get", id=stored["id"])
        explained = await call(client, "memory_explain", query="Where does Ada live?")
        suggested = await call(client, "memory_forget", query="Where does Ada live?")
        still = await call(client, "memory_search", query="Where does Ada live?")
        forgotten = await call(client, "memory_forget", ids=[stored["id"]])
        after = await call(client, "memory_search", query="Where does Ada live?")

    assert [tool.name for tool in listed.tools] == TOOLS
    assert stored["outcome"] == "stored"
    assert found["model"] == "e5-small-v2"
    assert found["hits"][0]["text"] == "Ada moved to Lisbon in May."
    assert 0 < found["hits"][0]["score"] <= 1
    assert read["text"] == "Ada moved to Lisbon in May."
    assert explained["hits"][0]["said"]
    assert [hit["id"] for hit in suggested["candidates"]] == [stored["id"]]
    assert suggested["forgotten"] == []
    assert still["hits"]
    assert forgotten == {"forgotten": [stored["id"]]}
    assert "hits" not in after


async def test_a_snippet_names_its_file_and_lines_and_the_file_reads_on(mine, agent, tmp_path):
    notes = tmp_path / "notes"
    notes.mkdir()
    (notes / "harbour.md").write_text(
        "# Harbour\n\nAda's boat lies in berth 7.\n\nGate code: ask.\n"
    )
    async with connect(mine) as memory:
        await memory.ingest(notes, agent=agent)

    async with connected(mine, agent, "stdio auto") as client:
        hit = (await call(client, "memory_search", query="Where is Ada's boat?"))["hits"][0]
        lines = await call(
            client, "memory_get", path=hit["path"], **{"from": hit["line_from"], "lines": 3}
        )

    assert hit["path"] == str(notes / "harbour.md")
    assert (hit["line_from"], hit["line_to"]) == (1, 5)
    assert "berth 7" in lines["text"]
    assert (lines["line_from"], lines["line_to"]) == (1, 3)


async def test_what_went_wrong_is_said_with_what_to_do(mine, agent):
    async with connected(mine, agent, "stdio auto") as client:
        words = {
            "unknown": await refusal(client, "memory_get", id="01234567-0000"),
            "both": await refusal(client, "memory_get", id="01234567-0000", path="x.md"),
            "outside": await refusal(client, "memory_get", path="/etc/passwd"),
            "neither": await refusal(client, "memory_forget"),
            "wrong": await refusal(client, "memory_search", query=7),
            "odd": await refusal(client, "memory_search", query="x", colour="red"),
            "secret": await refusal(
                client, "memory_store", text="password = 'hunter2-and-more-of-it'"
            ),
            "no tool": await refusal(client, "memory_dance"),
        }

    assert "has no memory" in words["unknown"]
    assert "either `id` or `path`" in words["both"]
    assert "registered folders" in words["outside"]
    assert "either `ids` or `query`" in words["neither"]
    assert "query: " in words["wrong"]
    assert "colour: " in words["odd"]
    assert "holds a secret" in words["secret"]
    assert "hunter2" not in words["secret"]
    assert "memory_search" in words["no tool"]
    assert all("\nWhat to do: " in text for text in words.values())


async def test_tools_say_what_they_take_and_whether_they_change_anything(mine, agent):
    async with connected(mine, agent, "stdio auto") as client:
        tools = {tool.name: tool for tool in (await client.list_tools()).tools}

    assert all(tool.description for tool in tools.values())
    hints = {name: tool.annotations for name, tool in tools.items() if tool.annotations}
    assert [name for name, hint in hints.items() if not hint.read_only_hint] == [
        *("memory_store", "memory_forget")
    ]
    assert [name for name, hint in hints.items() if hint.destructive_hint] == ["memory_forget"]
    assert {"id", "path", "from", "lines"} == set(tools["memory_get"].input_schema["properties"])


async def test_over_http_nobody_gets_in_without_the_token_or_from_a_page(mine):
    async with serving(mine, ready=False) as served:
        stranger = await served.client.post("/mcp", headers={"Authorization": "Bearer x"})
        page = await served.client.post("/mcp", headers={"Origin": "http://evil.example"})
        stream = await served.client.get("/mcp")

    assert (stranger.status_code, page.status_code, stream.status_code) == (401, 403, 405)


@pytest.mark.slow
@pytest.mark.skipif(not shutil.which("npx"), reason="needs npx")
@pytest.mark.parametrize("way", ["stdio", "http"])
async def test_the_inspector_finds_the_tools_portable_and_calls_them(mine, agent, tmp_path, way):
    port = next(port for port in range(18_900, 19_100) if is_free(port))
    async with serving(mine, "--agent", agent, "--port", str(port)) as served:
        await served.post("capture", text="Ada moved to Lisbon in May.")
        command = stdio(mine, agent)
        server = {
            "http": {
                "type": "http",
                "url": f"http://127.0.0.1:{port}/mcp",
                "headers": {"Authorization": f"Bearer {served.token}"},
            },
            "stdio": {"command": command.command, "args": command.args, "env": command.env},
        }[way]
        file = tmp_path / "mcp.json"
        file.write_text(json.dumps({"mcpServers": {"neomem": server}}))

        async def inspect(method: str, *options: str) -> dict:
            chosen = ("--config", str(file), "--server", "neomem", "--method", method, *options)
            process = await asyncio.create_subprocess_exec(
                *("npx", "--yes", INSPECTOR, "--cli", *chosen),
                env={**environment(mine), "HOME": str(tmp_path), "npm_config_cache": NPM_CACHE},
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
            )
            out, err = await asyncio.wait_for(process.communicate(), 600)
            assert process.returncode == 0, err.decode()
            return json.loads(out)

        listed = await inspect("tools/list", "--strict")
        asked = ("--tool-name", "memory_search", "--tool-arg", "query=Where does Ada live?")
        found = await inspect("tools/call", *asked)

    assert [tool["name"] for tool in listed["tools"]] == TOOLS
    assert "Lisbon" in found["content"][0]["text"]
