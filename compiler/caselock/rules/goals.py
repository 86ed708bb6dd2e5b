"""Goals as written -> compiled goals: lets, the decision table, and a contract per outcome."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from caselock.diagnostics.diagnostic import Diagnostic
from caselock.expr.compile import Expression
from caselock.expr.types import UNTYPED, Bool, Field, Id, List, Record, String, Type, Variable, describe
from caselock.rules.tables import CompiledTable, Decision, Undecided, build_table, decide, facts_of
from caselock.spec.decisions import ENDINGS, QUESTIONS, DecisionTable, Outcome
from caselock.spec.goals import Assertion, Goal, OutcomeContract, Question
from caselock.spec.workspace import Entry, Workspace
from caselock.world.expressions import Compiler, bind
from caselock.world.places import Place, compile_place
from caselock.world.state import Record as WorldRecord
from caselock.world.state import State, Value, find
from caselock.world.tools import bind_lets
from caselock.world.types import OUTCOME_TYPE, collection_types, request_type

Scope = Mapping[str, Variable]


@dataclass(frozen=True, slots=True, kw_only=True)
class CompiledOutcome:
    """The contract of one outcome with its expressions compiled."""

    spec: OutcomeContract
    ensures: tuple[tuple[Assertion, Expression], ...]
    says: Mapping[str, Expression]
    must_cite: Expression | None
    frame: tuple[tuple[str, Place], ...]
    arguments: Mapping[str, Expression]
    scope: Scope


@dataclass(frozen=True, slots=True, kw_only=True)
class CompiledGoal:
    """A goal that can be decided, observed and graded; `scope` types the names its expressions read before any work."""

    spec: Goal
    scope: Scope
    lets: Mapping[str, Expression]
    table: CompiledTable
    observe: Mapping[str, Expression]
    grants: Mapping[str, Expression]
    arguments: Mapping[str, Expression]
    outcomes: Mapping[Outcome, CompiledOutcome]
    questions: Mapping[Outcome, Question]


def build_goal(entry: Entry[Goal], workspace: Workspace, variables: Scope, compiler: Compiler) -> CompiledGoal | None:
    """Compile a goal and its table; None when the table is unknown. Findings go to the compiler."""
    goal = entry.value
    table = workspace.tables.get(goal.decision)
    if table is None:
        return None
    base = {
        **variables,
        "tools": Variable(type=List(item=String()), optional=False),
        "request": Variable(type=request_type(goal.slots), optional=False),
    }
    scope, lets = bind_lets(entry, goal.let, base, compiler)
    compiler.diagnostics += _check_outcomes(entry, table)
    outcomes: dict[Outcome, CompiledOutcome] = {}
    for outcome in ENDINGS:
        contract = goal.outcomes.contract(outcome)
        if contract is not None:
            outcomes[outcome] = _outcome(entry, workspace, outcome, contract, scope, lets, compiler)
    return CompiledGoal(
        spec=goal,
        scope=scope,
        lets=lets,
        table=build_table(table, workspace, scope, compiler),
        observe=_named(entry, ("observe",), goal.observe, scope, compiler),
        grants=_named(entry, ("grants",), goal.grants, scope, compiler),
        arguments=_named(entry, ("arguments",), goal.arguments, _work_scope(goal, scope), compiler),
        outcomes=outcomes,
        questions={name: question for name in QUESTIONS if (question := goal.outcomes.question(name))},
    )


def _check_outcomes(entry: Entry[Goal], table: Entry[DecisionTable]) -> Iterator[Diagnostic]:
    """Every outcome that the table can decide has a contract that obliges the agent to something."""
    outcomes = entry.value.outcomes
    for index, rule in enumerate(table.value.rules):
        question = outcomes.question(rule.then)
        if question is not None:
            asks = question.asks
            if not asks.get(rule.reason or ""):
                yield table.finding(
                    "CL0508",
                    f"goal '{entry.value.goal}' asks for no slot when '{rule.id}' decides",
                    "rules",
                    index,
                    "reason" if rule.reason else "then",
                    found=rule.reason,
                    allowed=tuple(sorted(asks)),
                )
        elif rule.then not in QUESTIONS and rule.then != "fulfil" and rule.reason is None:
            yield table.finding(
                "CL0507", f"'{rule.id}' gives no reason to convey", "rules", index, "then", found=rule.then
            )
        elif outcomes.contract(rule.then) is None:
            yield table.finding(
                "CL0506",
                f"goal '{entry.value.goal}' has no contract for '{rule.then}'",
                "rules",
                index,
                "then",
                found=rule.then,
            )
    yield from _idle_questions(entry, table)
    for outcome in ENDINGS[1:]:
        contract = outcomes.contract(outcome)
        if contract is not None and "reason" not in contract.says:
            yield entry.finding("CL0507", f"'{outcome}' conveys no reason", "outcomes", outcome, "says", found=outcome)
    for outcome in ENDINGS:
        contract = outcomes.contract(outcome)
        if contract is not None and not _obliges(contract):
            message = f"'{outcome}' obliges the agent to nothing"
            yield entry.finding("CL0540", message, "outcomes", outcome, key=True, found=outcome)
        both = (
            []
            if contract is None
            else sorted(set(contract.creates.values()) & {m.in_ for m in contract.may_create.values()})
        )
        for name in both:
            yield entry.finding(
                "CL0505", f"'{name}' is both created and optional", "outcomes", outcome, "may_create", found=name
            )


def _obliges(contract: OutcomeContract) -> bool:
    return bool(contract.creates or contract.ensures or contract.says or contract.must_cite)


def _idle_questions(entry: Entry[Goal], table: Entry[DecisionTable]) -> Iterator[Diagnostic]:
    """Reasons to ask that no rule ever gives."""
    for outcome in QUESTIONS:
        question = entry.value.outcomes.question(outcome)
        given = {rule.reason for rule in table.value.rules if rule.then == outcome}
        for reason in () if question is None else question.asks:
            if reason not in given:
                path = ("outcomes", outcome, "asks", reason)
                allowed = tuple(sorted(name for name in given if name))
                yield entry.finding(
                    "CL0204", f"no rule asks for '{reason}'", *path, key=True, found=reason, allowed=allowed
                )


def _work_scope(goal: Goal, scope: Scope) -> Scope:
    decision = Record(
        name="decision",
        fields={"outcome": Field(type=OUTCOME_TYPE, optional=False), "reason": Field(type=String(), optional=True)},
    )
    return {**scope, "decision": Variable(type=decision, optional=False)}


def _outcome(
    entry: Entry[Goal],
    workspace: Workspace,
    outcome: Outcome,
    contract: OutcomeContract,
    scope: Scope,
    lets: Mapping[str, Expression],
    compiler: Compiler,
) -> CompiledOutcome:
    path = ("outcomes", outcome)
    full = _contract_scope(entry, workspace, path, contract, scope, lets, compiler)
    ensures = tuple(
        (assertion, expression)
        for index, assertion in enumerate(contract.ensures)
        if (expression := compiler.at(entry, (*path, "ensures", index, "that"), assertion.that, full, Bool()))
    )
    return CompiledOutcome(
        spec=contract,
        ensures=ensures,
        says=_named(entry, (*path, "says"), contract.says, full, compiler),
        must_cite=_citations(entry, workspace, (*path, "must_cite"), contract.must_cite, full, compiler),
        frame=_frame(entry, path, contract, scope, lets, compiler),
        arguments=_named(entry, (*path, "arguments"), contract.arguments, full, compiler),
        scope=full,
    )


def _citations(
    entry: Entry[Goal],
    workspace: Workspace,
    path: tuple[str, ...],
    text: str | None,
    scope: Scope,
    compiler: Compiler,
) -> Expression | None:
    """The expression for the documents to cite: a list of ids of records that can be cited."""
    expression = None if text is None else compiler.at(entry, path, text, scope, List(item=UNTYPED))
    if expression is None or not isinstance(expression.type, List):
        return expression
    item = expression.type.item
    documents = tuple(name for name, kept in workspace.records.value.records.items() if kept.documents)
    if not (isinstance(item, Id) and item.collection in documents):
        message = f"'must_cite' is a {describe(expression.type)}, not a list of ids of documents"
        hint = "mark the collection of the policy's articles with 'documents: true', and list keys of its records"
        finding = entry.finding("CL0520", message, *path, found=text, allowed=documents, hint=hint)
        compiler.diagnostics.append(finding)
    return expression


def _contract_scope(
    entry: Entry[Goal],
    workspace: Workspace,
    path: tuple[str, ...],
    contract: OutcomeContract,
    scope: Scope,
    lets: Mapping[str, Expression],
    compiler: Compiler,
) -> Scope:
    """What a contract's expressions read: lets after the work, `before`, created records and the decision."""
    types = collection_types(workspace.records.value)
    full = dict(_work_scope(entry.value, scope))
    before: dict[str, Field] = {name: Field(type=let.type, optional=True) for name, let in lets.items()}
    full["before"] = Variable(type=Record(name="before", fields=before), optional=False)
    made = {name: (name, collection, ("creates", name)) for name, collection in contract.creates.items()}
    made |= {name: (name, item.in_, ("may_create", name)) for name, item in contract.may_create.items()}
    for name, collection, where in made.values():
        full[name] = Variable(type=types[collection].record if collection in types else UNTYPED, optional=True)
        if collection not in types:
            compiler.diagnostics.append(
                entry.finding(
                    "CL0201",
                    f"unknown collection '{collection}'",
                    *path,
                    *where,
                    found=collection,
                    allowed=tuple(sorted(types)),
                )
            )
    return full


