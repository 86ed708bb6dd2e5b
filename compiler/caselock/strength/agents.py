"""The wrong agents: each deviates from the reference in one way, as little as possible, and speaks ordinary prose.

They answer what an agent of their kind would have seen, never a made-up success. Sources: the faults that public
benchmarks let pass (a do-nothing agent, transfer always, replayed gold of another task), and the design's list.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from decimal import Decimal

from caselock.expr.values import Undefined
from caselock.oracles.seen import scalars, seen_in
from caselock.solve.steps import Ask, Call, Respond
from caselock.spec.schemas import Schema
from caselock.strength.attack import obey
from caselock.strength.bench import Bench
from caselock.strength.play import Steps
from caselock.world.state import Value

Agent = Callable[[Bench], Iterator[Steps]]


def do_nothing(bench: Bench) -> Iterator[Steps]:
    """It never acts and says that all is done."""
    yield (Respond(outcome=bench.answer.outcome, says={}),)


def refuse_always(bench: Bench) -> Iterator[Steps]:
    """It looks, then says no without a reason."""
    yield (*_looked(bench), Respond(outcome="refuse", says={}))


def escalate_always(bench: Bench) -> Iterator[Steps]:
    """It looks, then hands the user over without a reason."""
    yield (*_looked(bench), Respond(outcome="escalate", says={}))


def act_always(bench: Bench) -> Iterator[Steps]:
    """It does what was asked for, whatever the rules say and whatever is still to be asked."""
    task = bench.task
    values = _values_at_start(bench)
    for tool in task.goal.spec.guarded:
        args: dict[str, Value] = {}
        for target, expression in task.goal.arguments.items():
            name, _, argument = target.partition(".")
            try:
                if name == tool:
                    args[argument] = expression.evaluate(values)
            except Undefined:
                continue
        call = bench.fresh(Call(tool=tool, args=args), "act")
        wanted = set(task.world.tools[tool].spec.input.required)
        done = any(step.tool == tool for _, step in bench.writes())
        if tool in task.setup.tools and wanted <= set(call.args) and not done:
            yield (*_looked(bench), call, Respond(outcome="fulfil", says={}))


def _values_at_start(bench: Bench) -> dict[str, Value]:
    """The goal's scope as the reference starts, with everything the user would tell."""
    known = {**bench.task.wish.states, **bench.task.wish.knows}
    return bench.task.values(bench.honest.session.before, known)


def act_without_asking(bench: Bench) -> Iterator[Steps]:
    """It guesses right what it should have asked, and does the rest."""
    if any(isinstance(step, Ask) for step in bench.reference):
        yield tuple(step for step in bench.reference if not isinstance(step, Ask))


def claim_success(bench: Bench) -> Iterator[Steps]:
    """It writes nothing and says that it did."""
    written = {index for index, _ in bench.writes()}
    if written:
        steps = tuple(step for index, step in enumerate(bench.work) if index not in written)
        yield (*steps, Respond(outcome=bench.answer.outcome, says=_seen_claims(bench, written)))


def stall(bench: Bench) -> Iterator[Steps]:
    """It does the work and never answers."""
    yield bench.work


def write_twice(bench: Bench) -> Iterator[Steps]:
    """It repeats a write that was done in full, under a fresh key."""
    for index, call in bench.writes(whole=True):
        yield bench.with_step(index, call, bench.fresh(call, "again"))


def skip_a_write(bench: Bench) -> Iterator[Steps]:
    """It leaves out one of several writes."""
    places = [index for index, _ in bench.writes()]
    if len(places) > 1:
        for index in places:
            yield bench.with_step(index)


def wrong_amount(bench: Bench) -> Iterator[Steps]:
    """It writes a step more or less, or another amount that it has seen."""
    yield from _altered(bench, lambda schema, value: _amounts(bench, schema, value))


def wrong_record(bench: Bench) -> Iterator[Steps]:
    """It writes to the record beside the right one."""
    yield from _altered(bench, lambda schema, value: _records(bench, schema, value))


def wrong_choice(bench: Bench) -> Iterator[Steps]:
    """It files a write under another of the listed values."""
    yield from _altered(bench, lambda schema, value: (item for item in schema.enum or () if item != value))


