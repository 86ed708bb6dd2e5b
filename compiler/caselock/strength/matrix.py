"""The verdicts of a suite -> its kill matrix: which agent died by which element, and which elements nothing tested."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from caselock.rules.goals import CompiledGoal
from caselock.strength.agents import AGENTS
from caselock.strength.battery import Strength


def kill_matrix(goals: Mapping[str, CompiledGoal], strengths: Iterable[tuple[str, str, Strength]]) -> dict[str, Any]:
    """Counts for `coverage.json`; each strength comes with the goal and the final outcome of its case.

    `kills` counts cases by agent and element, `sole` how often an element was all that an agent failed by.
    """
    words: dict[str, Counter[str]] = {agent: Counter() for agent in AGENTS}
    kills: dict[str, Counter[str]] = {agent: Counter() for agent in AGENTS}
    sole: Counter[str] = Counter()
    for goal, outcome, strength in strengths:
        for verdict in strength.verdicts:
            words[verdict.agent][verdict.word] += 1
            words[verdict.agent]["by_text_alone"] += verdict.by_text_alone
            kills[verdict.agent].update(set().union(*verdict.kills))
            sole.update(_named(goal, outcome, next(iter(kill))) for kill in verdict.kills if len(kill) == 1)
    return {
        "agents": {agent: dict(sorted(counts.items())) for agent, counts in words.items()},
        "kills": {agent: dict(sorted(counts.items())) for agent, counts in kills.items()},
        "sole": dict(sorted(sole.items())),
        "untested": sorted(set(_elements(goals)) - set(sole)),
    }


def _named(goal: str, outcome: str, element: str) -> str:
    """An element of a contract with the contract it is of; the others are the same in every case."""
    return element if element.startswith(("behavior.", "safety.")) else f"{goal}.{outcome}.{element}"


def _elements(goals: Mapping[str, CompiledGoal]) -> Iterator[str]:
    """Every element that some case of a goal could be the only one to need."""
    for name, goal in goals.items():
        yield from (f"behavior.invariant.{invariant}" for invariant in goal.spec.invariants)
        yield from (f"behavior.forbidden.{tool}" for tool in goal.spec.forbidden_tools)
        for outcome, contract in goal.outcomes.items():
            place = f"{name}.{outcome}"
            yield from (f"{place}.outcome.creates.{made}" for made in contract.spec.creates)
            yield from (f"{place}.outcome.ensures[{index}]" for index in range(len(contract.ensures)))
            yield from (f"{place}.response.says.{claim}" for claim in contract.says)
            yield from (f"behavior.invariant.{invariant}" for invariant in contract.spec.invariants)