def _frame(
    entry: Entry[Goal],
    path: tuple[str, ...],
    contract: OutcomeContract,
    scope: Scope,
    lets: Mapping[str, Expression],
    compiler: Compiler,
) -> tuple[tuple[str, Place], ...]:
    """Every (let, place inside its record or records) that may change."""
    frame: list[tuple[str, Place]] = []
    for index, update in enumerate(contract.may_update):
        where: tuple[str | int, ...] = (*path, "may_update", index)
        let = lets.get(update.record)
        record = None if let is None else _record_of(let.type)
        if record is None:
            known = tuple(sorted(name for name, item in lets.items() if _record_of(item.type)))
            compiler.diagnostics.append(
                entry.finding(
                    "CL0502",
                    f"'{update.record}' is not a record of this goal",
                    *where,
                    "record",
                    found=update.record,
                    allowed=known,
                )
            )
            continue
        for number, field in enumerate(update.fields):
            if field.isidentifier() and field not in record.fields:
                compiler.diagnostics.append(
                    entry.finding(
                        "CL0502",
                        f"'{update.record}' has no field '{field}'",
                        *where,
                        "fields",
                        number,
                        found=field,
                        allowed=tuple(sorted(record.fields)),
                    )
                )
                continue
            spot = (*where, "fields", number)
            place = compile_place(entry, spot, field, record, scope, compiler, code="CL0502")
            if place is not None:
                frame.append((update.record, place))
    return tuple(frame)


