"""Links to Neo4j Browser: a query in the editor, and values that stay values."""

from datetime import UTC, datetime
from urllib.parse import parse_qs, urlsplit

import pytest

from neomem import browser
from neomem.store.local_home import Ports
from neomem.store.local_server import Running
from neomem.store.queries import filled, parse

RUNNING = Running(1, datetime(2026, 5, 4, tzinfo=UTC), Ports(17687, 17474), ready=True)


def test_a_link_names_the_server_and_the_user_and_no_password():
    link = urlsplit(browser.link(RUNNING, "RETURN 'a & b' AS x // 1 + 1"))

    assert f"{link.scheme}://{link.netloc}{link.path}" == "http://127.0.0.1:17474/browser/"
    assert parse_qs(link.query, strict_parsing=True) == {
        "dbms": ["bolt://neo4j@127.0.0.1:17687"],
        "cmd": ["edit"],
        "arg": ["RETURN 'a & b' AS x // 1 + 1"],
    }


def test_a_command_begins_with_its_title_and_has_no_parameters_left():
    command = browser.command(browser.ENTITY, agent="default", name="Ada")

    assert command.startswith("// An entity: the newest memories")
    assert "toLower('Ada')" in command
    assert "e.agent = 'default'" in command
    assert "$" not in command


@pytest.mark.parametrize(
    ("value", "literal"),
    [
        ("Ada", "'Ada'"),
        ("naïve 東京 x_1-2.3", "'naïve 東京 x_1-2.3'"),
        ("it's", r"'it\'s'"),
        ("a\\'b", r"'a\\\'b'"),
        ("$agent; {x}\n", r"'\u0024agent\u003B \u007Bx\u007D\n'"),
        ("😀", r"'\uD83D\uDE00'"),
        ((), "[]"),
        (["a", "b'"], r"['a', 'b\'']"),
    ],
)
def test_a_value_cannot_leave_its_quotes(value, literal):
    assert browser.literal(value) == literal


def test_only_parameters_are_filled_and_all_of_them():
    query = parse("t", "// T\nRETURN $a, '$a', `$a` // $a\n")

    assert filled(query, {"a": "1"}) == "RETURN 1, '$a', `$a` // $a\n"
    with pytest.raises(ValueError, match="no value for a"):
        filled(query, {})


def test_every_title_fits_the_line_that_browser_shows():
    queries = [*browser.VIEWS.values(), browser.MEMORY, browser.ENTITY, browser.RECALL]

    assert all(len(browser.title(query)) <= 75 for query in queries)
    assert len({browser.title(query) for query in queries}) == 7
