"""A scenario: everything that may vary in a case before its label is derived, as plain data that can be compared."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from caselock.spec.faults import Attack, DirtyState, Fault, InjectedContent
from caselock.spec.seeds import Turn
from caselock.world.state import Value
from caselock.world.user import Condition, Said
from caselock.world.values import plain

WorldPath = tuple[str, ...]
"""(`clock`,), (`user`, field), (`agent`, field) or (collection, key, field), and the steps inside a nested field."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """One request of a scenario.

    `say` is the wording with its slots still marked, `phrasing` the approved phrasing it comes from. `first` gives the
    value that a slot was said with before it was said otherwise: a slot in `slots` is corrected, one in `knows`
    contradicted.
    """

    goal: str
    slots: Mapping[str, Value]
    knows: Mapping[str, Value]
    say: str
    phrasing: str | None = None
    first: Mapping[str, Value] = field(default_factory=dict)
    said: Said = "next"
    only_if: Condition | None = None

    @property
    def all_slots(self) -> dict[str, Value]:
        """What the user states and what they tell when asked."""
        return {**self.slots, **self.knows}


@dataclass(frozen=True, slots=True, kw_only=True)
class Scenario:
    """The variable part of a case.

    `overlay` is what differs from the fixture, by whole fields; faults name records by collection and key, never
    through a let.
    The user's turns in `conversation` are wordings of the first request. `one_by_one` users tell one slot at a time.
    `focus` is the request that `goal`, `slots` and the like speak of, and that `asking` changes.
    """

    seed: str
    family: str
    fixture: str
    overlay: Mapping[WorldPath, Value]
    requests: tuple[Asked, ...]
    locale: str
    conversation: tuple[Turn, ...]
    tools: tuple[str, ...]
    faults: tuple[Fault, ...]
    attack: Attack | None
    one_by_one: bool = False
    focus: int = 0

    @property
    def asked(self) -> Asked:
        """The request in focus."""
        return self.requests[self.focus]

    @property
    def goal(self) -> str:
        """The goal of the request in focus."""
        return self.asked.goal

    @property
    def slots(self) -> Mapping[str, Value]:
        """The slots that the request in focus states."""
        return self.asked.slots

    @property
    def knows(self) -> Mapping[str, Value]:
        """The slots of the request in focus that are told when asked."""
        return self.asked.knows

    @property
    def say(self) -> str:
        """The wording of the request in focus."""
        return self.asked.say

    @property
    def first(self) -> Mapping[str, Value]:
        """What slots of the request in focus were said with at first."""
        return self.asked.first

    @property
    def history(self) -> tuple[Turn, ...]:
        """The earlier turns that speak of the request in focus: the conversation leads up to the first request."""
        return self.conversation if self.focus == 0 else ()

    @property
    def all_slots(self) -> dict[str, Value]:
        """What the user states of the request in focus and what they tell when asked."""
        return self.asked.all_slots

    def asking(self, **changes: Any) -> Scenario:
        """The scenario with parts of the request in focus changed."""
        requests = list(self.requests)
        requests[self.focus] = replace(self.asked, **changes)
        return replace(self, requests=tuple(requests))

    def focused(self, request: int) -> Scenario:
        """The same scenario with another request in focus."""
        return replace(self, focus=request)

    def place(self, request: int) -> str:
        """What a request is called in documents: with a number only where there are several."""
        return "request" if len(self.requests) == 1 else f"request_{request + 1}"

    def document(self) -> dict[str, Any]:
        """The scenario as JSON data; JSON Patches between scenarios are taken over this."""
        requests = {
            self.place(index): {
                "goal": asked.goal,
                "slots": plain(asked.slots),
                "knows": plain(asked.knows),
                "first": plain(asked.first),
                "say": asked.say,
                "phrasing": asked.phrasing,
                **({"locale": self.locale} if index == self.focus else {}),
            }
            for index, asked in enumerate(self.requests)
        }
        faults: dict[str, list[Any]] = {}
        for fault in self.faults:
            faults.setdefault(subject(fault), []).append(plain(fault.model_dump(mode="python")))
        return {
            "fixture": self.fixture,
            **overlay_document(self.overlay),
            **requests,
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
