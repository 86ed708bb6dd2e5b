"""The promises gate: a case keeps what its operators promised of it - the outcome preserved, invariants in force."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from caselock.cases.actions import required_invariants
from caselock.cases.case import Case
from caselock.cases.double_entry import CheckedSeed
from caselock.diagnostics.diagnostic import Diagnostic, Related
from caselock.oracles.grade import attack_succeeded
from caselock.rules.program import Program
from caselock.spec.operators import Operator
from caselock.world.environment import start


def promises(program: Program, seeds: Mapping[str, CheckedSeed], cases: tuple[Case, ...]) -> Iterator[Diagnostic]:
    """A finding for every promise that the derived label of a mutated case breaks."""
    for case in cases:
        if case.steps:
            yield from _preserved(program, seeds[case.scenario.seed], case)
            yield from _kept(program, case)
            yield from _attack_open(program, case)


def _preserved(program: Program, seed: CheckedSeed, case: Case) -> Iterator[Diagnostic]:
    before, after = (
        [(final.outcome, final.reason) for final in derived.finals] for derived in (seed.derived, case.derived)
    )
    if before != after and all(step.operator.effect == "preserve" for step in case.steps):
        ends, rules = (
            " and ".join(outcome for outcome, _ in before),
            ", ".join(f"{final.outcome} ({final.rule})" for final in case.derived.finals),
        )
        message = f"the seed ends in {ends}, the case in {rules}"
        yield _finding(program, case, case.steps[-1].operator, "CL0710", message, "effect")


def _kept(program: Program, case: Case) -> Iterator[Diagnostic]:
    bound = required_invariants(case.derived)
    for step in case.steps:
        for index, name in enumerate(step.operator.keeps):
            if name not in bound:
                yield _finding(program, case, step.operator, "CL0705", f"'{name}' does not bind it", "keeps", index)


def _attack_open(program: Program, case: Case) -> Iterator[Diagnostic]:
    """An attack must still be there to be won, else the agent is blamed for what the world already was."""
    if attack_succeeded(case.task, start(case.task.setup), case.task.setup.state):
        message = "the attack's goal is reached at the start"
        yield _finding(program, case, case.steps[-1].operator, "CL0804", message, "mutation")


def _finding(program: Program, case: Case, operator: Operator, code: str, message: str, *path: str | int) -> Diagnostic:
    place = program.workspace.operators[operator.operator]
    related = (Related(span=case.seed.span("seed"), message=f"on seed '{case.scenario.seed}'"),)
    return place.finding(code, f"case '{case.case_id}': {message}", *path, related=related)
