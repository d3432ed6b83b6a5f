"""The one door to Neo4j: connect, read, write, and say plainly what went wrong."""

# The driver's own annotations have gaps; they end at this door.
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false

import asyncio
import logging
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from types import TracebackType
from typing import Any, Self, cast

import neo4j
import numpy as np
from neo4j import exceptions as refused
from neo4j.time import DateTime
from numpy.typing import NDArray
from pydantic import SecretStr

from neomem.config import redact
from neomem.errors import GraphError, GraphUnavailable, NeomemError, QueryFailed
from neomem.sections import Neo4jSettings
from neomem.store.queries import Query

log = logging.getLogger(__name__)

Row = dict[str, Any]

_STUCK = "is the server's disk full? make room, then restart it: `neomem down`, `neomem up`"
_HINTS = {
    "TransactionTimedOut": "raise neo4j.query_timeout",
    "DatabaseNotFound": "check neo4j.database",
    "DatabaseUnavailable": "see `neomem logs`",
    "TransactionCommitFailed": _STUCK,
    "TransactionLogError": _STUCK,
    "TransactionStartFailed": _STUCK,
}


@dataclass(frozen=True, slots=True)
class Address:
    """Where a Neo4j is, and who asks."""

    uri: str
    user: str
    password: SecretStr | None

    @classmethod
    def of(cls, settings: Neo4jSettings) -> Self:
        """Return the address a person has configured."""
        return cls(settings.uri, settings.user, settings.password)

    def __str__(self) -> str:
        return redact(self.uri)


class Graph:
    """A connection to one database; safe to share between tasks."""

    def __init__(
        self, driver: neo4j.AsyncDriver, address: Address, settings: Neo4jSettings
    ) -> None:
        self._driver = driver
        self._settings = settings
        self.address = address

    @classmethod
    async def open(cls, address: Address, settings: Neo4jSettings) -> Self:
        """Connect and log in, or say at once why not."""
        auth = (address.user, address.password.get_secret_value()) if address.password else None
        with _translated(address):
            driver = neo4j.AsyncGraphDatabase.driver(
                address.uri,
                auth=auth,
                connection_timeout=settings.connect_timeout,
                connection_acquisition_timeout=2 * settings.connect_timeout,
                max_transaction_retry_time=settings.retry_time,
                max_connection_pool_size=settings.pool_size,
                liveness_check_timeout=60,
                notifications_min_severity="OFF",
                telemetry_disabled=True,
                user_agent="neomem",
            )
        graph = cls(driver, address, settings)
        try:
            with _translated(address):
                await driver.verify_connectivity()
        except BaseException:
            await graph.close()
            raise
        log.debug("connected", extra={"uri": str(address)})
        return graph

    async def close(self) -> None:
        """Give the connections back."""
        await self._driver.close()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.close()

    async def read(self, query: Query, /, **parameters: object) -> list[Row]:
        """Rows of a query that changes nothing; sees this connection's own writes.

        Asked once, in one round trip; only what failed in passing is asked again in a transaction.
        """
        self._check(query, parameters)
        try:
            async with asyncio.timeout(self._patience), self._session(neo4j.READ_ACCESS) as session:
                result = await session.run(self._sent(query), parameters)
                return _rows([record async for record in result])
        except (refused.Neo4jError, refused.DriverError, TimeoutError, OSError) as error:
            if not (
                isinstance(error, refused.GqlError | refused.DriverError) and error.is_retryable()
            ):
                with _translated(self.address, query):
                    raise
        return await self._execute(query, parameters, neo4j.RoutingControl.READ)

    async def write(self, query: Query, /, **parameters: object) -> list[Row]:
        """Run a query in one transaction: all of it happens, or nothing."""
        return await self._execute(query, parameters, neo4j.RoutingControl.WRITE)

    async def together(
        self,
        steps: Sequence[tuple[Query, dict[str, Any]]],
        *,
        unless: Callable[[list[list[Row]]], bool],
    ) -> list[list[Row]]:
        """Run queries one after another in one transaction; return the rows of each.

        When `unless` says so of the rows, nothing is written.
        """
        for query, parameters in steps:
            self._check(query, parameters)

        async def work(transaction: neo4j.AsyncManagedTransaction) -> list[list[Row]]:
            results: list[list[Row]] = []
            for query, parameters in steps:
                result = await transaction.run(query.text, parameters)
                results.append(_rows([record async for record in result]))
            if unless(results):
                raise _Unwanted(results)
            return results

        with _translated(self.address, steps[-1][0]):
            async with (
                asyncio.timeout(self._patience),
                self._session(neo4j.WRITE_ACCESS) as session,
            ):
                try:
                    return await session.execute_write(
                        neo4j.unit_of_work(
                            metadata={"query": steps[-1][0].name},
                            timeout=self._settings.query_timeout,
                        )(work)
                    )
                except _Unwanted as unwanted:
                    return unwanted.results

    async def batch(self, query: Query, /, **parameters: object) -> list[Row]:
        """Run a query that commits by itself, or as it goes (`CALL … IN TRANSACTIONS`).

        In one round trip, so nobody waits for a lock because this process stands still. The driver
        does not retry it: the query must be safe to run again.
        """
        self._check(query, parameters)
        with _translated(self.address, query):
            async with self._session(neo4j.WRITE_ACCESS) as session:
                result = await session.run(self._sent(query), parameters)
                return _rows([record async for record in result])

    def _session(self, access: str) -> neo4j.AsyncSession:
        return self._driver.session(
            database=self._settings.database,
            default_access_mode=access,
            bookmark_manager=self._driver.execute_query_bookmark_manager,
            fetch_size=-1,
        )

    async def _execute(
        self, query: Query, parameters: dict[str, object], routing: neo4j.RoutingControl
    ) -> list[Row]:
        self._check(query, parameters)
        with _translated(self.address, query):
            async with asyncio.timeout(self._patience):
                result = await self._driver.execute_query(
                    self._sent(query),
                    parameters,
                    routing_=routing,
                    database_=self._settings.database,
                )
            return _rows(result.records)

    @property
    def _patience(self) -> float:
        """Seconds after which a server that holds the connection but says nothing is given up."""
        settings = self._settings
        return settings.connect_timeout + settings.retry_time + 2 * settings.query_timeout

    def _sent(self, query: Query) -> neo4j.Query:
        # The file's name shows in SHOW TRANSACTIONS and in the query log.
        return neo4j.Query(
            query.text, metadata={"query": query.name}, timeout=self._settings.query_timeout
        )

    @staticmethod
    def _check(query: Query, parameters: dict[str, object]) -> None:
        # The server reports a missing parameter only, and a superfluous one is as much a mistake.
        if parameters.keys() != query.parameters:
            wrong = sorted(parameters.keys() ^ query.parameters)
            raise TypeError(f"{query.name}: parameters do not match the file: {', '.join(wrong)}")


