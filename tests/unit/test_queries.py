import pytest

from neomem.store import queries


def test_a_query_has_the_name_header_and_parameters_of_its_file():
    query = queries.load("store/record_migration")

    assert query.name == "store/record_migration"
    assert query.doc.startswith("Note that a migration is done")
    assert query.parameters == {"number", "name", "checksum"}


def test_parameters_in_strings_comments_and_quoted_names_do_not_count():
    text = "// Doc.\nRETURN '$a' AS `$b`, \"$c\" /* $d */, $e // $f\n"

    assert queries.parse("x", text).parameters == {"e"}


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("RETURN 1", "needs a `//` header"),
        ("// Only a header.\n", "needs a `//` header"),
        ("// Two.\nRETURN 1;\nRETURN 2", "one statement per file"),
    ],
)
def test_a_broken_file_fails_when_it_is_loaded(text, complaint):
    with pytest.raises(ValueError, match=complaint):
        queries.parse("x", text)


def test_a_missing_file_fails_when_it_is_loaded():
    with pytest.raises(FileNotFoundError):
        queries.load("store/nothing")


def test_migrations_come_in_order_with_their_statements():
    migrations = queries.migrations()

    assert [m.number for m in migrations] == list(range(1, len(migrations) + 1))
    assert all(statement.text for m in migrations for statement in m.statements)


def test_a_migrations_checksum_does_not_depend_on_line_endings():
    text = "// Doc.\nRETURN 1;\n"

    unix = queries.parse_migration("0001_x", text)
    dos = queries.parse_migration("0001_x", text.replace("\n", "\r\n"))

    assert unix.checksum == dos.checksum


@pytest.mark.parametrize(
    ("name", "text", "complaint"),
    [
        ("one_x", "// Doc.\nRETURN 1;\n", "begins with four digits"),
        ("0001_x", "// Doc.\nRETURN 1\n", "has no `;`"),
        ("0001_x", "// Doc.\nRETURN 1; RETURN 2;\n", "at the end of a line"),
    ],
)
def test_a_broken_migration_fails_when_it_is_loaded(name, text, complaint):
    with pytest.raises(ValueError, match=complaint):
        queries.parse_migration(name, text)


def test_the_names_of_all_indexes_are_known():
    names = queries.index_names()

    assert {"memory_id", "memory_kind", "memory_words", "memory_embedding"} <= set(names)
    every = [each.text for m in queries.migrations() for each in m.statements]
    statements = [text for text in every if text.startswith(("CREATE", "DROP"))]
    dropped = sum(text.startswith("DROP") for text in statements)
    assert len(names) == len(statements) - 2 * dropped  # dropped and made anew under its name
