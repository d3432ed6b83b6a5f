"""The service's own description, OpenAPI 3.1, made from what it takes and gives."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from pydantic import TypeAdapter

from neomem.service.outputs import Failure

Json = dict[str, Any]

_REF = "#/components/schemas/{model}"
_FAULTS = {
    "400": "What was sent cannot be used.",
    "401": "The token is missing or wrong.",
    "403": "Not from this machine, from a web page, or another agent's memories.",
    "404": "There is no such thing.",
    "413": "Too much at once.",
    "415": "The body is not JSON.",
    "429": "Too many requests.",
    "500": "Something in neomem went wrong.",
    "503": "Not ready, overloaded, or Neo4j did not do it; come again.",
    "504": "It took too long.",
}
_WITHOUT_BODY = frozenset({"413", "415"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Described:
    """One path of the description."""

    name: str
    method: str
    path: str
    summary: str
    takes: TypeAdapter[Any] | None = None
    gives: TypeAdapter[Any] | None = None
    media: str = "application/json"


def describe(paths: Iterable[Described], version: str) -> Json:
    """Return the description of all paths."""
    described = list(paths)
    adapters: list[tuple[str, Literal["validation", "serialization"], TypeAdapter[Any]]] = [
        ("failure", "serialization", TypeAdapter(Failure))
    ]
    for each in described:
        if each.takes is not None:
            adapters.append((f"{each.name} takes", "validation", each.takes))
        if each.gives is not None:
            adapters.append((f"{each.name} gives", "serialization", each.gives))
    schemas, common = TypeAdapter.json_schemas(adapters, ref_template=_REF)
    named = {key: schema for (key, _), schema in schemas.items()}
    definitions: Json = common.get("$defs", {})
    written: dict[str, Json] = {}
    for each in described:
        written.setdefault(each.path, {})[each.method.lower()] = _path(each, named, definitions)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "neomem",
            "version": version,
            "description": "Memory for agents on this machine. MCP (streamable HTTP) is at /mcp.",
        },
        "paths": written,
        "components": {
            "schemas": definitions,
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
        },
        "security": [{"token": []}],
    }


def _path(each: Described, named: Mapping[str, Json], definitions: Json) -> Json:
    operation: Json = {
        "operationId": each.name,
        "summary": each.summary,
        "responses": {"200": _response("Done.", each.media, named.get(f"{each.name} gives"))},
    }
    for status, words in _FAULTS.items():
        if each.method == "POST" or status not in _WITHOUT_BODY:
            operation["responses"][status] = _response(words, "application/json", named["failure"])
    takes = named.get(f"{each.name} takes")
    if takes is not None and each.method == "GET":
        operation["parameters"] = _parameters(_resolved(takes, definitions), each.path)
    elif takes is not None:
        operation["requestBody"] = {
            "required": True,
            "content": {"application/json": {"schema": takes}},
        }
    return operation


def _response(words: str, media: str, schema: Json | None) -> Json:
    return {"description": words, "content": {media: {"schema": schema or {"type": "string"}}}}


def _resolved(schema: Json, definitions: Json) -> Json:
    reference = schema.get("$ref")
    return definitions[reference.rpartition("/")[2]] if reference else schema


def _parameters(schema: Json, path: str) -> Sequence[Json]:
    required = schema.get("required", ())
    return [
        {
            "name": name,
            "in": "path" if f"{{{name}}}" in path else "query",
            "required": name in required,
            "schema": _plain(field),
        }
        for name, field in schema["properties"].items()
    ]


def _plain(field: Json) -> Json:
    """Return the schema of a parameter, of which none means that it is left out."""
    kinds = [kind for kind in field.get("anyOf", ()) if kind.get("type") != "null"]
    plain = {name: value for name, value in field.items() if name not in {"anyOf", "default"}}
    return {**plain, **kinds[0]} if len(kinds) == 1 else field
