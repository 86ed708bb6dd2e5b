"""A task -> a plan that passes every grader, found by breadth-first search over what an agent may permissibly do."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from caselock.oracles.behavior import grade_calls, grade_effects, grade_invariants
from caselock.oracles.grade import grade
from caselock.oracles.outcome import asks_of
from caselock.oracles.response import expected_claims
from caselock.oracles.seen import derivable
from caselock.oracles.task import Task
from caselock.rules.patterns import records_in
from caselock.rules.tables import Decision
from caselock.solve.candidates import reads, writes
from caselock.solve.judge import judge
from caselock.solve.steps import Ask, Call, Respond, Run, Step, begin, take
from caselock.world.events import AskEvent, ResultEvent

MAX_NODES = 400
MAX_WRITES = 6
MAX_READS = 120
MAX_TRIES = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """A minimal plan and the finished run it gives; `others` are the other runs as short that pass every grader."""

    run: Run
    others: tuple[Run, ...] = ()

    @property
    def steps(self) -> tuple[Step, ...]:
        """The steps, the final answer last."""
        return self.run.steps


@dataclass(frozen=True, slots=True, kw_only=True)
class NoPlan:
    """The search ended without a plan: `exhausted` when nothing was left to try, else a cap was hit.

    `nearest` says what the most promising run still failed.
    """

    exhausted: bool
    nearest: tuple[str, ...]


def solve(task: Task) -> Plan | NoPlan:
    """Search for a plan and minimise it.

    Raises:
        BrokenTool: when a tool contract is in error.
    """
    frontier = [informed(task, begin(task))]
    nearest: tuple[str, ...] = ()
    visited = 0
    while frontier:
        visited += len(frontier)
        if visited > MAX_NODES:
            return NoPlan(exhausted=False, nearest=nearest)
        ends = [finish(task, run) for run in frontier]
        finished = [run for run, _ in ends if run is not None]
        if finished:
            return Plan(run=minimised(task, finished[0]), others=tuple(finished[1:]))
        nearest = min((problems for _, problems in ends), key=len, default=nearest)
        frontier = [after for run in frontier for after in moves(task, run)]
    return NoPlan(exhausted=True, nearest=nearest)


def informed(task: Task, run: Run) -> Run:
    """The run after every read that teaches something, to a fixpoint; a read that timed out is tried again."""
    done: set[tuple[str, str]] = set()
    while len(done) < MAX_READS:
        due = [call for call in reads(task, run) if _signature(call) not in done]
        if not due:
            break
        for call in due:
            run = _read(task, run, call)
            done.add(_signature(call))
    return run


def _read(task: Task, run: Run, call: Call) -> Run:
    for _ in range(MAX_TRIES):
        run = take(task, run, call)
        if run.last_result is None or run.last_result.error != "timeout":
            break
    return run


def _signature(call: Call) -> tuple[str, str]:
    return call.tool, repr(sorted(call.args.items()))


def moves(task: Task, run: Run) -> Iterator[Run]:
    """The runs after one more question or write that the agent's knowledge and the rules permit."""
    decision = judge(task, run)
    if decision is None:
        return
    if decision.outcome == "clarify":
        yield from _question(task, run, decision)
        return
    if sum(isinstance(step, Call) and task.world.tools[step.tool].writes for step in run.steps) >= MAX_WRITES:
        return
    for step in writes(task, run, decision):
        after = take(task, run, step)
        if is_progress(run, after) and not _broken(task, after, decision):
            yield informed(task, after)


def _question(task: Task, run: Run, decision: Decision) -> Iterator[Run]:
    slots = asks_of(task, decision)
    asked = {slot for event in run.session.log if isinstance(event, AskEvent) for slot in event.slots}
    if slots and not asked & set(slots):
        yield informed(task, take(task, run, Ask(slots=slots)))


def is_progress(before: Run, after: Run) -> bool:
    """False for a call that changed nothing, taught nothing and showed nothing new."""
    result = after.last_result
    return (
        result is None
        or after.session.state is not before.session.state
        or after.session.fired != before.session.fired
        or after.knowledge != before.knowledge
        or after.seen != before.seen
    )


