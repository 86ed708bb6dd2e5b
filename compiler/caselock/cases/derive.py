"""A task -> its derived contract: the outcome the rules decide, a proven plan, and the state that the plan leads to."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from caselock.expr.ast import free_variables
from caselock.expr.values import EvaluationError
from caselock.oracles.grade import attack_succeeded
from caselock.oracles.outcome import asks_of
from caselock.oracles.task import Task
from caselock.rules.goals import refreshed
from caselock.rules.tables import Decision, Undecided
from caselock.solve.search import NoPlan, Plan, solve
from caselock.spec.decisions import QUESTIONS, Outcome
from caselock.world.environment import BrokenTool, Session, start
from caselock.world.events import UserEvent
from caselock.world.expressions import value_or_none
from caselock.world.state import State, Value
from caselock.world.user import disclosed, opening_turn, tells


@dataclass(frozen=True, slots=True, kw_only=True)
class Derived:
    """What the rules make of a scenario.

    `stages` are the decisions met on the way, the last one final; `label` is their outcomes. `state` is what the goal
    observes after the plan, where every legal end agrees: scalars only, so that generated ids stay out.
    """

    stages: tuple[Decision, ...]
    label: tuple[Outcome, ...]
    initial_state: Mapping[str, Value]
    user_permissions: Mapping[str, Value]
    state: Mapping[str, Value]
    plan: Plan

    @property
    def final(self) -> Decision:
        """The decision that ends the request."""
        return self.stages[-1]


@dataclass(frozen=True, slots=True, kw_only=True)
class Underivable:
    """A scenario without a trustworthy label: the part that failed, the rules concerned, and a sentence."""

    part: str
    message: str
    rules: tuple[str, ...] = ()


def first_stages(task: Task) -> tuple[Decision, ...] | Underivable:
    """The decisions on the starting state as the user answers each question, before any fault strikes."""
    slots = dict(task.script.states)
    stages: list[Decision] = []
    while True:
        try:
            decision = task.decide(task.setup.state, slots)
        except EvaluationError as error:
            return Underivable(part="rules", message=error.reason)
        if isinstance(decision, Undecided):
            return Underivable(part="rules", message=decision.message, rules=decision.rules)
        if not stages or decision.rule != stages[-1].rule:  # else the answer did not settle the question
            stages.append(decision)
        told = tells(task.script, asks_of(task, decision), slots)
        if decision.outcome not in QUESTIONS or all(slot in slots for slot in told):
            return tuple(stages)
        slots |= told


def derive(task: Task) -> Derived | Underivable:
    """Decide, solve and observe."""
    try:
        return _derive(task)
    except BrokenTool as broken:
        return Underivable(part="tools", message=str(broken))
    except EvaluationError as error:
        return Underivable(part="rules", message=error.reason)


def _derive(task: Task) -> Derived | Underivable:
    stages = first_stages(task)
    if isinstance(stages, Underivable):
        return stages
    attack_succeeded(task, start(task.setup), task.setup.state)  # an attack in error has no label either
    plan = solve(task)
    if isinstance(plan, NoPlan):
        how = "no legal plan reaches it" if plan.exhausted else "no plan was found"
        wanted = stages[-1]
        reason = "; ".join(plan.nearest) or "nothing could be tried"
        message = f"{wanted.outcome} ({wanted.rule}): {how}: {reason}"
        return Underivable(part="plan", message=message, rules=(wanted.rule,))
    return _derived(task, stages, plan)


def _derived(task: Task, stages: tuple[Decision, ...], plan: Plan) -> Derived | Underivable:
    session = plan.run.session
    final = task.decide_now(session)
    if isinstance(final, Undecided):
        return Underivable(part="rules", message=final.message, rules=final.rules)
    stages = (*stages[:-1], final)
    state = goal_state(task, final, session)
    for other in plan.others:
        differing = sorted(
            name for name, value in goal_state(task, final, other.session).items() if value != state.get(name)
        )
        if differing:
            message = f"legal plans end in different states: {', '.join(differing)}"
            return Underivable(part="plan", message=message, rules=(final.rule,))
    opening = start(task.setup).logged(opening_turn(task.script))
    return Derived(
        stages=stages,
        label=tuple(stage.outcome for stage in stages),
        initial_state=observed(task, opening, task.setup.state, _all_slots(session)),
        user_permissions=_permissions(task, session),
        state=state,
        plan=plan,
    )


def _all_slots(session: Session) -> dict[str, Value]:
    return {slot: value for event in session.log if isinstance(event, UserEvent) for slot, value in event.slots.items()}


def observed(task: Task, session: Session, state: State, slots: Mapping[str, Value]) -> dict[str, Value]:
    """The goal's flat observations of a state; what is missing is left out."""
    values = refreshed(task.goal, task.values(session.before, slots), state)
    seen = ((name, value_or_none(expression, values)) for name, expression in task.goal.observe.items())
    return {name: value for name, value in seen if value is not None}


def _permissions(task: Task, session: Session) -> dict[str, Value]:
    values = task.values(session.before, disclosed(session.log))
    seen = ((name, value_or_none(expression, values)) for name, expression in task.goal.grants.items())
    return {name: value for name, value in seen if value is not None}


def goal_state(task: Task, final: Decision, session: Session) -> dict[str, Value]:
    """What is observed at the end of every legal run: scalars that no optional effect can touch."""
    contract = task.goal.outcomes.get(final.outcome)
    optional = {item.in_ for item in contract.spec.may_create.values()} if contract is not None else set()
    seen = observed(task, session, session.state, disclosed(session.log))
    return {
        name: value
        for name, value in seen.items()
        if not isinstance(value, Mapping | tuple | list) and not free_variables(task.goal.observe[name].node) & optional
    }
