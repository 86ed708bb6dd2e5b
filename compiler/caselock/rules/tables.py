"""Decision tables as written -> compiled tables, and a table with facts -> a decision."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Literal

from caselock.expr import types
from caselock.expr.compile import Expression
from caselock.expr.types import Variable
from caselock.expr.values import EvaluationError, Missing, Undefined
from caselock.spec.decisions import DecisionTable, HitPolicy, Input, Outcome, Rule, Ruling
from caselock.spec.workspace import Entry, Workspace
from caselock.world.expressions import Compiler, holds
from caselock.world.state import Value


@dataclass(frozen=True, slots=True, kw_only=True)
class CompiledTable:
    """A decision table that can be evaluated; `losers` maps a rule to the rules it overrides, by rule or by ruling."""

    name: str
    version: str
    hit_policy: HitPolicy
    inputs: Mapping[str, Expression]
    input_types: Mapping[str, Variable]
    assume: tuple[Expression, ...]
    rules: tuple[tuple[Rule, Expression], ...]
    losers: Mapping[str, frozenset[str]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """What a table says of the facts: outcome and reason, the rule that decided, every rule that hit, and the facts."""

    outcome: Outcome
    reason: str | None
    rule: str
    hits: tuple[str, ...]
    facts: Mapping[str, Value]


@dataclass(frozen=True, slots=True, kw_only=True)
class Undecided:
    """Facts on which a table gives no single answer: no rule hits, rules disagree, or a rule is in error."""

    kind: Literal["gap", "conflict", "error", "assumption"]
    rules: tuple[str, ...]
    message: str
    facts: Mapping[str, Value]


def build_table(
    entry: Entry[DecisionTable], workspace: Workspace, scope: Mapping[str, Variable], compiler: Compiler
) -> CompiledTable:
    """Compile a table in the scope of the goal that uses it; findings go to the compiler."""
    table = entry.value
    inputs: dict[str, Expression] = {}
    input_types: dict[str, Variable] = {}
    for name, item in table.inputs.items():
        expression = compiler.at(entry, ("inputs", name, "from"), item.from_, scope)
        input_types[name] = Variable(type=_input_type(item, expression), optional=True)
        if expression is not None:
            _check_input(entry, name, item, expression, compiler)
            inputs[name] = expression
    rules = tuple(
        (rule, expression)
        for index, rule in enumerate(table.rules)
        if (expression := compiler.at(entry, ("rules", index, "when"), rule.when, input_types, types.Bool()))
    )
    assumed = (
        compiler.at(entry, ("assume", index), text, input_types, types.Bool())
        for index, text in enumerate(table.assume)
    )
    losers = _losers(table, [ruling.value for ruling in workspace.rulings.values()])
    _check_circles(entry, losers, compiler)
    return CompiledTable(
        name=table.decision,
        version=table.version,
        hit_policy=table.hit_policy,
        inputs=inputs,
        input_types=input_types,
        assume=tuple(expression for expression in assumed if expression is not None),
        rules=rules,
        losers=losers,
    )


_PLAIN: Mapping[str, Callable[[types.Type], bool]] = {
    "int": lambda found: isinstance(found, types.Int),
    "bool": lambda found: isinstance(found, types.Bool),
    "enum": lambda found: isinstance(found, types.Enum),
    "string": lambda found: isinstance(found, types.String | types.Enum | types.Id),
    "timestamp": lambda found: isinstance(found, types.Timestamp),
    "duration": lambda found: isinstance(found, types.Duration),
    "id": lambda found: isinstance(found, types.Id),
    "decimal": lambda found: isinstance(found, types.Decimal | types.Int),
}


def _input_type(item: Input, expression: Expression | None) -> types.Type:
    if item.type == "decimal":
        return types.Decimal(step=None if item.step is None else item.step)
    return types.Untyped() if expression is None else expression.type


def _check_input(
    entry: Entry[DecisionTable], name: str, item: Input, expression: Expression, compiler: Compiler
) -> None:
    if not _PLAIN[item.type](expression.type):
        found = types.describe(expression.type)
        compiler.diagnostics.append(
            entry.finding(
                "CL0501",
                f"input '{name}' is declared {item.type} but is {found}",
                "inputs",
                name,
                "type",
                found=item.type,
            )
        )


def _losers(table: DecisionTable, rulings: list[Ruling]) -> dict[str, frozenset[str]]:
    losers = {rule.id: set(rule.overrides) for rule in table.rules}
    for ruling in rulings:
        if ruling.status == "decided" and ruling.prevails in losers:
            losers[ruling.prevails] |= set(ruling.rules) - {ruling.prevails}
    return {rule: frozenset(beaten) for rule, beaten in losers.items()}


def _check_circles(entry: Entry[DecisionTable], losers: Mapping[str, frozenset[str]], compiler: Compiler) -> None:
    """A rule that overrides itself, directly or through others, settles nothing."""
    for index, rule in enumerate(entry.value.rules):
        reached: set[str] = set()
        pending = set(losers[rule.id])
        while pending:
            name = pending.pop()
            reached.add(name)
            pending |= losers.get(name, frozenset()) - reached
        if rule.id in reached:
            message = f"'{rule.id}' overrides itself, directly or through other rules"
            compiler.diagnostics.append(entry.finding("CL0509", message, "rules", index, "overrides", found=rule.id))


def facts_of(table: CompiledTable, values: Mapping[str, Value]) -> dict[str, Value]:
    """The value of every input; one that is missing or in error is planted as such."""
    facts: dict[str, Value] = {}
    for name, expression in table.inputs.items():
        try:
            facts[name] = expression.evaluate(values)
        except Undefined as undefined:
            facts[name] = undefined
    return facts


def decide(table: CompiledTable, facts: Mapping[str, Value]) -> Decision | Undecided:
    """Evaluate every rule on the facts; a rule that needs a missing fact does not fire, all that fire are recorded."""
    for name, value in facts.items():
        if isinstance(value, EvaluationError):
            return Undecided(kind="error", rules=(), message=f"fact '{name}' is in error: {value.reason}", facts=facts)
    for expression in table.assume:
        if not _assumed(expression, facts):
            message = f"the assumption '{expression.text}' does not hold"
            return Undecided(kind="assumption", rules=(), message=message, facts=facts)
    hits: list[Rule] = []
    for rule, condition in table.rules:
        try:
            if holds(condition, facts):
                hits.append(rule)
        except EvaluationError as error:
            return Undecided(
                kind="error", rules=(rule.id,), message=f"rule '{rule.id}' is in error: {error.reason}", facts=facts
            )
    return settle(table, hits, facts)


def _assumed(expression: Expression, facts: Mapping[str, Value]) -> bool:
    """An assumption about a missing fact cannot be broken."""
    try:
        return expression.evaluate(facts) is True
    except Missing:
        return True
    except EvaluationError:
        return False


def settle(table: CompiledTable, hits: list[Rule], facts: Mapping[str, Value]) -> Decision | Undecided:
    """The decision of the rules that hit, overridden ones set aside; disagreement is never settled by table order."""
    names = tuple(rule.id for rule in hits)
    standing = unbeaten(table, hits)
    if not standing:
        return Undecided(kind="gap", rules=names, message="no rule covers these facts", facts=facts)
    first = standing[0]
    agreed = all((rule.then, rule.reason) == (first.then, first.reason) for rule in standing)
    if not agreed or (table.hit_policy == "unique" and len(standing) > 1):
        said = ", ".join(
            f"{rule.id} says {rule.then}" + (f" ({rule.reason})" if rule.reason else "") for rule in standing
        )
        return Undecided(kind="conflict", rules=tuple(rule.id for rule in standing), message=said, facts=facts)
    return Decision(outcome=first.then, reason=first.reason, rule=first.id, hits=names, facts=facts)


def unbeaten(table: CompiledTable, hits: list[Rule]) -> list[Rule]:
    """The hits that no standing hit overrides.

    A rule that is itself overridden silences nobody, and rules that override each other in a circle all stand.
    """
    beaten: set[str] = set()
    open_ = list(hits)
    while True:
        free = [
            rule for rule in open_ if not any(rule.id in table.losers[other.id] for other in open_ if other is not rule)
        ]
        fallen = {loser for rule in free for loser in table.losers[rule.id]} - beaten
        beaten |= fallen
        if not fallen & {rule.id for rule in open_}:
            return open_
        open_ = [rule for rule in open_ if rule.id not in fallen]
