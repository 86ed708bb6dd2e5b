"""A run that may end -> the finished run, if the agent can conclude, every grader passes and every fault was met."""

from __future__ import annotations

from caselock.oracles.citations import required_citations
from caselock.oracles.grade import grade, grade_so_far
from caselock.oracles.response import expected_claims
from caselock.oracles.task import Task
from caselock.rules.patterns import records_in
from caselock.solve.judge import judge
from caselock.solve.steps import Respond, Run, take
from caselock.world.events import ResultEvent
from caselock.world.faults import ActiveFault
from caselock.world.user import is_over, progress_of


def finish(task: Task, run: Run) -> tuple[Run | None, tuple[str, ...]]:
    """The run that ends the request in focus, when the agent may conclude and every grader passes; else what is wrong.

    A request that the user has replaced ends without an answer.
    """
    if progress_of(task.script, run.session.log).now > task.focus:
        return _passed(task, run)
    decision = judge(task, run)
    if decision is None:
        return None, ("what the agent can see does not determine an outcome",)
    says = expected_claims(task, run.session, decision)
    cites = required_citations(task, run.session, decision) or ()
    done = take(task, run, Respond(outcome=decision.outcome, says=says, cites=cites))
    return _passed(task, done)


def _passed(task: Task, done: Run) -> tuple[Run | None, tuple[str, ...]]:
    over = is_over(task.script, done.session.log)
    failures = grade(task, done.session) if over else grade_so_far(task, done.session)
    problems = [failure.message for failure in failures]
    if over:
        problems += [f"the fault '{fault.mode}' never takes effect" for fault in unfired(task, done)]
    return (None, tuple(problems)) if problems else (done, ())


def unfired(task: Task, run: Run) -> tuple[ActiveFault, ...]:
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
            met = all((collection, key) in shown for collection, key, *_ in fault.patch or {})
        elif fault.mode == "dirty_state":
            met = True  # it is in the world from the start
        else:
            met = fault.index in run.session.fired
        if not met:
            missed.append(fault)
    return tuple(missed)
