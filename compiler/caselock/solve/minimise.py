"""A request's finished run -> the shortest that is still warranted at every step and passes every grader."""

from __future__ import annotations

from collections.abc import Iterator

from caselock.oracles.outcome import asks_of
from caselock.oracles.seen import derivable, scalars
from caselock.oracles.task import Task
from caselock.rules.patterns import records_in
from caselock.solve.belief import observe
from caselock.solve.candidates import writes
from caselock.solve.effort import Effort
from caselock.solve.finish import finish, unfired
from caselock.solve.judge import judge
from caselock.solve.knowledge import Fact, Knowledge
from caselock.solve.steps import Ask, Call, Respond, Run, Step, take
from caselock.spec.decisions import QUESTIONS
from caselock.world.state import Value


def minimised(task: Task, start: Run, run: Run) -> Run:
    """The run without the steps since `start` it can do without, re-checked by replay at each removal.

    First everything goes that no conclusion, argument or claim rests on. What is left is tried one by one,
    the widest reads first. A fault that the run met must still be met.
    """
    missed = set(unfired(task, run))

    def shorter(steps: tuple[Step, ...]) -> Run:
        again = replay(task, start, steps)
        return run if again is None or set(unfired(task, again)) - missed else again

    own = run.steps[len(start.steps) :]
    needed = support(task, start, own)
    run = shorter(tuple(step for step in own if id(step) in needed or not is_read(task, step)))
    own = run.steps[len(start.steps) :]
    for step in sorted(own[-2::-1], key=lambda step: -_width(run, step)):
        run = shorter(tuple(other for other in run.steps[len(start.steps) :] if other is not step))
    return run


def _width(run: Run, step: Step) -> int:
    """How many records the call at a step showed."""
    calls = [other for other in run.steps if isinstance(other, Call)]
    place = next((index for index, other in enumerate(calls) if other is step), None)
    return 0 if place is None else sum(1 for _ in records_in(run.results[place].value))


def replay(task: Task, start: Run, steps: tuple[Step, ...]) -> Run | None:
    """The run of given steps from `start` on, answered anew.

    None when a question or write is not warranted by what was seen, or a grader fails.

    Reads whose arguments nobody has shown any more are left out.
    """
    run = start
    for step in steps:
        if isinstance(step, Respond):
            break
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
        return decision.outcome in QUESTIONS and asks_of(task, decision) == step.slots
    return isinstance(step, Call) and step in writes(task, run, decision, Effort())


def support(task: Task, start: Run, steps: tuple[Step, ...]) -> set[int]:
    """The steps (by identity) whose results some conclusion, argument or claim of the run rests on."""
    sources = _Sources(task)
    now = start
    for step in steps:
        if not is_read(task, step):
            sources.need(now, step)
        now = take(task, now, step)
        if isinstance(step, Call):
            sources.add(now, step)
    return sources.needed


class _Sources:
    """Which step gave each fact and each value, and which of those steps were needed."""

    def __init__(self, task: Task) -> None:
        self._task = task
        self._facts: dict[Fact, tuple[int, object, Call]] = {}
        self._values: dict[Value, Call] = {}
        self.needed: set[int] = set()

    def add(self, run: Run, step: Call) -> None:
        """Remember what a call showed: of several calls that gave one fact, the narrowest and then the first counts."""
        result = run.results[-1]
        blank = Knowledge(collections=run.knowledge.collections)
        width = sum(1 for _ in records_in(result.value))
        for fact, value in observe(self._task, blank, run.session, result).facts().items():
            known = self._facts.get(fact)
            if known is None or known[1] != value or width < known[0]:
                self._facts[fact] = (width, value, step)
        for value in scalars(result.value):
            self._values.setdefault(value, step)

    def need(self, run: Run, step: Step) -> None:
        """Mark what a question, a write or the answer rests on."""
        used: set[Fact] = set()
        judge(self._task, run, used)
        for fact in used & self._facts.keys():
            self._mark(self._facts[fact][2])
        for value in _values(step):
            self._mark(self._values.get(value))

    def _mark(self, step: Call | None) -> None:
        if step is not None and id(step) not in self.needed:
            self.needed.add(id(step))
            for value in _values(step):
                self._mark(self._values.get(value))


def _values(step: Step) -> Iterator[Value]:
    if isinstance(step, Call):
        yield from scalars(step.args)
    elif isinstance(step, Respond):
        yield from scalars(step.says)
        yield from step.cites
