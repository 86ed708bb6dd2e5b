"""spec/world/: record collections, the actors, and fixtures (a resettable world with its clock)."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import Field

from caselock.spec.base import CelText, Identifier, Model, Name
from caselock.spec.schemas import ObjectSchema


class Constraint(Model):
    """A fact that holds of every record of a collection, as CEL over `record`."""

    id: Identifier
    must: CelText


class Collection(Model):
    """One kind of record: its key, the prefix of generated ids, its schema and its constraints."""

    key: str
    id: str | None = None
    schema_: ObjectSchema = Field(alias="schema")
    constraints: tuple[Constraint, ...] = ()
    bookkeeping: tuple[str, ...] = ()


class Records(Model):
    """Every collection of the world, and the shape of the two actors that rules may read."""

    records: dict[Name, Collection]
    user: ObjectSchema
    agent: ObjectSchema


class Fixture(Model):
    """A named world that every case starts from: clock, actors, tool health and records by key."""

    fixture: Identifier
    title: str
    clock: str
    user: dict[str, Any]
    agent: dict[str, Any]
    tools: dict[Identifier, Literal["healthy"]] = {}
    world: dict[Identifier, dict[str, dict[str, Any]]]
