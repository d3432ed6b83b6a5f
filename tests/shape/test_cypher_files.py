"""The rules of `cypher/`, held without a server."""

import ast
import re
from pathlib import Path

import pytest

from neomem.store import queries

ROOT = Path(__file__).parents[2]
CYPHER = ROOT / "cypher"
QUERY_FILES = sorted(
    file for file in CYPHER.rglob("*.cypher") if file.relative_to(CYPHER).parts[0] != "migrations"
)
MODULES = sorted([*(ROOT / "neomem").rglob("*.py"), *(ROOT / "sleep_cycle").rglob("*.py")])


def name_of(file: Path) -> str:
    return file.relative_to(CYPHER).with_suffix("").as_posix()


def loads() -> list[tuple[Path, str]]:
    """Every `queries.load("…")` in the code, with the module it stands in."""
    found: list[tuple[Path, str]] = []
    for module in MODULES:
        for node in ast.walk(ast.parse(module.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and ast.unparse(node.func).endswith("queries.load"):
                argument = node.args[0]
                assert isinstance(argument, ast.Constant), f"{module}: load() takes a literal"
                found.append((module, str(argument.value)))
    return found


@pytest.mark.parametrize("file", QUERY_FILES, ids=name_of)
def test_every_file_parses_and_says_what_it_does(file):
    assert queries.load(name_of(file)).doc


def test_every_file_is_loaded_by_exactly_one_module_and_every_load_has_a_file():
    assert sorted(name for _, name in loads()) == [name_of(file) for file in QUERY_FILES]


@pytest.mark.parametrize(("module", "name"), loads(), ids=[name for _, name in loads()])
def test_code_loads_queries_only_from_the_folder_that_bears_its_name(module, name):
    folder = name.split("/")[0]
    place = module.relative_to(ROOT)

    owner = {"sleep_cycle": "sleep"}.get(place.parts[0]) or place.with_suffix("").parts[1]
    assert owner == folder


@pytest.mark.parametrize("file", QUERY_FILES, ids=name_of)
def test_every_query_filters_on_the_agent_or_says_that_it_is_for_all(file):
    query = queries.load(name_of(file))

    assert bool({"agent", "agents"} & query.parameters) != ("scope: all agents" in query.doc)


@pytest.mark.parametrize(
    "part",
    [
        r"\[\s*'id', 'agent'.+?\]",
        r"collect\(\[\s*m\.id, m\.agent.+\]\) AS rows",
        r"\(m\.expires_at IS.+?\)",
    ],
)
def test_of_a_candidate_the_same_is_told_however_it_was_found(part):
    nearest, candidates = (
        re.findall(part, queries.load(f"recall/{name}").text, re.DOTALL)
        for name in ("nearest", "candidates")
    )

    assert [" ".join(each.split()) for each in nearest] == [
        " ".join(each.split()) for each in candidates
    ]
    assert len(nearest) == 1


def test_memories_are_created_in_two_files_and_deleted_only_by_sleep_and_forget():
    creating, deleting = [], []
    for file in QUERY_FILES:
        text = queries.load(name_of(file)).text
        if re.search(r"(CREATE|MERGE)\s*\(\w*:Memory", text):
            creating.append(name_of(file))
        if re.search(r"\bDELETE\b", text):
            deleting.append(name_of(file))

    # Capture makes memories; an import brings back those that capture has made, as they were.
    assert creating == ["capture/store", "store/import_memories"]
    # Storing a turn between two others takes away the NEXT that joined them, and nothing else.
    deleting.remove("capture/store")
    assert "DELETE passed" in queries.load("capture/store").text
    assert all(name.startswith("sleep/") or "forget" in name for name in deleting)


@pytest.mark.parametrize("module", MODULES, ids=lambda path: str(path.relative_to(ROOT)))
def test_no_cypher_stands_in_python(module):
    words = re.compile(r"\b(MATCH|MERGE|CREATE)\s*\(\w*(:|\)| *\{)|\bUNWIND \$|\bDETACH DELETE\b")
    strings = [
        node.value
        for node in ast.walk(ast.parse(module.read_text(encoding="utf-8")))
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    ]

    assert [text for text in strings if words.search(text)] == []
