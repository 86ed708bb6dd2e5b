"""The changes of a tool applied to a state: new records with generated ids, updated ones, and their events."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping

from caselock.expr.values import Missing
from caselock.world.events import EffectEvent
from caselock.world.expressions import fill
from caselock.world.model import CompiledChange, CompiledTool, World
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
) -> tuple[State, EffectEvent]:
    """One change applied: the new state and the event of the record it made or changed.

    Raises:
        Undefined: when an expression of the change is missing or in error, or an update names no record.
    """
    fields = {name: fill(tree, values) for name, tree in change.set.items()}
    if change.key is None:
        key = generated_id(world, salt, state, change.collection)
        key_field = world.collections[change.collection].key
        record = Record(change.collection, key, {key_field: key, **fields})
        return put(state, record), EffectEvent(call=number, tool=tool, kind="insert", record=record, before=None)
    old = find(state, change.collection, change.key.evaluate(values))
    if old is None:
        raise Missing(f"an update of {change.collection} names no record")
    record = old.with_fields(fields)
    return put(state, record), EffectEvent(call=number, tool=tool, kind="update", record=record, before=old)


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
