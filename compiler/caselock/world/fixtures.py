"""A fixture as written -> a typed, checked state: schemas, references and constraints of every record."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from caselock.diagnostics.diagnostic import Diagnostic
from caselock.expr.values import EvaluationError
from caselock.spec.schemas import Schema
from caselock.spec.workspace import Entry
from caselock.spec.world import Collection, Fixture
from caselock.world.expressions import Compiler, holds
from caselock.world.literals import literal
from caselock.world.model import FixtureWorld, World
from caselock.world.nested import schema_inside
from caselock.world.state import Record, State, Value
from caselock.world.values import Unreadable, read_timestamp


def build_fixture(entry: Entry[Fixture], world: World, compiler: Compiler) -> FixtureWorld | None:
    """The fixture as typed values, or None when its clock cannot be read; findings go to the compiler."""
    fixture = entry.value
    try:
        now = read_timestamp(fixture.clock)
    except Unreadable as unreadable:
        compiler.diagnostics.append(entry.finding("CL0408", str(unreadable), "clock", found=fixture.clock))
        return None
    _check_names(entry, world, compiler)
    user = literal(entry, ("user",), world.user_schema, fixture.user, compiler)
    agent = literal(entry, ("agent",), world.agent_schema, fixture.agent, compiler)
    before = len(compiler.diagnostics)
    state = {
        name: _records(entry, name, collection, compiler) for name, collection in sorted(world.collections.items())
    }
    if len(compiler.diagnostics) > before:
        return None  # a constraint cannot be evaluated on a record that breaks its schema
    for problem in world_problems(world, state):
        compiler.diagnostics.append(problem.at(entry))
    for part, schema, actor in (("user", world.user_schema, user), ("agent", world.agent_schema, agent)):
        for place, target, named in references(schema, actor):
            if named not in state.get(target, ()):
                message = f"the {part} names {target} '{named}', which is not there"
                compiler.diagnostics.append(entry.finding("CL0402", message, part, *place, found=str(named)))
    return FixtureWorld(name=fixture.fixture, now=now, user=user, agent=agent, state=state)


def _check_names(entry: Entry[Fixture], world: World, compiler: Compiler) -> None:
    for name in entry.value.records:
        if name not in world.collections:
            compiler.diagnostics.append(
                entry.finding(
                    "CL0404",
                    f"unknown collection '{name}'",
                    "world",
                    name,
                    key=True,
                    found=name,
                    allowed=tuple(sorted(world.collections)),
                )
            )


def _records(entry: Entry[Fixture], name: str, collection: Collection, compiler: Compiler) -> dict[str, Record]:
    records: dict[str, Record] = {}
    for key, written in sorted(entry.value.records.get(name, {}).items()):
        fields = literal(entry, ("world", name, key), collection.schema_, {collection.key: key, **written}, compiler)
        if written.get(collection.key, key) != key:
            compiler.diagnostics.append(
                entry.finding(
                    "CL0405",
                    f"the record under '{key}' says it is '{written[collection.key]}'",
                    "world",
                    name,
                    key,
                    collection.key,
                )
            )
        records[key] = Record(name, key, fields)
    return records


class WorldProblem:
    """A record that breaks a reference or a constraint of the world."""

    __slots__ = ("code", "message", "path", "record")

    def __init__(self, code: str, record: Record, path: tuple[str | int, ...], message: str) -> None:
        self.code, self.record, self.path, self.message = code, record, path, message

    def at(self, entry: Entry[Fixture]) -> Diagnostic:
        """The finding in the fixture that holds the record."""
        path = ("world", self.record.collection, self.record.key, *self.path)
        return entry.finding(self.code, self.message, *path)


def world_problems(world: World, state: State) -> Iterator[WorldProblem]:
    """Every dangling reference and broken constraint of a state."""
    for name, records in state.items():
        for record in records.values():
            yield from record_problems(world, state, name, record)


def record_problems(world: World, state: State, name: str, record: Record) -> Iterator[WorldProblem]:
    """What is wrong with one record: its references and its constraints."""
    for path, target, named in references(world.collections[name].schema_, record):
        if named not in state.get(target, ()):
            message = f"{name} '{record.key}' names {target} '{named}', which is not there"
            yield WorldProblem("CL0402", record, path, message)
    for constraint, expression in world.constraints.get(name, ()):
        try:
            kept = holds(expression, {"record": record})
        except EvaluationError as error:
            message = f"constraint '{constraint}' is in error on {name} '{record.key}': {error.reason}"
            yield WorldProblem("CL0403", record, (), message)
            continue
        if not kept:
            yield WorldProblem("CL0403", record, (), f"{name} '{record.key}' breaks the constraint '{constraint}'")


def references(schema: Schema, value: Value, *path: str | int) -> Iterator[tuple[tuple[str | int, ...], str, Value]]:
    """(path, collection, key) of every declared reference inside a value."""
    if schema.x_ref is not None and isinstance(value, str):
        yield path, schema.x_ref, value
    if isinstance(value, Mapping):
        for name, item in value.items():
            inner = schema_inside(schema, (name,))
            if inner is not None:
                yield from references(inner, item, *path, name)
    elif isinstance(value, tuple) and schema.items is not None:
        for index, item in enumerate(value):
            yield from references(schema.items, item, *path, index)
