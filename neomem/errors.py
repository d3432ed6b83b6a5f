"""What can go wrong, one class per different reaction.

NeomemError                exit 1
├── ConfigError            exit 2   lists every problem at once, by path
├── GraphError             exit 3
│   ├── GraphUnavailable            cannot connect; trying again may help
│   ├── SchemaOutdated              run `neomem migrate`
│   ├── EmbedderMismatch            the store's vectors are another model's: `neomem reembed`
│   └── QueryFailed                 names the query file
├── MigrationError         exit 4
│   └── MigrationDrift              an applied file has changed
├── ModelError             exit 5   embedding or language model
│   ├── ModelUnavailable            after the retries
│   └── ModelAnswerInvalid          not the shape we asked for
├── SleepError             exit 6   what happens overnight
│   ├── LeaseHeld                   somebody else is asleep
│   └── UndoConflict                something was changed since; names it
├── InstallError           exit 7   files or Java for the local server, or a model's files
└── InputError             exit 8   what was given cannot be used
    └── NotFound                    there is no such memory, entity or file
"""

from typing import ClassVar


class NeomemError(Exception):
    """Something in neomem went wrong."""

    exit_code: ClassVar[int] = 1

    def __init__(self, message: str | None = None, *, hint: str | None = None) -> None:
        super().__init__(message or type(self).__doc__)
        self.hint = hint


class ConfigError(NeomemError):
    """The settings cannot be used."""

    exit_code = 2

    def __init__(self, *problems: str, hint: str | None = None) -> None:
        super().__init__("\n".join(problems) or None, hint=hint)
        self.problems = problems


class GraphError(NeomemError):
    """Neo4j did not do what was asked."""

    exit_code = 3


class GraphUnavailable(GraphError):
    """Neo4j cannot be reached."""


class SchemaOutdated(GraphError):
    """The store's schema is older than this neomem."""


class EmbedderMismatch(GraphError):
    """The store's vectors are another embedder's."""


class QueryFailed(GraphError):
    """Neo4j refused a query."""


class MigrationError(NeomemError):
    """The schema cannot be brought up to date."""

    exit_code = 4


class MigrationDrift(MigrationError):
    """A migration was changed after it had been applied."""


class ModelError(NeomemError):
    """An embedding or language model did not do what was asked."""

    exit_code = 5


class ModelUnavailable(ModelError):
    """A model cannot be reached, or refuses to answer."""


class ModelAnswerInvalid(ModelError):
    """A model's answer is not of the shape that was asked for."""


class SleepError(NeomemError):
    """The night's work cannot be done or undone."""

    exit_code = 6


class LeaseHeld(SleepError):
    """Somebody else is asleep."""


class UndoConflict(SleepError):
    """What a run changed was changed again since."""


class InstallError(NeomemError):
    """Files that neomem needs on this machine cannot be fetched or used."""

    exit_code = 7


class InputError(NeomemError):
    """What was given cannot be used."""

    exit_code = 8


class NotFound(InputError):
    """There is no such thing."""
