"""Cases that passed the gates -> those of the suite, as the coverage policy says."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

from caselock.cases.case import Case
from caselock.rules.program import Program
from caselock.spec.suite_policies import DIMENSIONS, Coverage
from caselock.suite.covering import cover
from caselock.suite.dimensions import row_of

_FREQUENCIES = {"frequent": 3, "occasional": 2, "rare": 1, None: 1}
_SEVERITIES = {"P0": 4, "P1": 3, "P2": 2, "P3": 1}


def selection(policy: Coverage) -> dict[str, Any]:
    """How a suite is chosen, as it is recorded with it: a lock made another way is no guide to this one."""
    return {"select": policy.select, "strength": policy.strength}


def selective(policy: Coverage) -> bool:
    """True when the policy may leave a case out."""
    return policy.select == "cover" or policy.size is not None


def select(program: Program, policy: Coverage, cases: Sequence[Case], locked: Collection[str]) -> tuple[Case, ...]:
    """The suite: every seed, what the last lock holds, and what covers the most that is missing.

    Under `select: all` with a size, the room that is left goes to cases that add values in larger combinations.
    """
    if not selective(policy):
        return tuple(cases)
    rows = [row_of(case) for case in cases]
    weights = [weight(program, case) for case in cases]
    seeds = [index for index, case in enumerate(cases) if not case.steps]
    old = [index for index, case in enumerate(cases) if case.steps and case.case_id in locked]
    fits = policy.size is None or len(seeds) + len(old) <= policy.size
    chosen = cover(rows, policy.strength, kept=(*seeds, *(old if fits else ())), weights=weights, limit=policy.size)
    if policy.select == "all":
        for strength in range(policy.strength + 1, len(DIMENSIONS) + 1):
            chosen = cover(rows, strength, kept=chosen, weights=weights, limit=policy.size)
        left = sorted(set(range(len(cases))) - set(chosen), key=lambda index: -weights[index])
        chosen = (*chosen, *left[: max(0, (policy.size or 0) - len(chosen))])
    return tuple(cases[index] for index in sorted(chosen))


def weight(program: Program, case: Case) -> int:
    """How much a case counts: how often its capability is wanted, times how bad a failure is."""
    capability = program.workspace.capabilities.get(case.seed.value.capability)
    frequency = None if capability is None else capability.value.frequency
    return _FREQUENCIES[frequency] * _SEVERITIES[case.seed.value.severity]
