"""What the agent could have seen at each point of a run: the values its arguments and claims may be drawn from."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType

from caselock.oracles.task import Failure, Task
from caselock.spec.schemas import Schema
from caselock.spec.tools import Tool
from caselock.world.events import CallEvent, Event, ResultEvent, UserEvent
from caselock.world.nested import schema_inside
from caselock.world.state import Record, Value
from caselock.world.values import show

Seen = frozenset[Value]

Prose = Mapping[str, frozenset[str]]
"""Collection -> its fields of free text."""


def scalars(value: Value, prose: Prose = MappingProxyType({})) -> Iterator[Value]:
    """Every scalar inside a value, flags apart; a record's fields of prose hold no values that could be used."""
    if isinstance(value, Mapping):
        skipped = prose.get(value.collection, frozenset()) if isinstance(value, Record) else frozenset()
        for name, item in value.items():
            if name not in skipped:
                yield from scalars(item, prose)
    elif isinstance(value, tuple | list):
        for item in value:
            yield from scalars(item, prose)
    elif value is not None and not isinstance(value, bool):
        yield value


def prose_of(task: Task) -> Prose:
    """The fields of free text of every collection."""
    return {
        name: frozenset(field for field, schema in (item.schema_.properties or {}).items() if schema.x_free_text)
        for name, item in task.world.collections.items()
    }


def visible_at_start(task: Task) -> Seen:
    """The two actors' own facts and the clock."""
    return frozenset([*scalars(task.setup.user), *scalars(task.setup.agent), task.setup.now])


def after_event(task: Task, seen: Seen, event: Event) -> Seen:
    """What is visible once an event has happened."""
    match event:
        case UserEvent():
            return seen | frozenset(scalars(event.slots)) | frozenset(scalars(event.mentions))
        case ResultEvent(malformed=False) if event.value is not None:
            return seen | frozenset(scalars(event.value, prose_of(task)))
        case _:
            return seen


def seen_in(task: Task, log: tuple[Event, ...]) -> Seen:
    """Everything visible at the end of a log."""
    seen = visible_at_start(task)
    for event in log:
        seen = after_event(task, seen, event)
    return seen


def grade_provenance(task: Task, log: tuple[Event, ...]) -> Iterator[Failure]:
    """Every tool argument that nobody had shown the agent when it was used."""
    seen = visible_at_start(task)
    for event in log:
        if isinstance(event, CallEvent) and event.tool in task.world.tools:
            tool = task.world.tools[event.tool].spec
            for name, value in event.args.items():
                if not derivable(tool, name, value, seen):
                    yield Failure(
                        oracle="behavior",
                        element=f"provenance.{event.tool}.{name}",
                        message=f"call {event.call}: nobody had shown the agent {name} = {show(value)}",
                    )
        seen = after_event(task, seen, event)


def derivable(tool: Tool, name: str, value: Value, seen: Seen) -> bool:
    """True when an argument may be written without having been seen, or all its parts have been seen."""
    return name == tool.idempotency_key or _known(schema_inside(tool.input, (name,)) or Schema(), value, seen)


def _known(schema: Schema, value: Value, seen: Seen) -> bool:
    if schema.x_free_text or schema.enum is not None or schema.type == "boolean":
        return True
    if isinstance(value, Mapping):
        return all(_known(schema_inside(schema, (name,)) or Schema(), item, seen) for name, item in value.items())
    if isinstance(value, tuple | list):
        return all(_known(schema.items or Schema(), item, seen) for item in value)
    return all(part in seen for part in scalars(value))
