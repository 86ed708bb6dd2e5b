"""Compiled cases -> what the suite covers, counted along each dimension separately."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from typing import Any

from caselock.cases.case import Case

_DIMENSIONS: dict[str, Callable[[Case], Iterable[str]]] = {
    "buckets": lambda case: (case.bucket,),
    "capabilities": lambda case: (case.seed.value.capability,),
    "families": lambda case: (case.scenario.family,),
    "seeds": lambda case: (case.scenario.seed,),
    "operators": lambda case: (step.operator.operator for step in case.steps),
    "mutation_types": lambda case: (case.mutation_type,),
    "outcomes": lambda case: ("+".join(case.derived.label),),
    "rules": lambda case: (case.derived.final.rule,),
    "faults": lambda case: (fault.fault for fault in case.scenario.faults),
    "risks": lambda case: (case.risk,),
    "severities": lambda case: (case.seed.value.severity,),
    "tiers": lambda case: (str(case.tier),),
    "locales": lambda case: (case.scenario.locale,),
    "tools": lambda case: case.scenario.tools,
}


def coverage(cases: Iterable[Case]) -> dict[str, Any]:
    """Counts along each dimension, and how much of the suite rests on rules that a human seed exercises."""
    suite = tuple(cases)
    counted: dict[str, Any] = {
        name: dict(sorted(Counter(value for case in suite for value in values(case)).items()))
        for name, values in _DIMENSIONS.items()
    }
    exercised = {case.derived.final.rule for case in suite if not case.steps}
    resting = sum(case.derived.final.rule in exercised for case in suite)
    return {
        "cases": len(suite),
        "by": counted,
        "double_entry": {
            "rules_exercised_by_seeds": sorted(exercised),
            "cases_whose_deciding_rule_a_seed_exercises": resting,
        },
    }
