"""A human operator on a seed -> the draft of a seed, whose expectations people have to write."""

from __future__ import annotations

from typing import Any

from caselock.cases.mutations import Child
from caselock.cases.scenario import Asked, Scenario
from caselock.spec.operators import Operator
from caselock.spec.seeds import Seed
from caselock.world.values import plain

_OF_THE_PARENT = {"user_input", "notes", "lift", "status_reason", "attack", "faults", "overlay"}


def draft_seed(operator: Operator, seed: Seed, child: Child) -> dict[str, Any]:
    """The document of a seed that states what the operator changed, and leaves the places for the label empty.

    It has the status `draft`: it is listed and never compiled until somebody has written what to expect.
    """
    name = "_".join(part for part in (seed.seed, operator.operator, child.param) if part)
    name = name.replace("-", "_").replace(".", "_")
    document = seed.model_dump(mode="python", by_alias=True, exclude_unset=True, exclude=_OF_THE_PARENT)
    drafted: dict[str, Any] = {
        **document,
        "seed": name,
        "case_id": name,
        "version": "1",
        "title": f"{seed.title}; {operator.title}",
        "author": operator.approved_by or seed.owner,
        "risk": operator.risk,
        "locale": child.scenario.locale,
        "status": "draft",
        "status_reason": f"Drafted by operator {operator.operator}; people write what is expected of it.",
        "provenance": {"kind": "authored"},
        **_circumstances(child.scenario),
        "expected": {
            "outcome": [],
            "rule": seed.expected.rule,
            "state": {},
            "required_invariants": [],
            "allowed_actions": [],
            "forbidden_actions": [],
            **({"then": [{"outcome": []} for _ in seed.requests[1:]]} if len(seed.requests) > 1 else {}),
        },
        "reference": [],
        "reviews": [],
    }
    return {name: plain(value) for name, value in drafted.items()}


def _circumstances(scenario: Scenario) -> dict[str, Any]:
    written: dict[str, Any] = {
        "requests": [_request(asked) for asked in scenario.requests],
        "conversation": [turn.model_dump() for turn in scenario.conversation],
        "tools": list(scenario.tools),
    }
    if scenario.overlay:
        written["overlay"] = {".".join(path): value for path, value in scenario.overlay.items()}
    if scenario.faults:
        written["faults"] = [fault.model_dump(mode="python") for fault in scenario.faults]
    if scenario.attack is not None:
        written["attack"] = scenario.attack.model_dump()
    return written


def _request(asked: Asked) -> dict[str, Any]:
    written: dict[str, Any] = {"goal": asked.goal, "slots": dict(asked.slots), "say": asked.say}
    if asked.knows:
        written["knows"] = dict(asked.knows)
    if asked.said != "next":
        written["said"] = asked.said
    if asked.only_if is not None:
        written["only_if"] = asked.only_if
    return written
