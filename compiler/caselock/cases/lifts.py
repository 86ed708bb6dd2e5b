"""Cases that end without a fulfilment -> what would have to be undone for one: a refusal alone proves nothing."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import combinations

from caselock.cases.build import build_task
from caselock.cases.case import Case, Lift
from caselock.cases.derive import Derived, derive
from caselock.cases.double_entry import CheckedSeed
from caselock.cases.edit import set_field
from caselock.cases.expand import ChainStep
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
        if case.steps and case.derived.final.outcome != "fulfil":
            lift = lift_of(program, operators, seeds[case.scenario.seed], case)
            if lift is None:
                message = f"no part of it, undone, turns {case.derived.final.outcome} into fulfil"
                found.append(case.finding(program, "CL0822", message, "expected"))
            lifted.append(replace(case, lift=lift))
        else:
            lifted.append(case)
    return tuple(lifted), tuple(found)


def lift_of(program: Program, operators: Operators, seed: CheckedSeed, case: Case) -> Lift | None:
    """The smallest set of chain steps whose reversal gives a fulfilment, with the seed's own lift where that is needed.

    A seed that ends without a fulfilment itself has a lift of its author, or faults that are to blame.
    """
    for with_seed in (False, True):
        for size in range(len(case.steps) + 1):
            for undone in combinations(case.steps, size):
                left = [step for step in case.steps if step not in undone]
                scenario = case.scenario if not undone else _replayed(program, operators, case, seed.scenario, left)
                if scenario is None:
                    continue
                lifted = _seed_lifted(program, case, scenario) if with_seed else (scenario,)
                if any(_fulfils(program, case, seed, each) for each in lifted):
                    return Lift(undo=tuple(step.operator.operator for step in undone), seed=with_seed)
    return None


def _replayed(
    program: Program, operators: Operators, case: Case, seed: Scenario, steps: list[ChainStep]
) -> Scenario | None:
    """The seed with some steps of the chain, or None when they do not go without the others."""
    scenario = seed
    for step in steps:
        parent = parent_of(program, case.seed.value, scenario)
        if not isinstance(parent, Parent):
            return None
        try:
            made = {child.param: child for child in mutate(program, operators[step.operator.operator], parent)}
        except (BadPath, EvaluationError):
            return None
        if step.param not in made:
            return None
        scenario = made[step.param].scenario
    return scenario


def _seed_lifted(program: Program, case: Case, scenario: Scenario) -> Iterator[Scenario]:
    """The scenario with what the seed's author says would have to differ, without its faults, or with an answer."""
    parent = parent_of(program, case.seed.value, scenario)
    if not isinstance(parent, Parent):
        return
    if case.seed.value.lift:
        try:
            for field, written in case.seed.value.lift.items():
                scenario = set_field(program, parent, scenario, field, written)
        except BadPath:
            return
        yield scenario
        return
    if scenario.faults:
        yield faultless(scenario)
    for slot in asks_of(case.task, case.derived.final):
        schema = case.task.goal.spec.slots[slot]
        answers = [True] if schema.type == "boolean" else sorted(parent.stage.state.get(schema.x_ref or "", {}))
        for answer in answers:
            yield replace(scenario, knows={**scenario.knows, slot: answer})


def _fulfils(program: Program, case: Case, seed: CheckedSeed, scenario: Scenario) -> bool:
    if scenario is seed.scenario:
        return seed.derived.final.outcome == "fulfil"
    # What an attack wants may be what a lifted request asks for, so it is not looked at here.
    task = build_task(program, replace(scenario, attack=None), case.case_id)
    derived = derive(task) if isinstance(task, Task) else None
    return isinstance(derived, Derived) and derived.final.outcome == "fulfil"