def wrong_reason(bench: Bench) -> Iterator[Steps]:
    """It gives another reason that the table knows, wherever the right one stands."""
    right = bench.answer.says.get("reason")
    others = sorted(
        {rule.reason for rule, _ in bench.task.goal.table.rules if rule.reason not in (None, right)}, key=str
    )
    if right is not None and others:
        swap = {right: others[0]}
        yield tuple(_swapped(step, swap) for step in bench.reference)


def skip_the_check(bench: Bench) -> Iterator[Steps]:
    """It leaves out a read or a question."""
    for index in bench.checks():
        yield bench.with_step(index)


def replay_the_parent(bench: Bench) -> Iterator[Steps]:
    """It does what was right before the mutation."""
    if bench.parent:
        yield bench.parent


def obey_the_injection(bench: Bench) -> Iterator[Steps]:
    """It does what the attacker wants, then goes on."""
    yield from obey(bench)


def disclose(bench: Bench) -> Iterator[Steps]:
    """It tells the user something of somebody else's record."""
    seen = seen_in(bench.task, bench.honest.session.log)
    for record in bench.strangers():
        secret = next((value for value in scalars(record) if isinstance(value, str) and value not in seen), None)
        if secret is not None:
            yield (*bench.work, Respond(outcome=bench.answer.outcome, says={**bench.answer.says, "detail": secret}))
            return


AGENTS: Mapping[str, Agent] = {
    "do_nothing": do_nothing,
    "refuse_always": refuse_always,
    "escalate_always": escalate_always,
    "act_always": act_always,
    "act_without_asking": act_without_asking,
    "claim_success": claim_success,
    "stall": stall,
    "write_twice": write_twice,
    "skip_a_write": skip_a_write,
    "wrong_amount": wrong_amount,
    "wrong_record": wrong_record,
    "wrong_choice": wrong_choice,
    "wrong_reason": wrong_reason,
    "skip_the_check": skip_the_check,
    "replay_the_parent": replay_the_parent,
    "obey_the_injection": obey_the_injection,
    "disclose": disclose,
}


def _looked(bench: Bench) -> Steps:
    """The reads of the reference."""
    return tuple(step for step in bench.work if isinstance(step, Call) and not bench.is_write(step))


def _seen_claims(bench: Bench, unwritten: set[int]) -> dict[str, Value]:
    """The claims of the answer that were not learnt from the writes left out."""
    calls = [index for index, step in enumerate(bench.reference) if isinstance(step, Call)]
    lost = {calls.index(index) for index in unwritten}
    seen = {
        value for number, result in enumerate(bench.results()) if number not in lost for value in scalars(result.value)
    }
    return {name: value for name, value in bench.answer.says.items() if value in seen}


def _altered(bench: Bench, others: Callable[[Schema, Value], Iterator[Value]]) -> Iterator[Steps]:
    for index, call in bench.writes():
        for name, schema in bench.schemas(call).items():
            for value in others(schema, call.args[name]):
                yield bench.with_step(index, Call(tool=call.tool, args={**call.args, name: value}))


def _amounts(bench: Bench, schema: Schema, value: Value) -> Iterator[Value]:
    if schema.type not in ("number", "integer") or isinstance(value, bool) or not isinstance(value, int | Decimal):
        return
    step = Decimal(1) if schema.multiple_of is None else Decimal(schema.multiple_of)
    seen = {
        item
        for item in seen_in(bench.task, bench.honest.session.log)
        if isinstance(item, int | Decimal) and item > 0 and item != value and item % step == 0
    }
    for other in (value - step, value + step, *sorted(seen, key=lambda item: (abs(item - value), item))[:3]):
        yield int(other) if schema.type == "integer" else Decimal(other)


def _records(bench: Bench, schema: Schema, value: Value) -> Iterator[Value]:
    if schema.x_ref is not None and isinstance(value, str):
        others = sorted(key for key in bench.task.setup.state[schema.x_ref] if key != value)
        seen = seen_in(bench.task, bench.honest.session.log)
        yield from sorted(others, key=lambda key: (key not in seen, key))[:2]


def _swapped(step: object, swap: Mapping[Value, Value]) -> Call | Ask | Respond:
    match step:
        case Call():
            return Call(tool=step.tool, args={name: _other(value, swap) for name, value in step.args.items()})
        case Respond():
            return Respond(outcome=step.outcome, says={name: _other(value, swap) for name, value in step.says.items()})
        case Ask():
            return step
    raise TypeError(step)


def _other(value: Value, swap: Mapping[Value, Value]) -> Value:
    return swap.get(value, value) if isinstance(value, str) else value
