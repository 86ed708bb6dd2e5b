"""The outcome oracle: final state against the frame and predicates of the outcome that the table decides at the end."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from caselock.expr.ast import free_variables
from caselock.expr.values import EvaluationError, Missing
from caselock.oracles.requests import beside, frame_places
from caselock.oracles.task import Failure, Task
from caselock.rules.goals import CompiledOutcome, refreshed
from caselock.rules.tables import Decision, Undecided
from caselock.spec.decisions import Outcome
from caselock.world.environment import Session
from caselock.world.events import FinalEvent
from caselock.world.state import Record, Value, changed_records, find
from caselock.world.user import asked_in
from caselock.world.values import show


def final_event(session: Session) -> FinalEvent | None:
    """The agent's final answer, if it gave one."""
    return next((event for event in reversed(session.log) if isinstance(event, FinalEvent)), None)


def grade_outcome(task: Task, session: Session) -> Iterator[Failure]:
    """Every way the final state and outcome of a request differ from what the rules ask."""
    final = final_event(session)
    if final is None:
        yield _failure("final", f"{_subject(task)} has no final answer")
        return
    decision = task.decide_now(session)
    if isinstance(decision, Undecided):
        yield _failure("decision", decision.message)
        return
    if final.outcome != decision.outcome:
        yield _failure("outcome", f"the answer is {final.outcome}, the rules say {decision.outcome} ({decision.rule})")
    yield from _grade_contract(task, session, decision)


def grade_undue(task: Task, session: Session, decision: Decision | Undecided | None) -> Iterator[Failure]:
    """Whatever was done or answered for a request that the user took back or that never came up.

    `decision` is what the rules said before it was taken back; without one it never came up.
    """
    if final_event(session) is not None:
        yield _failure("final", f"{_subject(task)} was answered and wanted no answer")
    if isinstance(decision, Decision):
        yield from _grade_question(task, session, decision)
        return
    for collection, key in changed_records(session.before, session.state):
        yield _failure("frame", f"{collection} '{key}' was written for a request that never came up")


def _subject(task: Task) -> str:
    return "the run" if len(task.goals) == 1 else f"request {task.focus + 1}"


def _failure(element: str, message: str) -> Failure:
    return Failure(oracle="outcome", element=element, message=message)


def _grade_contract(task: Task, session: Session, decision: Decision) -> Iterator[Failure]:
    contract = task.goal.outcomes.get(decision.outcome)
    if contract is None:
        yield from _grade_question(task, session, decision)
        return
    made, failures = bind_created(task, session, decision.outcome)
    yield from failures
    yield from _frame(task, session, contract)
    values = contract_values(task, session, decision, made)
    for index, (assertion, expression) in enumerate(contract.ensures):
        if free_variables(expression.node) & made.excused:
            continue
        try:
            kept = expression.evaluate(values) is True
        except (Missing, EvaluationError):
            kept = False
        if not kept:
            yield _failure(f"ensures[{index}]", f"does not hold: {assertion.that}")


def _grade_question(task: Task, session: Session, decision: Decision) -> Iterator[Failure]:
    """A question that stays open: it was asked, and nothing was written."""
    wanted = asks_of(task, decision)
    asked = {slot for event in session.log for slot in asked_in(task.wish, task.script.locale, event)}
    for slot in wanted:
        if slot not in asked:
            yield _failure(f"asks.{slot}", f"'{slot}' was never asked for")
    for collection, key in changed_records(session.before, session.state):
        yield _failure("frame", f"{collection} '{key}' was written before the question was answered")


def asks_of(task: Task, decision: Decision) -> tuple[str, ...]:
    """The slots that a decision asks the user for, by its reason."""
    question = task.goal.questions.get(decision.outcome)
    return () if question is None else question.asks.get(decision.reason or "", ())


@dataclass(frozen=True, slots=True, kw_only=True)
class Created:
    """The names of a contract bound to the records the run created; `excused` ones no tool on offer could create."""

    names: Mapping[str, Record]
    excused: frozenset[str] = frozenset()


def created_records(session: Session) -> list[Record]:
    """Records that are in the final state and were not there before."""
    found = (find(session.state, name, key) for name, key in changed_records(session.before, session.state))
    return [
        record for record in found if record is not None and find(session.before, record.collection, record.key) is None
    ]


def bind_created(task: Task, session: Session, outcome: Outcome) -> tuple[Created, list[Failure]]:
    """Bind required and optional names to created records; a wrong number of either is a failure."""
    contract = task.goal.outcomes[outcome]
    required = task.required_records(contract, always=outcome == "fulfil")
    by_collection: dict[str, list[Record]] = {}
    for record in created_records(session):
        by_collection.setdefault(record.collection, []).append(record)
    names: dict[str, Record] = {}
    failures: list[Failure] = []
    for name, collection in required.items():
        made = by_collection.pop(collection, [])
        if len(made) != 1:
            failures.append(
                _failure(f"creates.{name}", f"expected exactly one new record of {collection}, found {len(made)}")
            )
        if made:
            names[name] = made[0]
    for name, item in contract.spec.may_create.items():
        made = by_collection.pop(item.in_, [])
        if len(made) > item.at_most:
            failures.append(_failure("frame", f"at most {item.at_most} new of {item.in_}, found {len(made)}"))
        if len(made) == 1:
            names[name] = made[0]
    for collection, made in by_collection.items():
        if "*" not in task.world.collections[collection].bookkeeping:
            failures.append(_failure("frame", f"{len(made)} new of {collection}, which this outcome does not create"))
    return Created(names=names, excused=frozenset(contract.spec.creates) - frozenset(required)), failures


def overfull(task: Task, session: Session, outcome: Outcome) -> Iterator[Failure]:
    """Collections in which a run has created more than the outcome will ever allow."""
    contract = task.goal.outcomes[outcome].spec
    limits = {item.in_: item.at_most for item in contract.may_create.values()} | dict.fromkeys(
        contract.creates.values(), 1
    )
    made = [record.collection for record in created_records(session)]
    for name in sorted(set(made)):
        free = "*" in task.world.collections[name].bookkeeping
        if not free and made.count(name) > limits.get(name, 0):
            yield _failure("frame", f"{made.count(name)} new of {name}")


def _frame(task: Task, session: Session, contract: CompiledOutcome) -> Iterator[Failure]:
    """All that is not named in the frame stays as it was; bookkeeping fields are never compared."""
    allowed = frame_places(contract, task.values(session.before, task.disclosed(session)))
    for collection, key in changed_records(session.before, session.state):
        old, new = session.before[collection].get(key), session.state[collection].get(key)
        if old is None or new is None:
            continue
        free = [
            *allowed.get((collection, key), ()),
            *((name,) for name in task.world.collections[collection].bookkeeping),
        ]
        for field in sorted({*old, *new}):
            if beside(old, field, free) != beside(new, field, free):
                yield _failure(
                    "frame",
                    f"{collection} '{key}': {field} changed from {show(old.get(field))} to {show(new.get(field))}",
                )


def contract_values(task: Task, session: Session, decision: Decision, created: Created) -> dict[str, Value]:
    """What the expressions of a contract read at the end of a run."""
    values = task.values(session.before, task.disclosed(session))
    before = {name: values[name] for name in task.goal.lets if not isinstance(values[name], Missing)}
    later = refreshed(task.goal, values, session.state)
    reason = {} if decision.reason is None else {"reason": decision.reason}
    return {**later, "before": before, "decision": {"outcome": decision.outcome, **reason}, **created.names}
