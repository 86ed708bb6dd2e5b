"""Schemas of records, slots and tools -> the static types that expressions are checked against."""

from __future__ import annotations

from collections.abc import Mapping

from caselock.expr.types import (
    Bool,
    Collection,
    Decimal,
    Duration,
    Enum,
    Field,
    Id,
    Int,
    List,
    Map,
    Record,
    String,
    Timestamp,
    Type,
    Variable,
)
from caselock.spec.decisions import Outcome
from caselock.spec.schemas import Schema
from caselock.spec.world import Records

OUTCOMES: tuple[Outcome, ...] = ("fulfil", "clarify", "confirm", "escalate", "refuse")
OUTCOME_TYPE = Enum(name="outcome", values=OUTCOMES)


def type_of(schema: Schema, name: str, *, declared: bool) -> Type:
    """The static type of a value with this schema.

    `name` is how messages call it; `declared` says that its references are the world's own, so that a failed
    look-up is an error rather than a missing value.
    """
    if schema.enum is not None:
        return Enum(name=name, values=schema.enum)
    if schema.x_ref is not None:
        return Id(collection=schema.x_ref, declared=declared)
    match schema.type:
        case "number":
            return Decimal(step=None if schema.multiple_of is None else schema.multiple_of)
        case "integer":
            return Int()
        case "boolean":
            return Bool()
        case "array":
            return List(item=type_of(schema.items or Schema(), f"{name}[]", declared=declared))
        case "object":
            return _object_type(schema, name, declared)
        case _:
            return _text_type(schema)


def _text_type(schema: Schema) -> Type:
    if schema.format == "date-time":
        return Timestamp()
    return Duration() if schema.format == "duration" else String()


def _object_type(schema: Schema, name: str, declared: bool) -> Type:
    if isinstance(schema.additional_properties, Schema):
        value = type_of(schema.additional_properties, f"{name}[]", declared=declared)
        return Map(key=String(), value=value)
    return record_of(schema, name, declared=declared)


def record_of(schema: Schema, name: str, *, declared: bool) -> Record:
    """The record type of an object schema; fields that are not required may be absent."""
    return Record(
        name=name,
        fields={
            field: Field(
                type=type_of(inner, f"{name}.{field}", declared=declared), optional=field not in schema.required
            )
            for field, inner in (schema.properties or {}).items()
        },
    )


def collection_types(records: Records) -> dict[str, Collection]:
    """Every record collection as a type: indexed by key, its records reached through macros."""
    types: dict[str, Collection] = {}
    for name, collection in records.records.items():
        record = record_of(collection.schema_, name, declared=True)
        key = Id(collection=name, declared=True)
        fields = dict(record.fields) | {collection.key: Field(type=key, optional=False)}
        types[name] = Collection(record=Record(name=name, fields=fields), key_type=key)
    return types


def world_variables(records: Records) -> dict[str, Variable]:
    """The names every workspace expression may use: the collections, the two actors and the clock."""
    variables: dict[str, Variable] = {
        name: Variable(type=collection, optional=False) for name, collection in collection_types(records).items()
    }
    variables["user"] = Variable(type=record_of(records.user, "user", declared=True), optional=False)
    variables["agent"] = Variable(type=record_of(records.agent, "agent", declared=True), optional=False)
    variables["now"] = Variable(type=Timestamp(), optional=False)
    return variables


def request_type(slots: Mapping[str, Schema]) -> Record:
    """The type of `request`: every slot may be unsaid."""
    return Record(
        name="request",
        fields={
            name: Field(type=type_of(schema, f"request.{name}", declared=False), optional=True)
            for name, schema in slots.items()
        },
    )
