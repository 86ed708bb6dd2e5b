"""Field paths as people write them (`order.status`, `orders.A1024.status`, `user.id`) -> places in the world."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from caselock.cases.scenario import WorldPath
from caselock.spec.schemas import Schema
from caselock.world.model import World
from caselock.world.schema_check import problems
from caselock.world.state import Record, Value
from caselock.world.values import Unreadable, read_value


class BadPath(ValueError):
    """A path that names no place, or a value that does not fit the place; the message says why."""


def world_path(world: World, values: Mapping[str, Value], text: str) -> WorldPath:
    """The place a written path names; a let stands for the record it is bound to.

    Raises:
        BadPath: when it names none.
    """
    root, _, rest = text.partition(".")
    key, _, field = rest.rpartition(".")
    if root in ("user", "agent") and rest and not key:
        return _checked(world, (root, rest))
    if root in world.collections and key:
        return _checked(world, (root, key, field))
    record = values.get(root)
    if isinstance(record, Record) and rest and not key:
        return _checked(world, (record.collection, record.key, rest))
    raise BadPath(f"'{text}' names no field of the world, of a bound record or of an actor")


def _checked(world: World, path: WorldPath) -> WorldPath:
    if schema_at(world, path) is None:
        raise BadPath(f"'{path[0]}' has no field '{path[-1]}'")
    if len(path) == 3 and path[-1] == world.collections[path[0]].key:
        raise BadPath(f"'{path[-1]}' is the key of {path[0]}; a record keeps its key")
    return path


def schema_at(world: World, path: WorldPath) -> Schema | None:
    """The schema of the field at a place."""
    owner: Schema
    if path[0] == "user":
        owner = world.user_schema
    elif path[0] == "agent":
        owner = world.agent_schema
    else:
        owner = world.collections[path[0]].schema_
    return (owner.properties or {}).get(path[-1])


def value_at(world: World, path: WorldPath, written: Any) -> Value:
    """A written value as the typed value of a place.

    Raises:
        BadPath: when the value does not fit.
    """
    schema = schema_at(world, path)
    if schema is None:
        raise BadPath(f"'{path[0]}' has no field '{path[-1]}'")
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
