"""Cases with faults -> the same cases with their twins: what the rules make of each without the fault."""

from __future__ import annotations

from dataclasses import replace

from caselock.cases.build import Unbuildable, build_task
from caselock.cases.case import Case, Twin
from caselock.cases.derive import Derived, Underivable, derive
from caselock.cases.scenario import Scenario
from caselock.diagnostics.diagnostic import Diagnostic
from caselock.rules.program import Program
from caselock.source.canonical import canonical_bytes
from caselock.spec.faults import InjectedContent


def with_twins(program: Program, cases: tuple[Case, ...]) -> tuple[tuple[Case, ...], tuple[Diagnostic, ...]]:
    """Every case, those with faults beside their twin; a twin that cannot be derived is a finding.

    So is a fault that changes neither the plan nor anything the agent could see: then the base decides, not the fault.
    """
    calm = {_key(case.scenario): case.case_id for case in cases if not case.scenario.faults}
    found: list[Diagnostic] = []
    paired: list[Case] = []
    for case in cases:
        if not case.scenario.faults:
            paired.append(case)
            continue
        twin = faultless(case.scenario)
        derived = _derived(program, twin, case.case_id)
        if isinstance(derived, Derived):
            if _same(case.derived, derived):
                found.append(case.finding(program, "CL0821", "without its fault it runs exactly alike", "faults"))
            paired.append(replace(case, twin=Twin(case_id=calm.get(_key(twin)), derived=derived)))
        else:
            found.append(case.finding(program, "CL0820", f"without its fault: {derived.message}", "faults"))
            paired.append(case)
    return tuple(paired), tuple(found)


def faultless(scenario: Scenario) -> Scenario:
    """The scenario without faults; an attack goes with the record that carried it."""
    carried = any(isinstance(fault, InjectedContent) for fault in scenario.faults)
    return replace(scenario, faults=(), attack=None if carried else scenario.attack)


def _key(scenario: Scenario) -> bytes:
    return canonical_bytes({"seed": scenario.seed, **scenario.document()})


def _derived(program: Program, scenario: Scenario, salt: str) -> Derived | Unbuildable | Underivable:
    task = build_task(program, scenario, salt)
    return task if isinstance(task, Unbuildable) else derive(task)


def _same(one: Derived, other: Derived) -> bool:
    return one.plan.steps == other.plan.steps and one.plan.run.session.log == other.plan.run.session.log
