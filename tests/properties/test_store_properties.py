"""What must hold for any input, of the parts of the store that compute."""

import hashlib
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from neomem.config import redact
from neomem.models.artifacts import Artifact
from neomem.store import local_home, local_server, queries

LINES = st.text(st.characters(exclude_characters="\r\n/;'\"`", exclude_categories=["Cs"]))
WORDS = st.from_regex(r"[a-z][a-z0-9]{0,10}", fullmatch=True)


@given(statement=LINES.filter(str.strip))
def test_parsing_keeps_the_statement_byte_for_byte(statement):
    assert queries.parse("x", f"// What it does.\n{statement}").text == statement


@given(names=st.lists(WORDS, unique=True, min_size=1))
def test_every_parameter_is_found_once(names):
    statement = "RETURN " + ", ".join(f"${name}" for name in names * 2)

    assert queries.parse("x", f"// What it does.\n{statement}").parameters == set(names)


@given(statements=st.lists(LINES.map(str.strip).filter(bool), min_size=1))
def test_a_migration_falls_into_its_statements_and_nothing_is_lost(statements):
    text = "// What it does.\n" + "".join(f"{statement};\n" for statement in statements)

    migration = queries.parse_migration("0001_x", text)

    assert [query.text for query in migration.statements] == statements
    assert len({query.name for query in migration.statements}) == len(statements)


@given(user=WORDS, password=st.from_regex(r"[A-Z0-9]{8,20}", fullmatch=True))
def test_no_password_survives_redaction(user, password):
    uri = redact(f"neo4j+s://{user}:{password}@db.example.org:7687?token={password}")

    assert password not in uri
    assert uri == "neo4j+s://db.example.org:7687"


@given(password=st.text(st.characters(exclude_categories=["Cs"]), min_size=1))
def test_the_hash_of_a_password_can_be_checked_and_does_not_hold_it(password):
    user, _, rest = local_home._auth_line(password).partition(":")
    kind, digest, salt, iterations = rest.rstrip(":\n").split(",")

    expected = bytes.fromhex(salt) + password.encode()
    for _ in range(int(iterations)):
        expected = hashlib.sha256(expected).digest()
    assert (user, kind, digest) == ("neo4j", "SHA-256", expected.hex())


@given(argument=st.text(st.characters(exclude_categories=["Cs", "Cc"])))
def test_an_argument_survives_javas_argument_file(argument):
    quoted = local_server._quoted(argument)
    unescaped, letters = "", iter(quoted[1:-1])
    for letter in letters:
        unescaped += next(letters) if letter == "\\" else letter

    assert unescaped == argument
    assert quoted[0] == quoted[-1] == '"'


@given(group=st.lists(WORDS, min_size=1, max_size=4), name=WORDS, version=WORDS)
def test_an_artifact_stays_below_the_repository(group, name, version):
    path = Artifact(f"{'.'.join(group)}:{name}:{version}", "", 0).path

    assert not path.is_absolute()
    assert path.parts == (*group, name, version, f"{name}-{version}.jar")
    assert Path("/r") in (Path("/r") / path).parents