def _record_of(type_: Type) -> Record | None:
    """The record type of a let that is one record or a list of them."""
    inner = type_.item if isinstance(type_, List) else type_
    return inner if isinstance(inner, Record) else None


def _named(
    entry: Entry[Any], path: tuple[str | int, ...], texts: Mapping[str, str], scope: Scope, compiler: Compiler
) -> dict[str, Expression]:
    compiled = ((name, compiler.at(entry, (*path, name), text, scope)) for name, text in texts.items())
    return {name: expression for name, expression in compiled if expression is not None}


@dataclass(frozen=True, slots=True, kw_only=True)
class Actors:
    """Who asks, who acts with which tools, and when: what every expression of a case may read besides the world."""

    user: Mapping[str, Value]
    agent: Mapping[str, Value]
    tools: tuple[str, ...]
    now: Value

    @property
    def names(self) -> dict[str, Value]:
        """The names that expressions of a goal read them by."""
        return {"user": self.user, "agent": self.agent, "tools": self.tools, "now": self.now}


def goal_values(goal: CompiledGoal, state: State, actors: Actors, request: Mapping[str, Value]) -> dict[str, Value]:
    """The names of a goal's scope with their values in a state; absent lets are planted as missing.

    Raises:
        EvaluationError: when a let is in error, such as a dangling reference.
    """
    return bind(goal.lets, {**state, **actors.names, "request": request})


def decide_goal(goal: CompiledGoal, values: Mapping[str, Value]) -> Decision | Undecided:
    """What the goal's table says of the values of its scope."""
    return decide(goal.table, facts_of(goal.table, values))


def refreshed(goal: CompiledGoal, values: Mapping[str, Value], state: State) -> dict[str, Value]:
    """The same scope later: lets keep the records they named at the start and show them as they are in `state`."""
    later = {**values, **state}
    return later | {name: _refresh(values[name], state) for name in goal.lets}


def _refresh(value: Value, state: State) -> Value:
    if isinstance(value, WorldRecord):
        return find(state, value.collection, value.key) or value
    if isinstance(value, tuple | list):
        return tuple(_refresh(item, state) for item in value)
    return value
