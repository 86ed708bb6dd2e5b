"""Compiled cases -> what the suite covers, counted along each dimension separately."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from decimal import Decimal
from typing import Any

from caselock.cases.case import Case
from caselock.solve.steps import Ask
from caselock.suite.scenarios import tool_scenarios
from caselock.suite.strata import STRATA, stratum

_DIMENSIONS: dict[str, Callable[[Case], Iterable[str]]] = {
    "buckets": lambda case: (case.bucket,),
    "capabilities": lambda case: (case.seed.value.capability,),
    "families": lambda case: (case.scenario.family,),
    "seeds": lambda case: (case.scenario.seed,),
    "operators": lambda case: (step.operator.operator for step in case.steps),
    "mutation_types": lambda case: (case.mutation_type,),
    "operator_types": lambda case: sorted({step.operator.type for step in case.steps}),
    "strata": lambda case: (stratum(case),),
    "outcomes": lambda case: ("+".join(case.derived.label),),
    "rules": lambda case: (final.rule for final in case.derived.finals),
    "faults": lambda case: (fault.fault for fault in case.scenario.faults),
    "risks": lambda case: (case.risk,),
    "severities": lambda case: (case.seed.value.severity,),
    "tiers": lambda case: (str(case.tier),),
    "locales": lambda case: (case.scenario.locale,),
    "tools": lambda case: case.scenario.tools,
    "turns": lambda case: (turns(case),),
}


def turns(case: Case) -> str:
    """How the conversation goes: a request alone, one with questions to answer, or one after earlier turns."""
    if case.scenario.conversation:
        return "after earlier turns"
    return "with questions" if any(isinstance(step, Ask) for step in case.derived.plan.steps) else "single"


def coverage(cases: Iterable[Case]) -> dict[str, Any]:
    """Counts along each dimension, and how much of the suite rests on rules that a human seed exercises."""
    suite = tuple(cases)
    counted: dict[str, Any] = {
        name: dict(sorted(Counter(value for case in suite for value in values(case)).items()))
        for name, values in _DIMENSIONS.items()
    }
    exercised = {final.rule for case in suite if not case.steps for final in case.derived.finals}
    resting = sum(all(final.rule in exercised for final in case.derived.finals) for case in suite)
    return {
        "cases": len(suite),
        "by": counted,
        "shares": {"strata": shares({name: counted["strata"].get(name, 0) for name in STRATA})},
        "tool_scenarios": tool_scenarios(suite),
        "double_entry": {
            "rules_exercised_by_seeds": sorted(exercised),
            "cases_whose_deciding_rule_a_seed_exercises": resting,
        },
    }


def shares(counts: Mapping[str, int]) -> dict[str, str]:
    """Each count as a share of all, from 0.000 to 1.000, as text since bundles hold no floats."""
    total = max(1, sum(counts.values()))
    return {name: str((Decimal(count) / total).quantize(Decimal("0.001"))) for name, count in counts.items()}
