"""The behavior oracle: invariants, forbidden and denied tools, guarded effects, and where arguments came from."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from caselock.expr.values import EvaluationError
from caselock.oracles.calls import grade_expected
from caselock.oracles.outcome import final_event
from caselock.oracles.requests import Deed, Share, deeds, due_requests, shares
from caselock.oracles.seen import grade_provenance
from caselock.oracles.task import Failure, Task
from caselock.rules.goals import goal_values
from caselock.rules.invariants import Monitor, violations
from caselock.rules.tables import Decision
from caselock.spec.decisions import QUESTIONS
from caselock.world.environment import Session
from caselock.world.events import CallEvent, FinalEvent
from caselock.world.state import Value
from caselock.world.values import show


def grade_behavior(task: Task, session: Session, found: tuple[Share, ...], *, final: bool) -> Iterator[Failure]:
    """Every way the trace breaks the process, whatever the final state; `final` when the run is over."""
    for monitor in task.standing_monitors(due_requests(found)):
        yield from _invariant(task, monitor, session, final=final)
    for share in found if final else found[: task.focus + 1]:
        if share.standing == "due":
            yield from _grade_share(share)
    if final:
        yield from grade_ending(session, sum(share.standing == "due" for share in found))
    yield from grade_calls(task, session)
    yield from grade_effects(task, session)
    yield from grade_provenance(task, session.log)


def _grade_share(share: Share) -> Iterator[Failure]:
    """The invariants of a request's own outcome, and the calls that it needs."""
    for monitor in share.task.own_monitors(_outcome(share)):
        yield from _invariant(share.task, monitor, share.session, final=True)
    if isinstance(share.decision, Decision):
        yield from grade_expected(share.task, share.session, share.decision)


def _outcome(share: Share) -> str:
    """The outcome whose invariants bind a request: what the rules say, else what the answer claims."""
    if isinstance(share.decision, Decision):
        return share.decision.outcome
    answer = final_event(share.session)
    return answer.outcome if answer is not None else "fulfil"


def _failure(element: str, message: str) -> Failure:
    return Failure(oracle="behavior", element=element, message=message)


def grade_invariants(task: Task, session: Session, outcome: str) -> Iterator[Failure]:
    """Invariants that are broken already and that no later event can mend."""
    for monitor in task.standing_monitors((task.focus,)):
        yield from _invariant(task, monitor, session, final=False)
    own = shares(task, session)[task.focus].session
    for monitor in task.own_monitors(outcome):
        yield from _invariant(task, monitor, own, final=False)


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
    """Guarded effects take place only while the table of their request says fulfil, and none while it asks."""
    for deed in deeds(task, session):
        yield from _effect(task.focused(deed.request), deed)


def grade_ending(session: Session, due: int) -> Iterator[Failure]:
    """The answer to the last request ends a run: nothing may be done or said after it."""
    ends = [index for index, event in enumerate(session.log) if isinstance(event, FinalEvent)]
    if len(ends) > due:
        answers = "more than one final answer" if due == 1 else f"{len(ends)} answers to {due} requests"
        yield _failure("ending", f"the run has {answers}")
    elif len(ends) == due and ends and ends[-1] != len(session.log) - 1:
        yield _failure("ending", "the run goes on after its final answer")


def _effect(task: Task, deed: Deed) -> Iterator[Failure]:
    event, slots = deed.effect, deed.slots
    decision = task.decide(deed.before, slots)
    said = decision.outcome if isinstance(decision, Decision) else "nothing"
    if event.tool in task.goal.spec.guarded and said != "fulfil":
        yield _failure("guarded", f"call {event.call}: '{event.tool}' took effect while the rules said {said}")
    elif said in QUESTIONS:
        yield _failure("guarded", f"call {event.call}: '{event.tool}' took effect before the user answered")
    elif _unconfirmed(task, event.tool, slots):
        yield _failure(f"confirmed.{event.tool}", f"call {event.call}: nobody confirmed '{event.tool}'")


def _unconfirmed(task: Task, tool: str, slots: Mapping[str, Value]) -> bool:
    """True when the role may use a tool only once the user has said yes, and they have not."""
    question = task.goal.questions.get("confirm")
    asked = {slot for names in question.asks.values() for slot in names} if question is not None else set()
    return task.grant(tool) == "confirm" and not any(slots.get(slot) is True for slot in asked)
