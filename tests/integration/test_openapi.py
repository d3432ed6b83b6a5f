"""The description is true: schemathesis sends what it allows and what it does not."""

import asyncio
import subprocess
import sys

import pytest

from neomem.store.local_home import is_free
from tests.integration.serving import apart, serving


async def tried(config, agent, folder, *options: str) -> str:
    """Return what schemathesis says of a service, which has to be that all is well."""
    port = next(port for port in range(19_100, 19_300) if is_free(port))
    arguments = ("--agent", agent, "--port", str(port))
    async with serving(config, *arguments, NEOMEM_SERVICE__RATE="100000") as served:
        (folder / "schemathesis.toml").write_text(
            f'headers = {{ Authorization = "Bearer {served.token}" }}\n'
        )
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "schemathesis.cli", "run"),
            *(f"http://127.0.0.1:{port}/openapi.json", "--no-color", "--request-timeout", "120"),
            # Some rules hold between fields (since before until), which a schema does not say.
            *("--exclude-checks", "positive_data_acceptance"),
            *options,
            cwd=folder,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
        )
        out, _ = await process.communicate()
        figures = await served.figures()
    done = {name for name in figures if name.startswith("neomem_requests_total")}
    faults = [name for name in done if 'status="5' in name]
    assert process.returncode == 0, out.decode()
    for operation in ("recall", "capture", "captures", "stats", "hook"):
        assert f'neomem_requests_total{{operation="{operation}",status="200"}}' in done
    assert faults == []
    return out.decode()


async def test_a_few_requests_of_every_kind(graph, config, agent, tmp_path):
    mine = apart(graph, config, tmp_path / "home")

    said = await tried(
        mine,
        agent,
        tmp_path,
        *("--phases", "fuzzing,stateful", "-n", "3", "--generation-deterministic"),
    )

    assert "Tested: 11" in said


@pytest.mark.slow
async def test_a_thousand_requests_at_the_edges_and_beyond(graph, config, agent, tmp_path):
    mine = apart(graph, config, tmp_path / "home")

    said = await tried(mine, agent, tmp_path, "-n", "60", "--generation-database", "none")

    assert "Tested: 11" in said
