"""Field paths as people write them (`order.status`, `orders.A1024.items.0.count`, `clock`) -> places in the world."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from caselock.cases.scenario import WorldPath
from caselock.spec.schemas import Schema
from caselock.spec.world import Collection
from caselock.world.model import World
from caselock.world.nested import schema_inside
from caselock.world.schema_check import problems
from caselock.world.state import Record, Value
from caselock.world.values import Unreadable, read_value

CLOCK = "clock"
"""The path of the instant at which a case plays."""


class BadPath(ValueError):
    """A path that names no place, or a value that does not fit the place; the message says why."""


def world_path(world: World, values: Mapping[str, Value], text: str) -> WorldPath:
    """The place a written path names; a let stands for the record it is bound to.

    Raises:
        BadPath: when it names none.
    """
    root, *rest = text.split(".")
    if text == CLOCK:
        return (CLOCK,)
    if root in ("user", "agent") and rest:
        return _checked(world, (root, *rest))
    if root in world.collections and len(rest) > 1:
        return _checked(world, (root, *_keyed(world.collections[root], rest)))
    record = values.get(root)
    if isinstance(record, Record) and rest:
        return _checked(world, (record.collection, record.key, *rest))
    raise BadPath(f"'{text}' names no field of the world, of a bound record or of an actor")


def _keyed(collection: Collection, rest: list[str]) -> list[str]:
    """The key, which may hold dots itself, the field, and the steps inside it."""
    fields = collection.schema_.properties or {}
    end = next((index for index in range(1, len(rest)) if rest[index] in fields), len(rest) - 1)
    return [".".join(rest[:end]), *rest[end:]]


def _checked(world: World, path: WorldPath) -> WorldPath:
    if schema_at(world, path) is None:
        raise BadPath(f"'{path[0]}' has no field '{'.'.join(inside(path))}'")
    if path[0] in world.collections and inside(path) == (world.collections[path[0]].key,):
        raise BadPath(f"'{path[-1]}' is the key of {path[0]}; a record keeps its key")
    return path


def inside(path: WorldPath) -> tuple[str, ...]:
    """The steps of a place inside the record or actor that has it."""
    return path[1:] if path[0] in ("user", "agent") else path[2:]


def whole_field(path: WorldPath) -> WorldPath:
    """The place of the whole field that a place is in."""
    return path[: len(path) - len(inside(path)) + 1]


def schema_at(world: World, path: WorldPath) -> Schema | None:
    """The schema of the field at a place."""
    owner: Schema
    if path == (CLOCK,):
        return Schema(type="string", format="date-time")
    if path[0] == "user":
        owner = world.user_schema
    elif path[0] == "agent":
        owner = world.agent_schema
    else:
        owner = world.collections[path[0]].schema_
    return schema_inside(owner, inside(path))


def value_at(world: World, path: WorldPath, written: Any) -> Value:
    """A written value as the typed value of a place.

    Raises:
        BadPath: when the value does not fit.
    """
    schema = schema_at(world, path)
    if schema is None:
        raise BadPath(f"'{path[0]}' has no field '{'.'.join(inside(path))}'")
    return typed(schema, written, ".".join(path))


def typed(schema: Schema, written: Any, where: str) -> Value:
    """A written value as the typed value of a schema; `where` names the place in messages.

    Raises:
        BadPath: when the value does not fit.
    """
    try:
        value = read_value(schema, written)
    except Unreadable as unreadable:
        raise BadPath(f"{where}: {unreadable}") from unreadable
    found = problems(schema, value)
    if found:
        raise BadPath(f"{where}: {found[0].message}")
    return value