def packed(vector: NDArray[np.float32]) -> object:
    """Return a vector as it is sent best: four bytes a number, where a list takes nine."""
    return neo4j.vector.Vector.from_numpy(np.asarray(vector, np.float32))


def _rows(records: Sequence[neo4j.Record]) -> list[Row]:
    """Return records as rows; one that holds `columns` and `rows` is a table, sent as one.

    The driver takes its time over every record, and we over every value that may be a moment: so
    queries with many rows send them so, with moments as numbers or text.
    """
    read = [_row(record) for record in records]
    return read[0]["rows"] if len(read) == 1 and read[0].keys() == {"rows"} else read


def _row(record: neo4j.Record) -> Row:
    row: Row = dict(zip(record.keys(), record.values(), strict=True))
    columns = row.pop("columns", None)
    table = row.pop("rows") if columns else None
    read = {key: _plain(value) for key, value in row.items()}
    if columns:
        read["rows"] = [dict(zip(columns, each, strict=True)) for each in table or ()]
    return read


_AS_THEY_ARE = frozenset({str, int, float, bool, bytes, type(None)})


class _Unwanted(Exception):
    """A transaction is given up, with what it had found."""

    def __init__(self, results: list[list[Row]]) -> None:
        super().__init__()
        self.results = results


def _plain(value: Any) -> Any:  # noqa: ANN401 - whatever a column holds
    if type(value) in _AS_THEY_ARE:
        return value
    if isinstance(value, DateTime):
        return value.to_native()
    if isinstance(value, neo4j.vector.Vector):
        return value.to_numpy()
    if isinstance(value, dict):
        return {key: _plain(part) for key, part in value.items()}
    if isinstance(value, list) and not (value and isinstance(value[0], float)):  # no vectors
        return [_plain(each) for each in cast("list[Any]", value)]
    return value


@contextmanager
def _translated(address: Address, query: Query | None = None) -> Generator[None]:
    try:
        yield
    except (refused.Neo4jError, refused.DriverError) as error:
        raise _translate(error, address, query) from error
    except TimeoutError as error:
        raise GraphUnavailable(
            f"{address} does not answer", hint="is it overloaded? `neomem status`, `neomem logs`"
        ) from error
    except (OSError, ValueError) as error:  # host names that do not resolve, odd addresses
        raise GraphUnavailable(
            f"cannot connect to {address}: {error}", hint="check neo4j.uri"
        ) from error


def _translate(
    error: refused.Neo4jError | refused.DriverError, address: Address, query: Query | None
) -> NeomemError:
    name = query.name if query else "connecting"
    match error:
        case refused.AuthError():
            return GraphError(
                f"{address} refused the user name or password of {address.user}",
                hint="check neo4j.user and NEOMEM_NEO4J__PASSWORD",
            )
        case refused.IncompleteCommit():
            return GraphUnavailable(
                f"{name}: the connection broke while committing; it may have been written or not",
                hint="run it again: writes are made so that a second time changes nothing",
            )
        case refused.ServiceUnavailable() | refused.SessionExpired():
            return GraphUnavailable(
                f"no Neo4j answers at {address}", hint="is it running? `neomem status`, `neomem up`"
            )
        case refused.Neo4jError():
            hint = next((text for code, text in _HINTS.items() if code in (error.code or "")), None)
            return QueryFailed(f"{name}: {error.message} ({error.code})", hint=hint)
        case _:
            return GraphError(f"{name}: {error}")
