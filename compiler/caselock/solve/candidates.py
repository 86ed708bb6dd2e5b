"""Which calls an agent could make next: arguments by type from what it has seen, narrowed by the goal's hints."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from decimal import Decimal
from itertools import islice, product
from math import prod

from caselock.expr.types import List
from caselock.oracles.seen import derivable
from caselock.oracles.task import Task
from caselock.rules.goals import CompiledOutcome
from caselock.rules.tables import Decision
from caselock.solve.effort import Effort
from caselock.solve.hints import Hint, hints_for
from caselock.solve.steps import Call, Run
from caselock.spec.schemas import Schema
from caselock.spec.tools import RETRYABLE_ERRORS, Tool
from caselock.world.events import CallEvent, FinalEvent, ResultEvent, UserEvent
from caselock.world.model import CompiledChange
from caselock.world.state import Value

MAX_CALLS_PER_TOOL = 64


def reads(task: Task, run: Run, effort: Effort) -> Iterator[Call]:
    """Every read call whose arguments the agent has, in tool and value order."""
    for name in sorted(task.setup.tools):
        tool = task.world.tools[name]
        if not tool.writes and permitted(task, name):
            yield from _calls(tool.spec, run, {}, effort)


def writes(task: Task, run: Run, decision: Decision, effort: Effort) -> Iterator[Call]:
    """Every writing call that could serve the outcome the agent has concluded."""
    hints = hints_for(task, run, decision)
    for name in sorted(task.setup.tools):
        tool = task.world.tools[name]
        if tool.writes and permitted(task, name) and _serves(task, name, decision):
            yield from _calls(tool.spec, run, hints.get(name, {}), effort)


def permitted(task: Task, tool: str) -> bool:
    """True when the tool is neither forbidden in this case nor denied to the role."""
    return tool not in task.forbidden and task.grant(tool) != "deny"


def _serves(task: Task, tool: str, decision: Decision) -> bool:
    """True when a tool writes something of the frame of the outcome, and besides it bookkeeping at most."""
    contract = task.goal.outcomes.get(decision.outcome)
    if contract is None or (tool in task.goal.spec.guarded and decision.outcome != "fulfil"):
        return False
    kinds = [_effect_on_frame(task, contract, change) for change in task.world.tools[tool].changes]
    return "frame" in kinds and "outside" not in kinds


def _effect_on_frame(task: Task, contract: CompiledOutcome, change: CompiledChange) -> str:
    """Whether a change is in the `frame`, is mere `bookkeeping`, or lies `outside`."""
    free = task.world.collections[change.collection].bookkeeping
    if "*" in free or (change.key is not None and change.fields <= set(free)):
        return "bookkeeping"
    spec = contract.spec
    made = {*spec.creates.values(), *(item.in_ for item in spec.may_create.values())}
    if change.collection in made:
        return "frame"
    fields = {place.field for name, place in contract.frame if _collection(task, name) == change.collection}
    return "frame" if change.key is not None and fields & change.fields else "outside"


def _collection(task: Task, let: str) -> str | None:
    """The collection of the record, or of each of the records, that a let of the goal is bound to."""
    type_ = task.goal.scope[let].type
    return getattr(type_.item if isinstance(type_, List) else type_, "name", None)


def _calls(tool: Tool, run: Run, hints: Mapping[str, Hint], effort: Effort) -> Iterator[Call]:
    properties = tool.input.properties or {}
    names = [name for name in properties if name in tool.input.required or name in hints]
    free = [_choices(tool, name, properties[name], run) for name in names]
    choices = [_hinted(tool, name, options, run, hints) for name, options in zip(names, free, strict=True)]
    for name, options, left in zip(names, free, choices, strict=True):
        # A hint may have dropped a value that would have worked: no proof rests on what was left out.
        effort.cut |= options != left and not hints[name].proved
    effort.cut |= prod(len(options) for options in choices) > MAX_CALLS_PER_TOOL
    for values in islice(product(*choices), MAX_CALLS_PER_TOOL):
        args = dict(zip(names, values, strict=True))
        yield from _keyed(tool, args, run)


def _choices(tool: Tool, name: str, schema: Schema, run: Run) -> list[Value]:
    """The values an argument may take by its type, from what was seen."""
    if name == tool.idempotency_key:
        return [""]
    if schema.x_ref is not None:
        return _keys_seen(run, schema.x_ref)
    if schema.enum is not None:
        return list(schema.enum)
    match schema.type:
        case "boolean":
            return [False, True]
        case "number" | "integer":
            return _numbers_seen(run, whole=schema.type == "integer")
        case "string" if schema.x_free_text:
            return ["-"]
        case "string":
            return sorted(_claimed(run))
        case _:
            return []


def _hinted(tool: Tool, name: str, options: list[Value], run: Run, hints: Mapping[str, Hint]) -> list[Value]:
    if name not in hints:
        return options
    value = hints[name].value
    return [value] if derivable(tool, name, value, run.seen) else []


def _numbers_seen(run: Run, *, whole: bool) -> list[Value]:
    kinds = int if whole else (int, Decimal)
    return sorted(value for value in run.seen if isinstance(value, kinds) and not isinstance(value, bool))


def _keys_seen(run: Run, collection: str) -> list[Value]:
    """Keys of a collection among what was seen: of its records there are, and of slots that claim one."""
    known = {*run.session.state[collection], *_claimed(run)}
    return sorted(value for value in run.seen if isinstance(value, str) and value in known)


def _claimed(run: Run) -> set[str]:
    """Text that the user gave as a slot; whether it names a record is what a look-up tells."""
    turns = (event for event in run.session.log if isinstance(event, UserEvent))
    return {value for turn in turns for value in turn.slots.values() if isinstance(value, str)}


def _keyed(tool: Tool, args: dict[str, Value], run: Run) -> Iterator[Call]:
    """The call with its idempotency key: an attempt that got no answer is repeated under its own key."""
    key = tool.idempotency_key
    if key is None:
        yield Call(tool=tool.tool, args=args)
        return
    log = run.session.log
    attempts = [event for event in log if isinstance(event, CallEvent) and event.tool == tool.tool]
    answered = max((index for index, event in enumerate(log) if isinstance(event, FinalEvent)), default=-1)
    recent = [event for event in attempts if event in log[answered + 1 :]]  # an earlier request has its own
    same = [event for event in recent if {**event.args, key: ""} == {**args, key: ""}]
    if same and _unanswered(tool, run, same[-1]):
        yield Call(tool=tool.tool, args={**args, key: same[-1].args[key]})
    elif not same:
        yield Call(tool=tool.tool, args={**args, key: f"k{len(attempts) + 1}"})


def _unanswered(tool: Tool, run: Run, attempt: CallEvent) -> bool:
    return any(
        isinstance(event, ResultEvent) and event.call == attempt.call and is_retryable(tool, event.error)
        for event in run.session.log
    )


def is_retryable(tool: Tool, error: str | None) -> bool:
    """True for an error after which the same call may work."""
    declared = {item.code for item in tool.errors if item.retryable}
    return error is not None and error in RETRYABLE_ERRORS | declared
