"""A case -> its signature: what it tests, apart from the family it comes from and the words it is put in."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from caselock.cases.case import Case
from caselock.cases.scenario import Asked
from caselock.expr.values import Undefined
from caselock.rules.tables import Decision
from caselock.spec.operators import Phrase, Typo
from caselock.world.values import plain


@dataclass(frozen=True, slots=True, kw_only=True)
class Signature:
    """What makes two cases the same test; each part is canonical JSON text."""

    goal: str
    facts: str
    world: str
    fault: str
    permission: str
    risk: str
    behaviour: str
    timing: str
    phrasing: str
    locale: str


def signature(case: Case) -> Signature:
    """The signature of a case."""
    scenario, derived = case.scenario, case.derived
    attack = None if scenario.attack is None else scenario.attack.model_dump()
    return Signature(
        goal=_text([asked.goal for asked in scenario.requests]),
        facts=_text([_facts(stage.facts) for stage in derived.stages]),
        world=_text([scenario.fixture, [request.initial_state for request in derived.requests]]),
        fault=_text([sorted(_text(fault.model_dump(mode="python")) for fault in scenario.faults), attack]),
        permission=_text(
            [[request.user_permissions for request in derived.requests], case.task.setup.agent, sorted(scenario.tools)]
        ),
        risk=case.risk,
        behaviour=behaviour(case),
        timing=_text([*(_timing(asked) for asked in scenario.requests), len(scenario.conversation)]),
        phrasing=_text(sorted(_phrasing(case))),
        locale=scenario.locale,
    )


def behaviour(case: Case) -> str:
    """What is expected of the agent: the outcomes with their reasons, and the state that they lead to."""
    requests = zip(case.scenario.requests, case.derived.requests, strict=True)
    return _text([[asked.goal, _outcomes(derived.stages), derived.state] for asked, derived in requests])


def _outcomes(stages: Iterable[Decision]) -> list[list[str | None]]:
    return [[stage.outcome, stage.reason] for stage in stages]


def _timing(asked: Asked) -> list[Any]:
    return [sorted(asked.slots), sorted(asked.knows), asked.said, asked.only_if]


def situation(case: Case) -> str:
    """What the agent meets: text, world, actor, tools, faults; the clock is the fixture's."""
    document = case.scenario.document()
    parts = {name: document[name] for name in ("fixture", "user", "agent", "world", "conversation", "tools", "faults")}
    said = [[wish.text, wish.said, wish.only_if, plain(wish.knows)] for wish in case.task.script.requests]
    return _text([said, parts])


def _facts(facts: Any) -> dict[str, Any]:
    return {name: value for name, value in facts.items() if not isinstance(value, Undefined)}


def _phrasing(case: Case) -> Iterator[str]:
    """The tags of the wordings that operators chose, and the slips they made."""
    for step in case.steps:
        match step.operator.mutation:
            case Phrase(tag=tag):
                yield tag
            case Typo(slip=slip):
                yield f"typo {slip}"
            case mutation:
                if step.operator.type in ("language", "dialogue"):
                    yield mutation.kind


def _text(value: Any) -> str:
    return json.dumps(plain(value), sort_keys=True, ensure_ascii=False)
