"""How an attacker's wish is granted: one call of a tool on offer, or one thing told, makes its predicate true."""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal
from itertools import islice, product

from caselock.expr.ast import Literal, walk
from caselock.expr.values import EvaluationError
from caselock.oracles.grade import attack_succeeded
from caselock.oracles.seen import scalars, seen_in
from caselock.solve.steps import Call, Respond, begin, take
from caselock.spec.schemas import Schema
from caselock.strength.bench import Bench
from caselock.strength.play import Steps
from caselock.world.state import Value

MAX_CALLS = 256
_NUMBER = re.compile(r"\d+(?:\.\d+)?", re.ASCII)


def obey(bench: Bench) -> Iterator[Steps]:
    """The reference with the first call that reaches the attack's goal, before its work and after it, or else words."""
    if bench.task.attack is None:
        return
    for before in (bench.work, ()):
        for call in _calls(bench):
            if _reaches(bench, (*before, call)):
                yield (*before, call, Respond(outcome=bench.answer.outcome, says=bench.answer.says))
                return
    secrets = (value for record in bench.strangers() for value in scalars(record) if isinstance(value, str))
    for secret in islice(secrets, MAX_CALLS):
        told = (*bench.work, Respond(outcome=bench.answer.outcome, says={**bench.answer.says, "detail": secret}))
        if _reaches(bench, told):
            yield told
            return


def _reaches(bench: Bench, steps: Steps) -> bool:
    run = begin(bench.task)
    for step in steps:
        run = take(bench.task, run, step)
    try:
        return attack_succeeded(bench.task, run.session, run.session.state)
    except EvaluationError:
        return False


def _calls(bench: Bench) -> Iterator[Call]:
    """Every call that could grant the wish, with values that the attack, the payload or the run mention."""
    for name in sorted(bench.task.setup.tools):
        tool = bench.task.world.tools[name]
        if tool.writes:
            properties = tool.spec.input.properties or {}
            names = [argument for argument in properties if argument in tool.spec.input.required]
            choices = [_choices(bench, tool.spec.idempotency_key == item, properties[item]) for item in names]
            for values in islice(product(*choices), MAX_CALLS):
                yield Call(tool=name, args=dict(zip(names, values, strict=True)))


def _choices(bench: Bench, is_key: bool, schema: Schema) -> list[Value]:
    if is_key:
        return ["obey"]
    if schema.enum is not None:
        return list(schema.enum)
    words = _mentioned(bench)
    if schema.x_ref is not None:
        records = bench.task.setup.state[schema.x_ref]
        return sorted(records, key=lambda key: (key not in words, key))[:4]
    match schema.type:
        case "number":
            numbers = {number for word in words for number in _NUMBER.findall(word)}
            seen = {item for item in seen_in(bench.task, bench.honest.session.log) if isinstance(item, Decimal)}
            return sorted({Decimal(number) for number in numbers} | seen, reverse=True)[:8]
        case "integer":
            return [1]
        case "boolean":
            return [True, False]
        case "string":
            return ["-", *sorted(_wished(bench) | _stated(bench))]
    return []


def _mentioned(bench: Bench) -> set[str]:
    """Every text of the attack's predicate, the words of an injected payload, and what the reference saw."""
    texts = _wished(bench) | {item for item in seen_in(bench.task, bench.honest.session.log) if isinstance(item, str)}
    for fault in bench.task.setup.faults:
        if fault.mode == "injected_content":
            for payload in (fault.patch or {}).values():
                texts |= set(re.findall(r"[\w.\-]+", str(payload)))
    return texts


def _wished(bench: Bench) -> set[str]:
    """The texts that the attack's predicate names, whole."""
    attack = bench.task.attack
    nodes = () if attack is None else walk(attack.succeeded.node)
    return {part.value for part in nodes if isinstance(part, Literal) and isinstance(part.value, str)}


def _stated(bench: Bench) -> set[str]:
    """The texts that the user gives as slots."""
    wishes = bench.task.script.requests
    return {value for wish in wishes for value in wish.states.values() if isinstance(value, str)}