def _broken(task: Task, run: Run, decision: Decision) -> bool:
    """True when a safety property is violated for good: prune on effects, not on calls."""
    failures = (
        *grade_invariants(task, run.session, decision.outcome),
        *grade_calls(task, run.session),
        *grade_effects(task, run.session),
    )
    return bool(failures)


def finish(task: Task, run: Run) -> tuple[Run | None, tuple[str, ...]]:
    """The finished run when the agent may conclude and every grader passes, else what is wrong."""
    decision = judge(task, run)
    if decision is None:
        return None, ("what the agent can see does not determine an outcome",)
    says = expected_claims(task, run.session, decision)
    done = take(task, run, Respond(outcome=decision.outcome, says=says))
    problems = [failure.message for failure in grade(task, done.session)]
    problems += [f"the fault '{mode}' never takes effect" for mode in unfired(task, done)]
    return (None, tuple(problems)) if problems else (done, ())


def unfired(task: Task, run: Run) -> tuple[str, ...]:
    """The faults of a case that a run did not meet; injected content counts once a result has shown it."""
    shown = {
        (record.collection, record.key)
        for event in run.session.log
        if isinstance(event, ResultEvent)
        for record in records_in(event.value)
    }
    missed = []
    for fault in task.setup.faults:
        if fault.mode == "injected_content":
            met = all((collection, key) in shown for collection, key, _ in fault.patch or {})
        else:
            met = fault.index in run.session.fired
        if not met:
            missed.append(fault.mode)
    return tuple(missed)


def minimised(task: Task, run: Run) -> Run:
    """The run without the steps it can do without, re-checked by replay at each removal; the widest reads go first.

    Whole halves are tried before single steps, since most reads of a search were not needed.
    """
    widths = _widths(run)
    order = sorted(run.steps[-2::-1], key=lambda step: -widths.get(id(step), 0))
    return _without(task, run, order)


def _without(task: Task, run: Run, dispensable: list[Step]) -> Run:
    left = {id(step) for step in run.steps}
    dispensable = [step for step in dispensable if id(step) in left]
    if not dispensable:
        return run
    dropped = {id(step) for step in dispensable}
    shorter = replay(task, tuple(step for step in run.steps if id(step) not in dropped))
    if shorter is not None or len(dispensable) == 1:
        return shorter or run
    half = len(dispensable) // 2
    return _without(task, _without(task, run, dispensable[:half]), dispensable[half:])


def _widths(run: Run) -> dict[int, int]:
    """How many records each call showed, by the step's identity."""
    results = [event for event in run.session.log if isinstance(event, ResultEvent)]
    calls = [step for step in run.steps if isinstance(step, Call)]
    return {id(step): sum(1 for _ in records_in(result.value)) for step, result in zip(calls, results, strict=True)}


def replay(task: Task, steps: tuple[Step, ...]) -> Run | None:
    """The run of given steps; None when a question or write is not warranted by what was seen, or a grader fails.

    Reads whose arguments nobody has shown any more are left out.
    """
    run = begin(task)
    for step in steps[:-1]:
        if warranted(task, run, step):
            run = take(task, run, step)
        elif not is_read(task, step):
            return None
    finished, _ = finish(task, run)
    return finished


def is_read(task: Task, step: Step) -> bool:
    """True for a call that cannot change the world."""
    return isinstance(step, Call) and not task.world.tools[step.tool].writes


def warranted(task: Task, run: Run, step: Step) -> bool:
    """True when the agent may take the step now: reads always, questions and writes once it has concluded."""
    if isinstance(step, Call) and is_read(task, step):
        tool = task.world.tools[step.tool].spec
        return all(derivable(tool, name, value, run.seen) for name, value in step.args.items())
    decision = judge(task, run)
    if decision is None:
        return False
    if isinstance(step, Ask):
        return decision.outcome == "clarify" and asks_of(task, decision) == step.slots
    return isinstance(step, Call) and step in writes(task, run, decision)
