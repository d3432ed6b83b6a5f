import inspect
import re

from neomem import errors
from neomem.errors import ConfigError, NeomemError


def classes() -> list[type[NeomemError]]:
    return [
        value
        for value in vars(errors).values()
        if inspect.isclass(value) and issubclass(value, NeomemError)
    ]


def test_an_error_without_words_says_what_its_class_says():
    for error in classes():
        assert str(error()) == error.__doc__


def test_the_tree_at_the_top_of_the_file_is_the_tree():
    drawn = re.findall(
        r"(\w+(?:Error|Unavailable|Outdated|Mismatch|Failed|Drift|Invalid|Found|Held|Conflict))\b",
        errors.__doc__ or "",
    )

    assert sorted(drawn) == sorted(error.__name__ for error in classes())


def test_every_group_has_its_own_exit_code():
    groups = [error for error in classes() if NeomemError in error.__bases__]

    assert len({group.exit_code for group in groups}) == len(groups)


def test_all_problems_of_the_settings_are_kept():
    assert ConfigError("a: wrong", "b: wrong").problems == ("a: wrong", "b: wrong")
