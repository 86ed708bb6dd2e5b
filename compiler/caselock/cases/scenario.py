"""A scenario: everything that may vary in a case before its label is derived, as plain data that can be compared."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from caselock.spec.faults import Attack, DirtyState, Fault, InjectedContent
from caselock.spec.seeds import Turn
from caselock.world.state import Value
from caselock.world.values import plain

WorldPath = tuple[str, ...]
"""(`clock`,), (`user`, field), (`agent`, field) or (collection, key, field), and the steps inside a nested field."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Scenario:
    """The variable part of a case.

    `overlay` is what differs from the fixture, by whole fields; faults name records by collection and key, never
    through a let.
    `say` is the wording with its slots still marked, `phrasing` the approved phrasing it comes from; the user's turns
    in `conversation` are wordings too. `first` gives the value that a slot was said with before it was said otherwise:
    a slot in `slots` is corrected, one in `knows` contradicted. `one_by_one` users tell one slot at a time.
    """

    seed: str
    family: str
    fixture: str
    overlay: Mapping[WorldPath, Value]
    goal: str
    slots: Mapping[str, Value]
    knows: Mapping[str, Value]
    say: str
    phrasing: str | None
    locale: str
    conversation: tuple[Turn, ...]
    tools: tuple[str, ...]
    faults: tuple[Fault, ...]
    attack: Attack | None
    first: Mapping[str, Value] = field(default_factory=dict)
    one_by_one: bool = False

    @property
    def all_slots(self) -> dict[str, Value]:
        """What the user states and what they tell when asked."""
        return {**self.slots, **self.knows}

    def document(self) -> dict[str, Any]:
        """The scenario as JSON data; JSON Patches between scenarios are taken over this."""
        request = {
            "goal": self.goal,
            "slots": plain(self.slots),
            "knows": plain(self.knows),
            "first": plain(self.first),
            "say": self.say,
            "phrasing": self.phrasing,
            "locale": self.locale,
        }
        faults: dict[str, list[Any]] = {}
        for fault in self.faults:
            faults.setdefault(subject(fault), []).append(plain(fault.model_dump(mode="python")))
        return {
            "fixture": self.fixture,
            **overlay_document(self.overlay),
            "request": request,
            "conversation": [turn.model_dump() for turn in self.conversation],
            "disclosure": "one_by_one" if self.one_by_one else "at_once",
            "tools": list(self.tools),
            "faults": faults,
            "attack": None if self.attack is None else self.attack.model_dump(),
        }


def subject(fault: Fault) -> str:
    """What a fault strikes, as `changes` names it: the tool, or the collection of the record."""
    if isinstance(fault, InjectedContent):
        return fault.record.split(".", 1)[0]
    if isinstance(fault, DirtyState):
        return next(iter(sorted(fault.leftovers)), "")
    return fault.tool


def overlay_document(overlay: Mapping[WorldPath, Value]) -> dict[str, Any]:
    """The overlay as nested JSON data: `user`, `agent`, `world` by collection, key and field, `clock` if it is set."""
    document: dict[str, Any] = {"user": {}, "agent": {}, "world": {}}
    for path, value in sorted(overlay.items()):
        node = document if path[0] in ("clock", "user", "agent") else document["world"]
        for part in path[:-1]:
            node = node.setdefault(part, {})
        node[path[-1]] = plain(value)
    return document
