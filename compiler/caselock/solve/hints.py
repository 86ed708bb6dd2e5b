"""Where arguments come from, as the goal says: hints that keep the search small, and whether each is proved."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from caselock.expr.ast import Call, Node, Select, Variable
from caselock.expr.compile import Expression
from caselock.expr.values import Undefined
from caselock.oracles.outcome import Created, contract_values, created_records
from caselock.oracles.task import Task
from caselock.rules.goals import CompiledOutcome
from caselock.rules.tables import Decision
from caselock.solve.steps import Run
from caselock.solve.terms import canonical, conjuncts
from caselock.world.state import Value


@dataclass(frozen=True, slots=True, kw_only=True)
class Hint:
    """The value of an argument; `proved` when an `ensures` of the outcome rejects every other value."""

    value: Value
    proved: bool


def hints_for(task: Task, run: Run, decision: Decision) -> dict[str, dict[str, Hint]]:
    """Tool -> argument -> hint, as far as the values are defined now; those of the outcome come before the goal's."""
    contract = task.goal.outcomes.get(decision.outcome)
    if contract is None:
        return {}
    made = {record.collection: record for record in created_records(run.session)}
    names = {name: made[collection] for name, collection in contract.spec.creates.items() if collection in made}
    values = contract_values(task, run.session, decision, Created(names=names))
    found: dict[str, dict[str, Hint]] = {}
    for target, expression in {**task.goal.arguments, **contract.arguments}.items():
        tool, _, argument = target.partition(".")
        try:
            value = expression.evaluate(values)
        except Undefined:
            continue
        proved = _is_proved(task, contract, tool, argument, expression.node)
        found.setdefault(tool, {})[argument] = Hint(value=value, proved=proved)
    return found


def _is_proved(task: Task, contract: CompiledOutcome, tool: str, argument: str, hint: Node) -> bool:
    """True when the contract ensures that the field written from this argument equals the hint."""
    promised = {text for _, expression in contract.ensures for text in conjuncts(expression.node)}
    return any(
        canonical(Call(function="_==_", args=(field, hint)))[0] in promised
        for field in _written(task, contract, tool, argument)
    )


def _written(task: Task, contract: CompiledOutcome, tool: str, argument: str) -> Iterator[Node]:
    """The fields of created records that a tool fills from an argument, as the contract names them."""
    names: Mapping[str, str] = {collection: name for name, collection in contract.spec.creates.items()}
    for change in task.world.tools[tool].changes if tool in task.world.tools else ():
        for written in change.set:
            if change.key is None and change.collection in names and _is_argument(written.value, argument):
                yield Select(operand=Variable(name=names[change.collection]), field=written.place.field)


def _is_argument(tree: object, argument: str) -> bool:
    match tree:
        case Expression(node=Select(operand=Variable(name="args"), field=field)):
            return field == argument
        case _:
            return False
