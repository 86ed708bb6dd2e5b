"""Cases that end without a fulfilment -> what would have to be undone for one: a refusal alone proves nothing."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import combinations

from caselock.cases.build import build_task
from caselock.cases.case import Case, Lift
from caselock.cases.derive import Derived, DerivedRequest, derive
from caselock.cases.double_entry import CheckedSeed
from caselock.cases.edit import set_field
from caselock.cases.expand import ChainStep, aimed
from caselock.cases.mutations import CompiledOperator, mutate
from caselock.cases.parent import Parent, parent_of
from caselock.cases.paths import BadPath
from caselock.cases.scenario import Scenario
from caselock.cases.twins import faultless
from caselock.diagnostics.diagnostic import Diagnostic
from caselock.expr.values import EvaluationError
from caselock.oracles.outcome import asks_of
from caselock.oracles.task import Task
from caselock.rules.program import Program

Operators = Mapping[str, CompiledOperator]
Seeds = Mapping[str, CheckedSeed]


def with_lifts(
    program: Program, operators: Operators, seeds: Seeds, cases: tuple[Case, ...]
) -> tuple[tuple[Case, ...], tuple[Diagnostic, ...]]:
    """Every case, those that were mutated and end without a fulfilment beside their lift; none is a finding."""
    found: list[Diagnostic] = []
    lifted: list[Case] = []
    for case in cases:
        short = unfulfilled(case.derived)
        if case.steps and short is not None and short.final is not None:
            lift = lift_of(program, operators, seeds[case.scenario.seed], case, short)
            if lift is None:
                message = f"no part of it, undone, turns {short.final.outcome} into fulfil"
                found.append(case.finding(program, "CL0822", message, "expected"))
            lifted.append(replace(case, lift=lift))
        else:
            lifted.append(case)
    return tuple(lifted), tuple(found)


def unfulfilled(derived: Derived) -> DerivedRequest | None:
    """The first request that wants an answer and whose answer is no fulfilment."""
    due = (request for request in derived.requests if request.share.standing == "due" and request.final is not None)
    return next((request for request in due if request.label[-1] != "fulfil"), None)


def lift_of(
    program: Program, operators: Operators, seed: CheckedSeed, case: Case, short: DerivedRequest
) -> Lift | None:
    """The smallest set of chain steps whose reversal fulfils a request, with the seed's own lift where that is needed.

    A seed that ends without a fulfilment itself has a lift of its author, or faults that are to blame.
    """
    for with_seed in (False, True):
        for size in range(len(case.steps) + 1):
            for undone in combinations(case.steps, size):
                left = [step for step in case.steps if step not in undone]
                scenario = case.scenario if not undone else _replayed(program, operators, case, seed.scenario, left)
                if scenario is None:
                    continue
                lifted = _seed_lifted(program, case, scenario, short) if with_seed else (scenario,)
                if any(_fulfils(program, case, seed, each, short.share.task.focus) for each in lifted):
                    return Lift(undo=tuple(step.operator.operator for step in undone), seed=with_seed)
    return None


def _replayed(
    program: Program, operators: Operators, case: Case, seed: Scenario, steps: list[ChainStep]
) -> Scenario | None:
    """The seed with some steps of the chain, or None when they do not go without the others."""
    scenario = seed
    for step in steps:
        operator = operators[step.operator.operator]
        parent = parent_of(program, case.seed.value, scenario)
        at = aimed(program, parent, operator) if isinstance(parent, Parent) else None
        if at is None:
            return None
        try:
            made = {child.param: child for child in mutate(program, operator, at)}
        except (BadPath, EvaluationError):
            return None
        if step.param not in made:
            return None
        scenario = made[step.param].scenario
    return scenario


def _seed_lifted(program: Program, case: Case, scenario: Scenario, short: DerivedRequest) -> Iterator[Scenario]:
    """The scenario with what the seed's author says would have to differ, without its faults, or with an answer."""
    task, seed = short.share.task, case.seed.value
    scenario = scenario.focused(task.focus)
    parent = parent_of(program, seed, scenario)
    if not isinstance(parent, Parent):
        return
    written_lift = seed.expected.then[task.focus - 1].lift if task.focus else seed.lift
    if written_lift:
        try:
            for field, written in written_lift.items():
                scenario = set_field(program, parent, scenario, field, written)
        except BadPath:
            return
        yield scenario
        return
    if scenario.faults:
        yield faultless(scenario)
    for slot in asks_of(task, short.final) if short.final is not None else ():
        schema = task.goal.spec.slots[slot]
        answers = [True] if schema.type == "boolean" else sorted(parent.stage.state.get(schema.x_ref or "", {}))
        for answer in answers:
            yield scenario.asking(knows={**scenario.knows, slot: answer})


def _fulfils(program: Program, case: Case, seed: CheckedSeed, scenario: Scenario, request: int) -> bool:
    if scenario is seed.scenario:
        return seed.derived.requests[request].label[-1:] == ("fulfil",)
    # What an attack wants may be what a lifted request asks for, so it is not looked at here.
    task = build_task(program, replace(scenario, attack=None), case.case_id)
    derived = derive(task) if isinstance(task, Task) else None
    return isinstance(derived, Derived) and derived.requests[request].label[-1:] == ("fulfil",)
