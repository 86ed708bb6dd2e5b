"""The changes of a tool applied to a state: new records with generated ids, updated ones, and their events."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import Any, Literal

from caselock.expr.values import Missing
from caselock.world.events import EffectEvent
from caselock.world.expressions import fill
from caselock.world.model import CompiledChange, CompiledTool, World
from caselock.world.nested import NoPlace, found, placed
from caselock.world.state import Record, State, Value, find, put


def refreshed(tool: CompiledTool, values: dict[str, Value], state: State) -> dict[str, Value]:
    """Answers show the named records as the call left them, so that a partly done call can be told from a whole one."""
    named = {change.name for change in tool.changes if change.name is not None}
    fresh = {
        name: find(state, record.collection, record.key) or record
        for name, record in values.items()
        if name in named and isinstance(record, Record)
    }
    return {**values, **fresh}


def apply_change(
    world: World,
    salt: str,
    state: State,
    change: CompiledChange,
    values: Mapping[str, Value],
    number: int,
    tool: str,
) -> tuple[State, list[EffectEvent]]:
    """One change applied: the new state and the events of the records it made or changed.

    Raises:
        Undefined: when an expression of the change is missing or in error, or an update names no record or place.
    """
    effects: list[EffectEvent] = []
    for each in _rounds(change, values):
        before, record = _written(world, salt, state, change, each)
        kind: Literal["insert", "update"] = "insert" if before is None else "update"
        effects.append(EffectEvent(call=number, tool=tool, kind=kind, record=record, before=before))
        state = put(state, record)
    return state, effects


def _rounds(change: CompiledChange, values: Mapping[str, Value]) -> list[Mapping[str, Value]]:
    if change.over is None:
        return [values]
    items: Any = change.over.items.evaluate(values)
    return [{**values, change.over.name: item} for item in items]


def _written(
    world: World, salt: str, state: State, change: CompiledChange, values: Mapping[str, Value]
) -> tuple[Record | None, Record]:
    """The record before, if there was one, and after the change."""
    if change.key is None:
        key = generated_id(world, salt, state, change.collection)
        fields = {assignment.place.field: fill(assignment.value, values) for assignment in change.set}
        return None, Record(change.collection, key, {world.collections[change.collection].key: key, **fields})
    named = change.key.evaluate(values)
    old = find(state, change.collection, named.key if isinstance(named, Record) else named)
    if old is None:
        raise Missing(f"an update of {change.collection} names no record")
    record = old
    try:
        for assignment in change.set:
            steps, value = assignment.place.at(values), fill(assignment.value, values)
            record = placed(record, steps, (*_list_at(record, steps), value) if assignment.appends else value)
    except NoPlace as missing:
        raise Missing(f"an update of {change.collection} '{old.key}' has no place: {missing}") from missing
    return old, record


def _list_at(record: Record, steps: tuple[str, ...]) -> tuple[Value, ...]:
    """The list at a place; one that is not there yet is empty."""
    try:
        return tuple(found(record, steps))
    except NoPlace:
        return ()


def generated_id(world: World, salt: str, state: State, collection: str) -> str:
    """A fresh key: the collection's prefix and a hash salted per case, so that no id can be guessed or carried over."""
    prefix = world.collections[collection].id or ""
    count = len(state[collection])
    while True:
        digest = hashlib.sha256(f"{world.salt}\n{salt}\n{collection}\n{count}".encode()).hexdigest()
        key = prefix + digest[:8].upper()
        if key not in state[collection]:
            return key
        count += 1
