"""What the final answer must cite, and whether it does: documents that a result has shown, and every one asked for."""

from __future__ import annotations

from collections.abc import Iterator

from caselock.expr.values import Missing
from caselock.oracles.outcome import bind_created, contract_values, final_event
from caselock.oracles.seen import scalars
from caselock.oracles.task import Failure, Task
from caselock.rules.tables import Decision
from caselock.world.environment import Session
from caselock.world.events import ResultEvent
from caselock.world.state import Value
from caselock.world.values import show


def required_citations(task: Task, session: Session, decision: Decision) -> tuple[str, ...] | None:
    """The ids of the documents that the answer must cite; None when they cannot be told, since something is missing.

    Raises:
        EvaluationError: when `must_cite` is in error.
    """
    contract = task.goal.outcomes.get(decision.outcome)
    if contract is None or contract.must_cite is None:
        return ()
    created, _ = bind_created(task, session, decision.outcome)
    try:
        wanted: Value = contract.must_cite.evaluate(contract_values(task, session, decision, created))
    except Missing:
        return None
    return tuple(dict.fromkeys(wanted))


def grade_citations(task: Task, session: Session) -> Iterator[Failure]:
    """Citations that are missing, that name no document, or that name one which no result has shown.

    Raises:
        EvaluationError: when `must_cite` is in error.
    """
    final, decision = final_event(session), task.decide_now(session)
    if final is None or not isinstance(decision, Decision):
        return
    wanted = required_citations(task, session, decision)
    if wanted is None:
        yield _failure("which documents must be cited cannot be told")
        return
    for name in wanted:
        if name not in final.cites:
            yield _failure(f"the answer does not cite {show(name)}")
    shown = shown_values(session)
    documents = {key for name, kept in task.world.collections.items() if kept.documents for key in session.state[name]}
    for name in final.cites:
        if name not in documents:
            yield _failure(f"the answer cites {show(name)}, which is no document")
        elif name not in shown:
            yield _failure(f"the answer cites {show(name)}, which no result has shown")


def shown_values(session: Session) -> frozenset[Value]:
    """Every scalar of the results of a session: a user's word for a document is not enough to cite it."""
    results = (event for event in session.log if isinstance(event, ResultEvent))
    return frozenset(part for result in results for part in scalars(result.value))


def _failure(message: str) -> Failure:
    return Failure(oracle="response", element="must_cite", message=message)
