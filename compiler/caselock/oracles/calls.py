"""The calls that every legal run has to make, and whether it made them: by name, by key subset, in binding order.

They follow from the outcome's contract (what must be created or changed, and which tools on offer can do that), from
the conditions that pin an argument, and from the precedence invariants. Nothing here asks for one trajectory.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from caselock.expr.ast import Call, Node, Select, Variable, chain, free_variables, reads
from caselock.expr.compile import Expression
from caselock.expr.evaluate import evaluator
from caselock.expr.values import EvaluationError, Missing
from caselock.oracles.outcome import Created, contract_values
from caselock.oracles.task import Failure, Task
from caselock.rules.goals import CompiledOutcome
from caselock.rules.invariants import Monitor
from caselock.rules.tables import Decision
from caselock.spec.schemas import Schema
from caselock.world.environment import Session
from caselock.world.events import CallEvent
from caselock.world.model import CompiledChange
from caselock.world.state import Record, Value
from caselock.world.values import show


@dataclass(frozen=True, slots=True, kw_only=True)
class ExpectedCall:
    """A call of any of `tools` whose arguments include `args`, and whose texts contain `contains`.

    `after` gives the places in the list of the calls that have to come first.
    """

    tools: tuple[str, ...]
    args: Mapping[str, Value] = field(default_factory=dict)
    contains: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    after: tuple[int, ...] = ()

    def fits(self, event: CallEvent) -> bool:
        """Whether a call is one of those meant."""
        return (
            event.tool in self.tools
            and not event.malformed
            and all(name in event.args and event.args[name] == value for name, value in self.args.items())
            and all(_holds_all(event.args.get(name), texts) for name, texts in self.contains.items())
        )


def _holds_all(value: Value, texts: tuple[str, ...]) -> bool:
    return isinstance(value, str) and all(text in value for text in texts)


def grade_expected(task: Task, session: Session, decision: Decision) -> Iterator[Failure]:
    """Every call that the outcome needs and the run did not make, or made only before what has to precede it."""
    expected = expected_calls(task, session, decision)
    for index in unmet(expected, [event for event in session.log if isinstance(event, CallEvent)]):
        call = expected[index]
        given = "".join(f", {name} {show(value)}" for name, value in call.args.items())
        texts = "".join(f", {name} with {', '.join(map(show, held))}" for name, held in call.contains.items())
        first = ", ".join(" or ".join(expected[place].tools) for place in call.after)
        order = f" after {first}" if first else ""
        message = f"no call of {' or '.join(call.tools)}{given}{texts}{order}"
        yield Failure(oracle="behavior", element=f"calls.{'|'.join(call.tools)}", message=message)


def unmet(expected: Sequence[ExpectedCall], calls: Sequence[CallEvent]) -> list[int]:
    """The places of the expected calls that no call meets once those before it are met, each as early as it can be.

    One call may meet several expectations: how often something happens is for other graders.
    """
    met: dict[int, int] = {}
    for index, wanted in enumerate(expected):
        start = max((met.get(place, -1) for place in wanted.after), default=-1) + 1
        found = next((at for at in range(start, len(calls)) if wanted.fits(calls[at])), None)
        if found is not None:
            met[index] = found
    return [index for index in range(len(expected)) if index not in met]


def expected_calls(task: Task, session: Session, decision: Decision) -> tuple[ExpectedCall, ...]:
    """The calls that no run which ends with this decision can do without, those that come first in front.

    Raises:
        EvaluationError: when a let or a condition of the contract is in error.
    """
    contract = task.goal.outcomes.get(decision.outcome)
    if contract is None:
        return ()  # a question that stays open needs no call
    needs = _Needs(task, session, decision, contract)
    return needs.ordered()


@dataclass(slots=True, kw_only=True, eq=False)
class _Draft:
    """An expected call under way: `makes` names the records it creates, `after` the drafts before it."""

    tools: tuple[str, ...]
    args: dict[str, Value] = field(default_factory=dict)
    contains: dict[str, tuple[str, ...]] = field(default_factory=dict)
    makes: set[str] = field(default_factory=set)
    changes: set[tuple[str, str]] = field(default_factory=set)
    after: list[_Draft] = field(default_factory=list)


class _Needs:
    """What an outcome needs done in a session, as drafts of expected calls."""

    def __init__(self, task: Task, session: Session, decision: Decision, contract: CompiledOutcome) -> None:
        self._task = task
        self._created = task.required_records(contract, always=decision.outcome == "fulfil")
        self._names = {*contract.spec.creates, *contract.spec.may_create}
        self._conditions = [part for _, ensured in contract.ensures for part in chain(ensured.node, "_&&_")]
        undone = replace(session, state=session.before)
        self._values = contract_values(task, undone, decision, Created(names={}))
        self._drafts: list[_Draft] = []
        for name, collection in self._created.items():
            self._need(self._makers(collection, None), makes=name)
        for condition in self._conditions:
            self._change(condition)
        for draft in self._drafts:
            if len(draft.tools) == 1:
                self._pin(draft)
        for monitor in task.applicable(decision.outcome):
            self._bind(monitor)

    def _need(self, tools: tuple[str, ...], *, makes: str | None = None) -> _Draft | None:
        """The draft of a call of any of these tools; None when nothing on offer can do it."""
        if not tools:
            return None
        draft = next((each for each in self._drafts if each.tools == tools), None)
        if draft is None:
            draft = _Draft(tools=tools)
            self._drafts.append(draft)
        if makes is not None:
            draft.makes.add(makes)
        return draft

    def _permitted(self, tools: Sequence[str]) -> tuple[str, ...]:
        task = self._task
        return tuple(
            name for name in task.setup.tools
            if name in tools and name not in task.forbidden and task.grant(name) != "deny"
        )  # fmt: skip

    def _makers(self, collection: str, fields: frozenset[str] | None) -> tuple[str, ...]:
        """The permitted tools that insert into a collection, or update any of some of its fields."""
        return self._permitted(
            [
                name for name in self._task.setup.tools
                if any(_does(change, collection, fields) for change in self._task.world.tools[name].changes)
            ]
        )  # fmt: skip

    def _change(self, condition: Node) -> None:
        """A condition on bound records that does not hold yet: one of the fields it reads has to change."""
        elsewhere = {*self._names, *self._task.world.collections}
        if free_variables(condition) & elsewhere or self._evaluated(condition) is True:
            return
        records: dict[str, Record] = {}
        fields: dict[str, set[str]] = {}
        for path in reads(condition):
            if path[0] not in self._task.goal.lets:
                continue
            record = self._values[path[0]]
            if not isinstance(record, Record) or len(path) < 2:
                return  # a listing may be changed in more ways than can be told here
            records[record.collection] = record
            fields.setdefault(record.collection, set()).add(path[1])
        tools = {name for item, read in fields.items() for name in self._makers(item, frozenset(read))}
        draft = self._need(self._permitted(sorted(tools)))
        if draft is not None:
            draft.changes |= {(item, record.key) for item, record in records.items()}

    def _evaluated(self, node: Node) -> Value:
        try:
            return evaluator(node)(self._values)
        except (Missing, EvaluationError):
            return None

    def _pin(self, draft: _Draft) -> None:
        """Bind the arguments that the contract leaves no choice in."""
        tool = self._task.world.tools[draft.tools[0]]
        for change in tool.changes:
            key = None if change.key is None else _argument(change.key)
            keys = {key for collection, key in draft.changes if collection == change.collection}
            alone = sum(_same_target(change, other) for other in tool.changes) == 1
            if not alone or len(keys) > 1:
                continue  # which call is meant for which record cannot be told
            if key is not None and keys:
                draft.args[key] = keys.pop()
            for name in self._subjects(draft, change):
                for assignment in change.set:
                    written, argument = assignment.place.field, _argument(assignment.value)
                    if len(assignment.place.steps) > 1 or assignment.appends:
                        continue  # the condition would have to speak of the same place inside the field
                    if argument is not None and not self._rewritten(change, written, draft.tools[0]):
                        schema = (tool.spec.input.properties or {}).get(argument, Schema())
                        self._pin_argument(draft, argument, schema, (name, written))

    def _subjects(self, draft: _Draft, change: CompiledChange) -> Iterator[str]:
        """The names under which conditions speak of the record that a change makes or updates."""
        if change.key is None:
            yield from sorted(name for name in draft.makes if self._created[name] == change.collection)
            return
        for name in self._task.goal.lets:
            value = self._values[name]
            if not isinstance(value, Record) or value.collection != change.collection:
                continue
            if (value.collection, value.key) in draft.changes:
                yield name

    def _rewritten(self, change: CompiledChange, written: str, tool: str) -> bool:
        """True when another tool could still change the field: the argument need not have been right at first."""
        others = (name for name in self._makers(change.collection, frozenset([written])) if name != tool)
        return next(others, None) is not None

    def _pin_argument(self, draft: _Draft, argument: str, schema: Schema, subject: tuple[str, str]) -> None:
        for condition in self._conditions:
            match condition:
                case Call(function="_==_", args=(left, right)) if subject in (_field(left), _field(right)):
                    other = right if _field(left) == subject else left
                    self._follow(draft, other)
                    value = self._settled(other)
                    if value is not None and not schema.x_free_text:
                        draft.args[argument] = value
                case Call(function="contains", args=(text, part)) if _field(text) == subject:
                    held = self._settled(part)
                    if isinstance(held, str):
                        draft.contains[argument] = (*draft.contains.get(argument, ()), held)

    def _settled(self, node: Node) -> Value:
        """The value of an expression that no call can change; None for any other."""
        for root, *path in reads(node):
            if root in self._names or root in self._task.world.collections:
                return None
            if root in self._task.goal.lets:
                record = self._values[root]
                if not isinstance(record, Record) or self._makers(record.collection, frozenset(path[:1])):
                    return None
        return self._evaluated(node)

    def _follow(self, draft: _Draft, node: Node) -> None:
        """An argument that comes from a record the run creates can only be known after that."""
        for name in free_variables(node):
            self._put_before(draft, [each for each in self._drafts if name in each.makes])

    def _put_before(self, draft: _Draft, earlier: Sequence[_Draft]) -> None:
        draft.after += [each for each in earlier if each is not draft and each not in draft.after]

    def _bind(self, monitor: Monitor) -> None:
        """What an invariant without a scope demands: a call before another, or a call at all."""
        if "after" in monitor.patterns or "until" in monitor.patterns:
            return
        if monitor.spec.template == "precedence":
            first, then = monitor.patterns["first"].spec, monitor.patterns["then"].spec
            if first.event not in ("call", "result") or not first.tool or monitor.patterns["then"].where is not None:
                return
            later = [draft for draft in self._drafts if self._causes(draft, then.insert, then.event, then.tool)]
            earlier = self._need(self._permitted(first.tool)) if later else None
            for draft in later:
                self._put_before(draft, [] if earlier is None else [earlier])
        elif monitor.spec.template == "existence":
            of = monitor.patterns["of"].spec
            if of.event in ("call", "result") and of.tool:
                self._need(self._permitted(of.tool))

    def _causes(self, draft: _Draft, insert: str | None, event: str, tools: tuple[str, ...]) -> bool:
        """Whether the event is sure to happen by a draft's call."""
        if event == "effect":
            return insert is not None and any(self._created[name] == insert for name in draft.makes)
        return event == "call" and bool(tools) and set(draft.tools) <= set(tools)

    def ordered(self) -> tuple[ExpectedCall, ...]:
        """The drafts as expected calls, each behind those that come first; a draft that another implies is left out."""
        kept = [draft for draft in self._drafts if not self._implied(draft)]
        placed: list[_Draft] = []
        while kept:
            ready = next((draft for draft in kept if not any(each in kept for each in draft.after)), kept[0])
            kept = [draft for draft in kept if draft is not ready]
            placed.append(ready)
        return tuple(
            ExpectedCall(
                tools=draft.tools,
                args=dict(sorted(draft.args.items())),
                contains=dict(sorted(draft.contains.items())),
                after=tuple(index for index, each in enumerate(placed[:at]) if each in draft.after),
            )
            for at, draft in enumerate(placed)
        )

    def _implied(self, draft: _Draft) -> bool:
        """True when another draft's call is always one of these, and nothing else hangs on it."""
        bound = draft.args or draft.contains or draft.after or any(draft in each.after for each in self._drafts)
        return not bound and any(set(each.tools) < set(draft.tools) for each in self._drafts)


def _does(change: CompiledChange, collection: str, fields: frozenset[str] | None) -> bool:
    if change.collection != collection or (change.key is None) != (fields is None):
        return False
    return fields is None or not fields.isdisjoint(change.fields)


def _same_target(one: CompiledChange, other: CompiledChange) -> bool:
    return one.collection == other.collection and (one.key is None) == (other.key is None)


def _field(node: Node) -> tuple[str, str] | None:
    """The name and the field of `name.field`."""
    match node:
        case Select(operand=Variable(name=name), field=read):
            return name, read
        case _:
            return None


def _argument(tree: object) -> str | None:
    """The argument that a value is taken from as it is, if it is one."""
    match tree:
        case Expression(node=Select(operand=Variable(name="args"), field=name)):
            return name
        case _:
            return None
