"""Faults with their paths resolved, and when each is due."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from caselock.world.events import EffectEvent
from caselock.world.state import Record, State, Value, put

FaultMode = Literal[
    "timeout_before_execution",
    "committed_response_lost",
    "partial_success",
    "concurrent_modification",
    "injected_content",
]

Patch = Mapping[tuple[str, str, str], Value]
"""(collection, key, field) -> new value."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ActiveFault:
    """A fault of a case.

    `nth` is the call (or, for a lost response, the commit) it strikes, None for every one; `keeps` is how many changes
    a partly done call commits; `patch` is what somebody else changes, or the injected text already in its record.
    """

    index: int
    mode: FaultMode
    tool: str | None = None
    nth: int | None = None
    keeps: int = 0
    patch: Patch | None = None


def due(faults: tuple[ActiveFault, ...], count: int, tool: str, mode: FaultMode) -> ActiveFault | None:
    """The fault of this mode that strikes the tool's call or commit number `count`, if any."""
    for fault in faults:
        if fault.mode == mode and fault.tool == tool and fault.nth in (None, count):
            return fault
    return None


def patched(state: State, patch: Patch | None) -> tuple[State, list[EffectEvent]]:
    """The state after somebody else's change, and the events that say so."""
    effects: list[EffectEvent] = []
    by_record: dict[tuple[str, str], dict[str, Value]] = {}
    for (collection, key, name), value in (patch or {}).items():
        by_record.setdefault((collection, key), {})[name] = value
    for (collection, key), fields in sorted(by_record.items()):
        old = state[collection].get(key)
        record = Record(collection, key, {**(old or {}), **fields})
        state = put(state, record)
        kind: Literal["insert", "update"] = "insert" if old is None else "update"
        effects.append(EffectEvent(call=0, tool="", kind=kind, record=record, before=old))
    return state, effects
