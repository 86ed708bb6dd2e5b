"""The response oracle over structured claims: each promised value is said, is right, and was seen."""

from __future__ import annotations

from collections.abc import Iterator

from caselock.expr.values import EvaluationError, Missing
from caselock.oracles.outcome import bind_created, contract_values, final_event
from caselock.oracles.seen import scalars, seen_in
from caselock.oracles.task import Failure, Task
from caselock.rules.tables import Decision
from caselock.world.environment import Session
from caselock.world.events import FinalEvent
from caselock.world.schema_check import problems
from caselock.world.state import Value
from caselock.world.values import show


def expected_claims(task: Task, session: Session, decision: Decision) -> dict[str, Value]:
    """What the final answer must convey; a value that the run did not produce is absent."""
    contract = task.goal.outcomes.get(decision.outcome)
    if contract is None:
        return {}
    created, _ = bind_created(task, session, decision.outcome)
    values = contract_values(task, session, decision, created)
    claims: dict[str, Value] = {}
    for name, expression in contract.says.items():
        try:
            claims[name] = expression.evaluate(values)
        except (Missing, EvaluationError):
            continue
    return claims


def grade_response(task: Task, session: Session) -> Iterator[Failure]:
    """Claims that are missing, wrong, or drawn from nothing the agent saw."""
    final, decision = final_event(session), task.decide_now(session)
    if final is None or not isinstance(decision, Decision):
        return
    wanted = expected_claims(task, session, decision)
    for name, value in wanted.items():
        if name not in final.says:
            yield _failure(name, f"the answer does not give {name}")
        elif final.says[name] != value:
            yield _failure(name, f"the answer gives {name} as {show(final.says[name])}, it is {show(value)}")
    yield from grade_form(task, final, decision)
    seen = seen_in(task, session.log[: session.log.index(final)])
    for name, value in final.says.items():
        if value != decision.reason and not all(part in seen for part in scalars(value)):
            yield _failure(name, f"the answer gives {name} as {show(value)}, which the agent never saw")


def grade_form(task: Task, final: FinalEvent, decision: Decision) -> Iterator[Failure]:
    """Where the structured answer breaks the schema that the outcome declares for it."""
    contract = task.goal.outcomes.get(decision.outcome)
    schema = None if contract is None else contract.spec.response_schema
    for problem in () if schema is None else problems(schema, final.says):
        where = ".".join(map(str, problem.path))
        message = f"the answer is not of its form{f' at {where}' if where else ''}: {problem.message}"
        yield Failure(oracle="response", element="response_schema", message=message)


def _failure(name: str, message: str) -> Failure:
    return Failure(oracle="response", element=f"says.{name}", message=message)
