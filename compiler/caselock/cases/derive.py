"""A task -> its derived contract: the outcome the rules decide, a proven plan, and the state that the plan leads to."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from caselock.expr.ast import free_variables
from caselock.expr.values import EvaluationError
from caselock.oracles.grade import attack_succeeded
from caselock.oracles.outcome import asks_of
from caselock.oracles.requests import Share, shares
from caselock.oracles.task import Task
from caselock.rules.goals import refreshed
from caselock.rules.tables import Decision, Undecided
from caselock.solve.search import NoPlan, Plan, Stretch, solve
from caselock.spec.decisions import QUESTIONS, Outcome
from caselock.world.environment import BrokenTool, Session, start
from caselock.world.expressions import value_or_none
from caselock.world.state import State, Value
from caselock.world.user import tells


@dataclass(frozen=True, slots=True, kw_only=True)
class DerivedRequest:
    """What the rules make of one request.

    `stages` are the decisions met on the way, the last one final; none for a request that does not come up. `state` is
    what its goal observes at its answer, where every legal end agrees: scalars only, so that generated ids stay out.
    """

    share: Share
    stages: tuple[Decision, ...]
    initial_state: Mapping[str, Value]
    user_permissions: Mapping[str, Value]
    state: Mapping[str, Value]

    @property
    def label(self) -> tuple[Outcome, ...]:
        """The outcomes of its decisions."""
        return tuple(stage.outcome for stage in self.stages)

    @property
    def final(self) -> Decision | None:
        """The decision that ends the request; None when it does not come up."""
        return self.stages[-1] if self.stages else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Derived:
    """What the rules make of a scenario: each request on the state the one before left, and a plan for them all."""

    requests: tuple[DerivedRequest, ...]
    plan: Plan

    @property
    def stages(self) -> tuple[Decision, ...]:
        """Every decision of the case, in order."""
        return tuple(stage for request in self.requests for stage in request.stages)

    @property
    def label(self) -> tuple[Outcome, ...]:
        """The outcomes of all decisions."""
        return tuple(stage.outcome for stage in self.stages)

    @property
    def final(self) -> Decision:
        """The decision that ends the case."""
        return self.stages[-1]

    @property
    def goal(self) -> str:
        """The goal of the request that ends the case."""
        return next(each.share.task.goal.spec.goal for each in reversed(self.requests) if each.stages)

    @property
    def finals(self) -> tuple[Decision, ...]:
        """The decision that ends each request that comes up."""
        return tuple(request.stages[-1] for request in self.requests if request.stages)


@dataclass(frozen=True, slots=True, kw_only=True)
class Underivable:
    """A scenario without a trustworthy label: the part that failed, the rules concerned, and a sentence.

    `request` is the one that failed, `stages` its decisions as far as they are known.
    """

    part: str
    message: str
    rules: tuple[str, ...] = ()
    request: int = 0
    stages: tuple[Decision, ...] = ()


def first_stages(task: Task, state: State) -> tuple[Decision, ...] | Underivable:
    """The decisions on a request's starting state as the user answers each question, before any fault strikes."""
    slots = dict(task.wish.states)
    stages: list[Decision] = []
    while True:
        try:
            decision = task.decide(state, slots)
        except EvaluationError as error:
            return Underivable(part="rules", message=error.reason, request=task.focus)
        if isinstance(decision, Undecided):
            return Underivable(part="rules", message=decision.message, rules=decision.rules, request=task.focus)
        if not stages or decision.rule != stages[-1].rule:  # else the answer did not settle the question
            stages.append(decision)
        told = tells(task.wish, asks_of(task, decision), slots)
        if decision.outcome not in QUESTIONS or all(slot in slots for slot in told):
            return tuple(stages)
        slots |= told


def left_by_earlier(task: Task) -> State | Underivable:
    """The state on which the request in focus is decided, before any fault strikes."""
    if task.focus == 0:
        return task.setup.state
    calm = replace(task, setup=replace(task.setup, faults=()))
    try:
        plan = solve(calm, task.focus)
    except (BrokenTool, EvaluationError) as error:
        return Underivable(part="rules", message=str(error), request=task.focus)
    if isinstance(plan, NoPlan):
        return Underivable(part="plan", message=f"request {plan.task.focus + 1} has no plan", request=plan.task.focus)
    return plan.run.session.state


