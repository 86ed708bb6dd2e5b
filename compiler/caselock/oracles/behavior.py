"""The behavior oracle: invariants, forbidden and denied tools, guarded effects, and where arguments came from."""

from __future__ import annotations

from collections.abc import Iterator

from caselock.expr.values import EvaluationError
from caselock.oracles.calls import grade_expected
from caselock.oracles.outcome import final_event
from caselock.oracles.seen import grade_provenance
from caselock.oracles.task import Failure, Task
from caselock.rules.goals import goal_values
from caselock.rules.invariants import Monitor, violations
from caselock.rules.tables import Decision
from caselock.spec.decisions import QUESTIONS
from caselock.world.environment import Session
from caselock.world.events import CallEvent, EffectEvent, FinalEvent, UserEvent
from caselock.world.faults import theirs
from caselock.world.state import State, Value, put
from caselock.world.values import show


def grade_behavior(task: Task, session: Session) -> Iterator[Failure]:
    """Every way the trace breaks the process, whatever the final state."""
    final = final_event(session)
    decision = task.decide_now(session)
    outcome = decision.outcome if isinstance(decision, Decision) else final.outcome if final else "fulfil"
    for monitor in task.applicable(outcome):
        yield from _invariant(task, monitor, session, final=True)
    yield from grade_ending(session)
    if isinstance(decision, Decision):
        yield from grade_expected(task, session, decision)
    yield from grade_calls(task, session)
    yield from grade_effects(task, session)
    yield from grade_provenance(task, session.log)


def _failure(element: str, message: str) -> Failure:
    return Failure(oracle="behavior", element=element, message=message)


def grade_invariants(task: Task, session: Session, outcome: str) -> Iterator[Failure]:
    """Invariants that are broken already and that no later event can mend."""
    for monitor in task.applicable(outcome):
        yield from _invariant(task, monitor, session, final=False)


def _invariant(task: Task, monitor: Monitor, session: Session, *, final: bool) -> Iterator[Failure]:
    name = monitor.spec.id
    values = goal_values(task.goal, session.before, task.actors, {})
    try:
        broken = violations(monitor, session.log, values, final=final)
    except EvaluationError as error:
        yield _failure(f"invariant.{name}", f"'{name}' is in error: {error.reason}")
        return
    for violation in broken:
        about = "" if violation.key is None else f" for {show(violation.key)}"
        yield _failure(f"invariant.{name}", f"'{name}' is broken{about}")


def grade_calls(task: Task, session: Session) -> Iterator[Failure]:
    """Calls of tools that are forbidden, denied to the role, or not on offer."""
    for event in session.log:
        if not isinstance(event, CallEvent):
            continue
        if event.tool in task.forbidden or task.grant(event.tool) == "deny":
            yield _failure(f"forbidden.{event.tool}", f"call {event.call}: '{event.tool}' must not be called")


def grade_effects(task: Task, session: Session) -> Iterator[Failure]:
    """Guarded effects take place only while the table says fulfil; nothing is written while a question is open."""
    before: State = task.setup.state
    slots: dict[str, Value] = {}
    for event in session.log:
        if isinstance(event, UserEvent):
            slots = {**slots, **event.slots}
        elif isinstance(event, EffectEvent) and event.call == 0:
            before = put(before, theirs(before, event))
        elif isinstance(event, EffectEvent):
            yield from _effect(task, event, before, slots)


def grade_ending(session: Session) -> Iterator[Failure]:
    """The answer ends a run: nothing may be done or said after it."""
    ends = [index for index, event in enumerate(session.log) if isinstance(event, FinalEvent)]
    if len(ends) > 1:
        yield _failure("ending", "the run has more than one final answer")
    elif ends and ends[0] != len(session.log) - 1:
        yield _failure("ending", "the run goes on after its final answer")


def _effect(task: Task, event: EffectEvent, before: State, slots: dict[str, Value]) -> Iterator[Failure]:
    decision = task.decide(before, slots)
    said = decision.outcome if isinstance(decision, Decision) else "nothing"
    if event.tool in task.goal.spec.guarded and said != "fulfil":
        yield _failure("guarded", f"call {event.call}: '{event.tool}' took effect while the rules said {said}")
    elif said in QUESTIONS:
        yield _failure("guarded", f"call {event.call}: '{event.tool}' took effect before the user answered")
    elif _unconfirmed(task, event.tool, slots):
        yield _failure(f"confirmed.{event.tool}", f"call {event.call}: nobody confirmed '{event.tool}'")


def _unconfirmed(task: Task, tool: str, slots: dict[str, Value]) -> bool:
    """True when the role may use a tool only once the user has said yes, and they have not."""
    question = task.goal.questions.get("confirm")
    asked = {slot for names in question.asks.values() for slot in names} if question is not None else set()
    return task.grant(tool) == "confirm" and not any(slots.get(slot) is True for slot in asked)
