"""A scenario that operators are applied to, with the facts that their conditions and values may read."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from caselock.cases.build import Stage, Unbuildable, build_task, set_stage
from caselock.cases.derive import Underivable, first_stages, left_by_earlier
from caselock.cases.scenario import Scenario
from caselock.expr.types import Field, List, Record, String, Variable
from caselock.oracles.outcome import asks_of
from caselock.oracles.task import Task
from caselock.rules.goals import CompiledGoal
from caselock.rules.program import Program
from caselock.rules.tables import Decision
from caselock.spec.seeds import Seed
from caselock.world.state import Value
from caselock.world.types import OUTCOME_TYPE


@dataclass(frozen=True, slots=True, kw_only=True)
class Parent:
    """A scenario with its world and its decisions before any fault strikes."""

    seed: Seed
    scenario: Scenario
    stage: Stage
    values: Mapping[str, Value]
    stages: tuple[Decision, ...]

    @property
    def decision(self) -> Decision:
        """The decision once every slot is known."""
        return self.stages[-1]


def parent_of(program: Program, seed: Seed, scenario: Scenario) -> Parent | Unbuildable | Underivable:
    """The scenario as a parent, or why it cannot be one."""
    stage = set_stage(program, scenario)
    if isinstance(stage, Unbuildable):
        return stage
    task = build_task(program, scenario, scenario.seed)
    if isinstance(task, Unbuildable):
        return task
    return _decided(program, seed, scenario, stage, task)


def _decided(program: Program, seed: Seed, scenario: Scenario, stage: Stage, task: Task) -> Parent | Underivable:
    state = left_by_earlier(task)
    if isinstance(state, Underivable):
        return state
    stages = first_stages(task, state)
    if isinstance(stages, Underivable):
        return stages
    stage = replace(stage, state=state) if task.focus else stage
    values = stage.values(program, scenario)
    scope = {
        **values,
        "facts": {name: value for name, value in stages[-1].facts.items() if not isinstance(value, Exception)},
        "outcome": stages[-1].outcome,
        "rule": stages[-1].rule,
        "tools": scenario.tools,
        "faults": tuple(fault.fault for fault in scenario.faults),
        "risk": seed.risk,
        "provenance": seed.provenance.kind,
        "stated": tuple(sorted(scenario.slots)),
        "asked": tuple(slot for stage in stages for slot in asks_of(task, stage)),
    }
    return Parent(seed=seed, scenario=scenario, stage=stage, values=scope, stages=stages)


def parent_scope(goal: CompiledGoal) -> dict[str, Variable]:
    """The types of the names that an operator's expressions read."""
    facts = {name: Field(type=variable.type, optional=True) for name, variable in goal.table.input_types.items()}
    return {
        **goal.scope,
        "facts": Variable(type=Record(name="facts", fields=facts), optional=False),
        "outcome": Variable(type=OUTCOME_TYPE, optional=False),
        "rule": Variable(type=String(), optional=False),
        "tools": Variable(type=List(item=String()), optional=False),
        "faults": Variable(type=List(item=String()), optional=False),
        "risk": Variable(type=String(), optional=False),
        "provenance": Variable(type=String(), optional=False),
        "stated": Variable(type=List(item=String()), optional=False),
        "asked": Variable(type=List(item=String()), optional=False),
    }