def derive(task: Task) -> Derived | Underivable:
    """Decide, solve and observe."""
    try:
        return _derive(task.focused(0))
    except BrokenTool as broken:
        return Underivable(part="tools", message=str(broken))
    except EvaluationError as error:
        return Underivable(part="rules", message=error.reason)


def _derive(task: Task) -> Derived | Underivable:
    first = first_stages(task, task.setup.state)
    if isinstance(first, Underivable):
        return first
    attack_succeeded(task, start(task.setup), task.setup.state)  # an attack in error has no label either
    plan = solve(task)
    if isinstance(plan, NoPlan):
        return _unsolved(plan)
    stretches = {stretch.task.focus: stretch for stretch in plan.stretches}
    requests: list[DerivedRequest] = []
    for share in shares(task, plan.run.session):
        derived = _request(share, stretches.get(share.task.focus), requests)
        if isinstance(derived, Underivable):
            return derived
        requests.append(derived)
    return Derived(requests=tuple(requests), plan=plan)


def _unsolved(none: NoPlan) -> Underivable:
    """Why no plan was found, and for which request."""
    request = none.task.focus
    stages = first_stages(none.task, none.start.session.before)
    if isinstance(stages, Underivable):
        return stages
    how = "no legal plan reaches it" if none.exhausted else "no plan was found"
    wanted = stages[-1]
    reason = "; ".join(none.nearest) or "nothing could be tried"
    which = f"request {request + 1}: " if len(none.task.goals) > 1 else ""
    message = f"{which}{wanted.outcome} ({wanted.rule}): {how}: {reason}"
    return Underivable(part="plan", message=message, rules=(wanted.rule,), request=request, stages=stages)


def _request(share: Share, stretch: Stretch | None, earlier: list[DerivedRequest]) -> DerivedRequest | Underivable:
    task = share.task
    asked_before = bool(earlier) and earlier[-1].share.standing == "due"
    if share.standing == "skipped" and task.wish.said == "instead" and asked_before:
        message = f"request {task.focus + 1} takes back request {task.focus}, about which the rules ask nothing"
        return Underivable(part="requests", message=message, request=task.focus)
    if share.standing == "skipped" or stretch is None:
        return DerivedRequest(share=share, stages=(), initial_state={}, user_permissions={}, state={})
    return _derived(share, stretch)


def _derived(share: Share, stretch: Stretch) -> DerivedRequest | Underivable:
    task, session, final = share.task, share.session, share.decision
    stages = first_stages(task, stretch.start.session.before)
    if isinstance(stages, Underivable):
        return stages
    if not isinstance(final, Decision):
        undecided = final.message if final is not None else "nothing decides it"
        return Underivable(part="rules", message=undecided, request=task.focus)
    stages = (*stages[:-1], final) if share.standing == "due" else (final,)
    state = goal_state(task, final, session)
    for other in stretch.others:
        end = shares(task, other.session)[task.focus].session
        differing = sorted(name for name, value in goal_state(task, final, end).items() if value != state.get(name))
        if differing:
            message = f"legal plans end in different states: {', '.join(differing)}"
            return Underivable(part="plan", message=message, rules=(final.rule,), request=task.focus)
    opening = stretch.start.session
    return DerivedRequest(
        share=share,
        stages=stages,
        initial_state=observed(task, opening, opening.before, task.disclosed(session)),
        user_permissions=_permissions(task, session),
        state=state,
    )


def observed(task: Task, session: Session, state: State, slots: Mapping[str, Value]) -> dict[str, Value]:
    """The goal's flat observations of a state; what is missing is left out."""
    values = refreshed(task.goal, task.values(session.before, slots), state)
    seen = ((name, value_or_none(expression, values)) for name, expression in task.goal.observe.items())
    return {name: value for name, value in seen if value is not None}


def _permissions(task: Task, session: Session) -> dict[str, Value]:
    values = task.values(session.before, task.disclosed(session))
    seen = ((name, value_or_none(expression, values)) for name, expression in task.goal.grants.items())
    return {name: value for name, value in seen if value is not None}


def goal_state(task: Task, final: Decision, session: Session) -> dict[str, Value]:
    """What is observed at the end of every legal run: scalars that no optional effect can touch."""
    contract = task.goal.outcomes.get(final.outcome)
    optional = {item.in_ for item in contract.spec.may_create.values()} if contract is not None else set()
    seen = observed(task, session, session.state, task.disclosed(session))
    return {
        name: value
        for name, value in seen.items()
        if not isinstance(value, Mapping | tuple | list) and not free_variables(task.goal.observe[name].node) & optional
    }
