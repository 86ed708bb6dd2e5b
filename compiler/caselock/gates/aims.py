"""The aims gate: an operator that was written to make a rule decide does so in at least one of its cases."""

from __future__ import annotations

from collections.abc import Iterator

from caselock.cases.case import Case
from caselock.diagnostics.diagnostic import Diagnostic
from caselock.rules.program import Program


def aims(program: Program, cases: tuple[Case, ...]) -> Iterator[Diagnostic]:
    """A finding for every aim that no case of its operator hits, judged after the case's faults have struck."""
    hit: dict[str, set[str]] = {}
    for case in cases:
        for step in case.steps:
            hit.setdefault(step.operator.operator, set()).update(stage.rule for stage in case.derived.stages)
    for name, rules in sorted(hit.items()):
        place = program.workspace.operators[name]
        for index, rule in enumerate(place.value.aims_at):
            if rule not in rules:
                message = f"operator '{name}' aims at '{rule}', which decides none of its cases"
                yield place.finding("CL0711", message, "aims_at", index, found=rule, allowed=tuple(sorted(rules)))
