"""Faults with their paths resolved, and when each is due."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from caselock.spec.faults import FaultMode
from caselock.world.events import EffectEvent
from caselock.world.nested import placed
from caselock.world.state import Record, State, Value, find, put

STOPS: tuple[FaultMode, ...] = ("timeout_before_execution", "rate_limit", "error_code")
"""Faults that answer an error before anything is done."""

AT_START: tuple[FaultMode, ...] = ("injected_content", "dirty_state")
"""Faults that are in the world from the start."""

Patch = Mapping[tuple[str, ...], Value]
"""(collection, key, field, and the steps inside a nested one) -> new value."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ActiveFault:
    """A fault of a case.

    `nth` is the first call it strikes, or the first commit where the fault is about one, and `times` how many in a row;
    without `nth` it strikes every one. `keeps` is how many
    changes a partly done call commits, `reads` how many reads a change stays invisible, `padding` how many characters a
    huge result has, `error` the code that is answered. `patch` is what is changed or was left in the world.
    """

    index: int
    mode: FaultMode
    tool: str | None = None
    nth: int | None = None
    times: int = 1
    keeps: int = 0
    reads: int = 0
    padding: int = 0
    error: str | None = None
    patch: Patch | None = None

    def strikes(self, count: int) -> bool:
        """Whether it strikes the call or commit of this number."""
        return self.nth is None or self.nth <= count < self.nth + self.times


def due(faults: tuple[ActiveFault, ...], count: int, tool: str, mode: FaultMode) -> ActiveFault | None:
    """The fault of this mode that strikes the tool's call or commit number `count`, if any."""
    for fault in faults:
        if fault.mode == mode and fault.tool == tool and fault.strikes(count):
            return fault
    return None


def patched(state: State, patch: Patch | None) -> tuple[State, list[EffectEvent]]:
    """The state after somebody else's change, and the events that say so.

    Raises:
        NoPlace: when a record has no such place.
    """
    effects: list[EffectEvent] = []
    by_record: dict[tuple[str, str], list[tuple[tuple[str, ...], Value]]] = {}
    for (collection, key, *steps), value in (patch or {}).items():
        by_record.setdefault((collection, key), []).append((tuple(steps), value))
    for (collection, key), changes in sorted(by_record.items()):
        old = state[collection].get(key)
        record = Record(collection, key, old or {})
        for place, value in changes:
            record = placed(record, place, value)
        state = put(state, record)
        kind: Literal["insert", "update"] = "insert" if old is None else "update"
        effects.append(EffectEvent(call=0, tool="", kind=kind, record=record, before=old))
    return state, effects


def theirs(before: State, event: EffectEvent) -> Record:
    """What somebody else changed, on the record as it would be without the agent's own work."""
    record = event.record
    old: Mapping[str, Value] = event.before or {}
    fields = {name: value for name, value in record.items() if name not in old or old[name] != value}
    known = find(before, record.collection, record.key)
    return record if known is None else known.with_fields(fields)
