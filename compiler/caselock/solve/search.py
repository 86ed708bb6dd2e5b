"""A task -> a plan that passes every grader: for each request, breadth-first over what an agent may permissibly do."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from caselock.oracles.behavior import grade_calls, grade_effects, grade_invariants
from caselock.oracles.outcome import asks_of, overfull
from caselock.oracles.task import Task
from caselock.rules.tables import Decision
from caselock.solve.candidates import is_retryable, reads, writes
from caselock.solve.effort import Effort
from caselock.solve.finish import finish
from caselock.solve.judge import judge
from caselock.solve.minimise import minimised
from caselock.solve.steps import Ask, Call, Run, Step, begin, take
from caselock.spec.decisions import QUESTIONS
from caselock.world.events import AskEvent, UserEvent
from caselock.world.user import progress_of

MAX_NODES = 400
MAX_WRITES = 6
MAX_READS = 120
MAX_TRIES = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Stretch:
    """What a plan does for one request: the run before it, the run after it, and the other ends as near."""

    task: Task
    start: Run
    run: Run
    others: tuple[Run, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """A minimal plan: a stretch for every request that came up, in order."""

    stretches: tuple[Stretch, ...]

    @property
    def run(self) -> Run:
        """The finished run."""
        return self.stretches[-1].run

    @property
    def steps(self) -> tuple[Step, ...]:
        """The steps, the final answer last."""
        return self.run.steps


@dataclass(frozen=True, slots=True, kw_only=True)
class NoPlan:
    """The search ended without a plan: `exhausted` when nothing was left to try, else a cap was hit.

    `nearest` says what the most promising run still failed. `task` has the request in focus that no plan was found for,
    `start` is the run up to it.
    """

    exhausted: bool
    nearest: tuple[str, ...]
    task: Task
    start: Run


def solve(task: Task, upto: int | None = None) -> Plan | NoPlan:
    """Search for a plan, request by request, each on the state that the one before left, and minimise it.

    With `upto` the plan ends before that request.

    Raises:
        BrokenTool: when a tool contract is in error.
    """
    stretches: list[Stretch] = []
    run, end = begin(task), len(task.goals) if upto is None else upto
    while (request := progress_of(task.script, run.session.log).now) < end:
        stretch = _solve_request(task.focused(request), run)
        if isinstance(stretch, NoPlan):
            return stretch
        stretches.append(stretch)
        run = stretch.run
    return Plan(stretches=tuple(stretches))


def _solve_request(task: Task, start: Run) -> Stretch | NoPlan:
    effort = Effort()
    frontier = [informed(task, start, effort)]
    nearest: tuple[str, ...] = ()
    while frontier:
        effort.visited += len(frontier)
        if effort.visited > MAX_NODES:
            return NoPlan(exhausted=False, nearest=nearest, task=task, start=start)
        ends = [finish(task, run) for run in frontier]
        finished = [run for run, _ in ends if run is not None]
        if finished:
            run = minimised(task, start, finished[0])
            return Stretch(task=task, start=start, run=run, others=tuple(finished[1:]))
        nearest = min((problems for _, problems in ends), key=len, default=nearest)
        frontier = [after for run in frontier for after in moves(task, run, effort)]
    return NoPlan(exhausted=not effort.cut, nearest=nearest, task=task, start=start)


def informed(task: Task, run: Run, effort: Effort) -> Run:
    """The run after every read that teaches something, to a fixpoint; a read that a fault struck is tried again."""
    done: set[tuple[str, str]] = set()
    while True:
        due = [call for call in reads(task, run, effort) if _signature(call) not in done]
        if not due:
            return run
        for call in due:
            if len(done) >= MAX_READS:
                effort.cut = True
                return run
            run = _read(task, run, call)
            done.add(_signature(call))


def _read(task: Task, run: Run, call: Call) -> Run:
    tool = task.world.tools[call.tool].spec
    for _ in range(MAX_TRIES):
        struck = run.session.fired
        run = take(task, run, call)
        error = None if run.last_result is None else run.last_result.error
        if run.session.fired == struck and not is_retryable(tool, error):
            break
    return run


def _signature(call: Call) -> tuple[str, str]:
    return call.tool, repr(sorted(call.args.items()))


def moves(task: Task, run: Run, effort: Effort) -> Iterator[Run]:
    """The runs after one more question or write that the agent's knowledge and the rules permit."""
    decision = judge(task, run)
    if decision is None:
        return
    if decision.outcome in QUESTIONS:
        yield from _question(task, run, decision, effort)
        return
    if sum(isinstance(step, Call) and task.world.tools[step.tool].writes for step in run.steps) >= MAX_WRITES * (
        task.focus + 1
    ):
        effort.cut = True
        return
    for step in writes(task, run, decision, effort):
        after = take(task, run, step)
        if is_progress(run, after) and not _broken(task, after, decision):
            yield informed(task, after, effort)


def _question(task: Task, run: Run, decision: Decision, effort: Effort) -> Iterator[Run]:
    slots = asks_of(task, decision)
    asks = (event for event in run.session.log if isinstance(event, AskEvent) and event.request == task.focus)
    asked = {slot for event in asks for slot in event.slots}
    if slots and (not asked & set(slots) or _partly_answered(run)):
        after = take(task, run, Ask(slots=slots))
        replaced = progress_of(task.script, after.session.log).now > task.focus
        yield after if replaced else informed(task, after, effort)


def _partly_answered(run: Run) -> bool:
    """True when the user told some of what was last asked for, but not all: asking again brings more."""
    asked: set[str] = set()
    told: set[str] = set()
    for event in run.session.log:
        if isinstance(event, AskEvent):
            asked, told = set(event.slots), set()
        elif isinstance(event, UserEvent):
            told |= event.slots.keys()
    return bool(asked & told) and not asked <= told


def is_progress(before: Run, after: Run) -> bool:
    """False for a call that changed nothing, taught nothing and showed nothing new."""
    result = after.last_result
    return (
        result is None
        or after.session.state is not before.session.state
        or after.session.fired != before.session.fired
        or after.session.strikes != before.session.strikes
        or after.knowledge != before.knowledge
        or after.seen != before.seen
    )


def _broken(task: Task, run: Run, decision: Decision) -> bool:
    """True when a safety property is violated for good: prune on effects, not on calls."""
    failures = (
        *overfull(task, run.session, decision.outcome),
        *grade_invariants(task, run.session, decision.outcome),
        *grade_calls(task, run.session),
        *grade_effects(task, run.session),
    )
    return bool(failures)
