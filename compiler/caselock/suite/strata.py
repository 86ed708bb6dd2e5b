"""The stratum of a case: happy, edge, adversarial or regression; the one definition that targets and reports share."""

from __future__ import annotations

from typing import Literal, get_args

from caselock.cases.case import Case
from caselock.spec.seeds import Regression

Stratum = Literal["happy", "edge", "adversarial", "regression"]
STRATA: tuple[Stratum, ...] = get_args(Stratum)

_PLAIN = frozenset({"language"})
"""Kinds of mutation that leave the facts and the course of a case as they were."""


def stratum(case: Case) -> Stratum:
    """The first that fits: written after an incident, under attack, off the straight way to fulfilment, or happy."""
    types = {step.operator.type for step in case.steps}
    if isinstance(case.seed.value.provenance, Regression):
        return "regression"
    if case.scenario.attack is not None or "adversarial" in types:
        return "adversarial"
    if case.scenario.faults or types - _PLAIN or case.derived.label != ("fulfil",):
        return "edge"
    return "happy"
