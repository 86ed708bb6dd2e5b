"""The steps of an execution, and how one step moves a run on."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from caselock.oracles.seen import Seen, after_event, visible_at_start
from caselock.oracles.task import Task
from caselock.solve.belief import observe, settled
from caselock.solve.knowledge import Knowledge
from caselock.spec.decisions import Outcome
from caselock.world.environment import Session, call, start
from caselock.world.events import AskEvent, FinalEvent, ResultEvent, UserEvent
from caselock.world.state import Value
from caselock.world.user import asked_about, is_over, opening_turn, progress_of, reply


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """A tool call."""

    tool: str
    args: Mapping[str, Value]


@dataclass(frozen=True, slots=True, kw_only=True)
class Ask:
    """A question to the user for one or more slots."""

    slots: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Respond:
    """The answer to the request at hand."""

    outcome: Outcome
    says: Mapping[str, Value]
    cites: tuple[str, ...] = ()


Step = Call | Ask | Respond


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """An execution under way: the session, what the agent has seen and knows, and the steps so far."""

    session: Session
    seen: Seen
    knowledge: Knowledge
    steps: tuple[Step, ...] = ()

    @property
    def results(self) -> list[ResultEvent]:
        """The result of every call, in order."""
        return [event for event in self.session.log if isinstance(event, ResultEvent)]

    @property
    def last_result(self) -> ResultEvent | None:
        """The result of the last step, when it was a call."""
        event = self.session.log[-1] if self.session.log else None
        return event if isinstance(event, ResultEvent) else None


def begin(task: Task) -> Run:
    """A run after the user's opening turn."""
    opening = opening_turn(task.script)
    return Run(
        session=start(task.setup).logged(*opening),
        seen=_heard(task, visible_at_start(task), opening),
        knowledge=Knowledge(collections=frozenset(task.world.collections)),
    )


def take(task: Task, run: Run, step: Step) -> Run:
    """The run after one more step.

    Raises:
        BrokenTool: when a tool contract is in error.
    """
    run = replace(run, steps=(*run.steps, step))
    match step:
        case Call():
            session, result = call(task.world, task.setup, run.session, step.tool, step.args)
            return replace(
                run,
                session=session,
                seen=after_event(task, run.seen, result),
                knowledge=observe(task, run.knowledge, session, result),
            )
        case Ask():
            about = asked_about(task.script, run.session.log, step.slots)
            session = run.session.logged(AskEvent(slots=step.slots, request=about))
            answer = reply(task.script, session.log)
            return replace(run, session=session.logged(*answer), seen=_heard(task, run.seen, answer))
        case Respond():
            return _answered(task, run, step)


def _answered(task: Task, run: Run, step: Respond) -> Run:
    """The run after an answer: what comes next starts from the state that this request leaves."""
    last = len(task.script.requests) - 1
    about = min(progress_of(task.script, run.session.log).now, last)
    final = FinalEvent(outcome=step.outcome, says=step.says, cites=step.cites, request=about)
    session = run.session.logged(final)
    if is_over(task.script, session.log):
        return replace(run, session=session)
    said = reply(task.script, session.log)
    knowledge = settled(run.knowledge, session)
    session = replace(session, before=session.state).logged(*said)
    return replace(run, session=session, seen=_heard(task, run.seen, said), knowledge=knowledge)


def _heard(task: Task, seen: Seen, turn: tuple[UserEvent, ...]) -> Seen:
    for event in turn:
        seen = after_event(task, seen, event)
    return seen
