"""Which calls an agent could make next: arguments by type from what it has seen, narrowed by the goal's hints."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import islice, product

from caselock.expr.compile import Expression
from caselock.expr.values import Undefined
from caselock.oracles.outcome import Created, contract_values, created_records
from caselock.oracles.seen import derivable
from caselock.oracles.task import Task
from caselock.rules.tables import Decision
from caselock.solve.steps import Call, Run
from caselock.spec.schemas import Schema
from caselock.spec.tools import Tool
from caselock.world.events import CallEvent, ResultEvent
from caselock.world.state import Value
from caselock.world.user import disclosed

MAX_CALLS_PER_TOOL = 64


def reads(task: Task, run: Run) -> Iterator[Call]:
    """Every read call whose arguments the agent has, in tool and value order."""
    for name in sorted(task.setup.tools):
        tool = task.world.tools[name]
        if not tool.writes and permitted(task, name):
            yield from _calls(tool.spec, run, {})


def writes(task: Task, run: Run, decision: Decision) -> Iterator[Call]:
    """Every writing call that could serve the outcome the agent has concluded."""
    hints = _hints(task, run, decision)
    for name in sorted(task.setup.tools):
        tool = task.world.tools[name]
        if tool.writes and permitted(task, name) and _serves(task, name, decision):
            mine = {key.split(".", 1)[1]: value for key, value in hints.items() if key.split(".", 1)[0] == name}
            yield from _calls(tool.spec, run, mine)


def permitted(task: Task, tool: str) -> bool:
    """True when the tool is neither forbidden in this case nor denied to the role."""
    return tool not in task.forbidden and task.world.roles[task.setup.agent["role"]].grant(tool) != "deny"


def _serves(task: Task, tool: str, decision: Decision) -> bool:
    """True when all the tool writes is in the frame of the outcome; a guarded tool only serves fulfil."""
    contract = task.goal.outcomes.get(decision.outcome)
    if contract is None or (tool in task.goal.spec.guarded and decision.outcome != "fulfil"):
        return False
    spec = contract.spec
    frame = {*spec.creates.values(), *(item.in_ for item in spec.may_create.values())}
    for update in spec.may_update:
        let = task.goal.scope[update.record].type
        frame.add(getattr(let, "name", ""))
    free = {name for name, item in task.world.collections.items() if "*" in item.bookkeeping}
    return all(change.collection in frame | free for change in task.world.tools[tool].changes)


def _hints(task: Task, run: Run, decision: Decision) -> dict[str, Value]:
    """The values that the goal says arguments come from, as far as they are defined now."""
    contract = task.goal.outcomes.get(decision.outcome)
    made = {record.collection: record for record in created_records(run.session)}
    values = task.values(run.session.before, disclosed(run.session.log))
    hints: dict[str, Value] = {}
    decided = {"outcome": decision.outcome} | ({} if decision.reason is None else {"reason": decision.reason})
    _evaluate(task.goal.arguments, {**values, "decision": decided}, hints)
    if contract is not None:
        names = {name: made[collection] for name, collection in contract.spec.creates.items() if collection in made}
        full = contract_values(task, run.session, decision, Created(names=names))
        _evaluate(contract.arguments, full, hints)
    return hints


def _evaluate(expressions: Mapping[str, Expression], values: Mapping[str, Value], into: dict[str, Value]) -> None:
    for name, expression in expressions.items():
        try:
            into[name] = expression.evaluate(values)
        except Undefined:
            continue


def _calls(tool: Tool, run: Run, hints: Mapping[str, Value]) -> Iterator[Call]:
    properties = tool.input.properties or {}
    names = [name for name in properties if name in tool.input.required or name in hints]
    choices = [_choices(tool, name, properties[name], run, hints) for name in names]
    for values in islice(product(*choices), MAX_CALLS_PER_TOOL):
        args = dict(zip(names, values, strict=True))
        yield from _keyed(tool, args, run)


def _choices(tool: Tool, name: str, schema: Schema, run: Run, hints: Mapping[str, Value]) -> list[Value]:
    if name == tool.idempotency_key:
        return [""]
    if name in hints:
        return [hints[name]] if derivable(tool, name, hints[name], run.seen) else []
    if schema.x_ref is not None:
        return _keys_seen(run, schema.x_ref)
    if schema.enum is not None:
        return list(schema.enum)
    if schema.type == "boolean":
        return [False, True]
    return ["-"] if schema.x_free_text else []


def _keys_seen(run: Run, collection: str) -> list[Value]:
    """Keys of a collection among what was seen: of its records there are, and of slots that claim one."""
    known = {*run.session.state[collection], *_claimed(run)}
    return sorted(value for value in run.seen if isinstance(value, str) and value in known)


def _claimed(run: Run) -> set[str]:
    """Text that the user gave as a slot; whether it names a record is what a look-up tells."""
    return {value for value in disclosed(run.session.log).values() if isinstance(value, str)}


def _keyed(tool: Tool, args: dict[str, Value], run: Run) -> Iterator[Call]:
    """The call with its idempotency key: an attempt that got no answer is repeated under its own key."""
    key = tool.idempotency_key
    if key is None:
        yield Call(tool=tool.tool, args=args)
        return
    attempts = [event for event in run.session.log if isinstance(event, CallEvent) and event.tool == tool.tool]
    same = [event for event in attempts if {**event.args, key: ""} == {**args, key: ""}]
    if same and _unanswered(run, same[-1]):
        yield Call(tool=tool.tool, args={**args, key: same[-1].args[key]})
    elif not same:
        yield Call(tool=tool.tool, args={**args, key: f"k{len(attempts) + 1}"})


def _unanswered(run: Run, attempt: CallEvent) -> bool:
    return any(
        isinstance(event, ResultEvent) and event.call == attempt.call and event.error == "timeout"
        for event in run.session.log
    )
