"""The steps of an execution, and how one step moves a run on."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from caselock.oracles.seen import Seen, after_event, visible_at_start
from caselock.oracles.task import Task
from caselock.solve.belief import observe
from caselock.solve.knowledge import Knowledge
from caselock.spec.decisions import Outcome
from caselock.world.environment import Session, call, start
from caselock.world.events import AskEvent, FinalEvent, ResultEvent
from caselock.world.state import Value
from caselock.world.user import opening_turn, reply


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
    """The final answer."""

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
        session=start(task.setup).logged(opening),
        seen=after_event(task, visible_at_start(task), opening),
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
            session = run.session.logged(AskEvent(slots=step.slots))
            answer = reply(task.script, session.log)
            if answer is None:
                return replace(run, session=session)
            return replace(run, session=session.logged(answer), seen=after_event(task, run.seen, answer))
        case Respond():
            final = FinalEvent(outcome=step.outcome, says=step.says, cites=step.cites)
            return replace(run, session=run.session.logged(final))
