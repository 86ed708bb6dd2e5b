"""Every place in a workspace that names something defined elsewhere."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from caselock.spec.decisions import ENDINGS, QUESTIONS
from caselock.spec.operators import (
    AddFault,
    Choose,
    Contradict,
    Correct,
    Counts,
    History,
    OfferTool,
    Omit,
    Operator,
    Phrase,
    Provoke,
    RemoveTool,
    SetFields,
    SlowReveal,
)
from caselock.spec.schemas import Schema
from caselock.spec.seeds import AskStep, CallStep, Expected, ExpectedLater, Seed
from caselock.spec.workspace import Entry, Workspace


@dataclass(frozen=True, slots=True, kw_only=True)
class Use:
    """A name used at a place: `kind` says what it should name; `key` that it is written as a mapping key."""

    kind: str
    name: str
    entry: Entry[Any]
    path: tuple[str | int, ...]
    key: bool = False


def uses(workspace: Workspace) -> Iterator[Use]:
    """Every use of a name, file by file."""
    yield from _records(workspace)
    yield from _policies(workspace)
    yield from _names("locale file", workspace.project.value.locales, workspace.project, "locales")
    visits: tuple[tuple[Mapping[str, Entry[Any]], Callable[[Entry[Any]], Iterator[Use]]], ...] = (
        (workspace.roles, _role),
        (workspace.fixtures, _fixture),
        (workspace.tools, _tool),
        (workspace.goals, _goal),
        (workspace.tables, _table),
        (workspace.invariants, _invariant),
        (workspace.rulings, _ruling),
        (workspace.capabilities, _capability),
        (workspace.operators, _operator),
        (workspace.locales, _locale),
        (workspace.small_talk, _small_talk),
        (workspace.phrasings, _phrasings),
        (workspace.seeds, _seed),
    )
    for entries, visit in visits:
        for entry in entries.values():
            yield from visit(entry)
    for index, name in enumerate(workspace.shared_criteria):
        criterion = next(iter(workspace.criteria.values()), None)
        if criterion is not None:
            place = Entry(criterion.value, criterion.document)
            yield Use(kind="criterion", name=name, entry=place, path=("shared", index))


def _names(kind: str, names: Iterable[str], entry: Entry[Any], *path: str | int, keys: bool = False) -> Iterator[Use]:
    for index, name in enumerate(names):
        yield Use(kind=kind, name=name, entry=entry, path=(*path, name if keys else index), key=keys)


def _one(kind: str, name: str | None, entry: Entry[Any], *path: str | int) -> Iterator[Use]:
    if name is not None:
        yield Use(kind=kind, name=name, entry=entry, path=path)


def _schema(schema: Schema, entry: Entry[Any], *path: str | int) -> Iterator[Use]:
    yield from _one("collection", schema.x_ref, entry, *path, "x-ref")
    for name, inner in (schema.properties or {}).items():
        yield from _schema(inner, entry, *path, "properties", name)
    if schema.items is not None:
        yield from _schema(schema.items, entry, *path, "items")
    if isinstance(schema.additional_properties, Schema):
        yield from _schema(schema.additional_properties, entry, *path, "additionalProperties")


def _records(workspace: Workspace) -> Iterator[Use]:
    entry = workspace.records
    for name, collection in entry.value.records.items():
        yield from _schema(collection.schema_, entry, "records", name, "schema")
    yield from _schema(entry.value.user, entry, "user")
    yield from _schema(entry.value.agent, entry, "agent")


def _policies(workspace: Workspace) -> Iterator[Use]:
    yield from _names("family", workspace.splits.value.families, workspace.splits, "families", keys=True)
    for index, chain in enumerate(workspace.expansion.value.chains):
        yield from _names("operator", chain, workspace.expansion, "chains", index)


def _role(entry: Entry[Any]) -> Iterator[Use]:
    yield from _names("tool", entry.value.read, entry, "read", keys=True)
    yield from _names("tool", entry.value.write, entry, "write", keys=True)
    yield from _names("source", entry.value.because, entry, "because")


def _fixture(entry: Entry[Any]) -> Iterator[Use]:
    yield from _names("tool", entry.value.tools, entry, "tools", keys=True)
    role = entry.value.agent.get("role")
    yield from _one("role", role if isinstance(role, str) else None, entry, "agent", "role")


def _tool(entry: Entry[Any]) -> Iterator[Use]:
    yield from _schema(entry.value.input, entry, "input")
    yield from _names("source", entry.value.because, entry, "because")


def _goal(entry: Entry[Any]) -> Iterator[Use]:
    goal = entry.value
    for name, schema in goal.slots.items():
        yield from _schema(schema, entry, "slots", name)
    yield from _one("decision", goal.decision, entry, "decision")
    yield from _names("tool", goal.guarded, entry, "guarded")
    yield from _names("tool", goal.forbidden_tools, entry, "forbidden_tools")
    yield from _names("argument", goal.arguments, entry, "arguments", keys=True)
    yield from _names("invariant", goal.invariants, entry, "invariants")
    for outcome in ENDINGS:
        contract, path = goal.outcomes.contract(outcome), ("outcomes", outcome)
        if contract is not None:
            yield from _names("argument", contract.arguments, entry, *path, "arguments", keys=True)
            yield from _names("invariant", contract.invariants, entry, *path, "invariants")
            yield from _names("criterion", contract.rubric, entry, *path, "rubric")
            if contract.response_schema is not None:
                yield from _schema(contract.response_schema, entry, *path, "response_schema")
            for index, assertion in enumerate(contract.ensures):
                yield from _names("source", assertion.because, entry, *path, "ensures", index, "because")
    for outcome in QUESTIONS:
        question, path = goal.outcomes.question(outcome), ("outcomes", outcome)
        if question is not None:
            for reason, slots in question.asks.items():
                yield from _names("slot", slots, entry, *path, "asks", reason)
            yield from _names("criterion", question.rubric, entry, *path, "rubric")


def _table(entry: Entry[Any]) -> Iterator[Use]:
    for index, rule in enumerate(entry.value.rules):
        yield from _names("rule", rule.overrides, entry, "rules", index, "overrides")
        yield from _names("source", rule.because, entry, "rules", index, "because")


def _invariant(entry: Entry[Any]) -> Iterator[Use]:
    yield from _names("source", entry.value.because, entry, "because")
    yield from _names("fault", entry.value.on_faults, entry, "on_faults")
    for role in ("of", "first", "then", "after", "until"):
        pattern = getattr(entry.value, role)
        if pattern is not None:
            yield from _names("tool", pattern.tool, entry, role, "tool")
            yield from _names("error", pattern.error, entry, role, "error")


def _ruling(entry: Entry[Any]) -> Iterator[Use]:
    yield from _names("source", entry.value.between, entry, "between")
    yield from _names("rule", entry.value.rules, entry, "rules")
    yield from _one("rule", entry.value.prevails, entry, "prevails")


def _capability(entry: Entry[Any]) -> Iterator[Use]:
    yield from _names("source", entry.value.because, entry, "because")
    yield from _names("goal", entry.value.goals, entry, "goals")
    yield from _names("tool", entry.value.tools, entry, "tools")
    yield from _names("capability", entry.value.confusable_with, entry, "confusable_with")


def _operator(entry: Entry[Operator]) -> Iterator[Use]:
    operator, mutation = entry.value, entry.value.mutation
    yield from _names("goal", operator.applies_to.goal, entry, "applies_to", "goal")
    yield from _names("rule", operator.aims_at, entry, "aims_at")
    yield from _names("invariant", operator.keeps, entry, "keeps")
    match mutation:
        case Choose():
            yield from _one("collection", mutation.among, entry, "mutation", "among")
        case AddFault() | Counts():
            yield from _one("tool", getattr(mutation.fault, "tool", None), entry, "mutation", "fault", "tool")
            yield from _one("invariant", getattr(mutation, "of", None), entry, "mutation", "of")
        case SetFields():
            yield from _acting_role(mutation.set, entry, "mutation", "set")
        case RemoveTool() | OfferTool():
            yield from _one("tool", mutation.tool, entry, "mutation", "tool")
        case Provoke():
            yield from _names("locale", mutation.text, entry, "mutation", "text", keys=True)
        case Phrase():
            yield from _one("phrasing tag", mutation.tag, entry, "mutation", "tag")
        case Omit():
            yield from _one("phrasing tag", "omission", entry, "mutation", "kind")
            yield from _one("slot", mutation.slot, entry, "mutation", "slot")
        case SlowReveal():
            yield from _one("phrasing tag", "slow_reveal", entry, "mutation", "kind")
        case Correct():
            yield from _one("phrasing tag", "changed_requirement", entry, "mutation", "kind")
            yield from _one("slot", mutation.slot, entry, "mutation", "slot")
        case Contradict():
            yield from _one("phrasing tag", "contradiction", entry, "mutation", "kind")
            yield from _one("slot", mutation.slot, entry, "mutation", "slot")
        case History():
            yield from _one("phrasing tag", mutation.tag, entry, "mutation", "tag")


def _locale(entry: Entry[Any]) -> Iterator[Use]:
    yield from _names("slot", entry.value.slots, entry, "slots", keys=True)
    yield from _names("reason", entry.value.reasons, entry, "reasons", keys=True)


def _small_talk(entry: Entry[Any]) -> Iterator[Use]:
    yield from _one("locale", entry.value.locale, entry, "locale")


def _acting_role(written: Mapping[str, Any], entry: Entry[Any], *path: str) -> Iterator[Use]:
    """The role that a seed or an operator has act."""
    role = written.get("agent.role")
    if isinstance(role, str) and not role.startswith("="):
        yield Use(kind="role", name=role, entry=entry, path=(*path, "agent.role"))


def _phrasings(entry: Entry[Any]) -> Iterator[Use]:
    yield from _one("family", entry.value.phrasings, entry, "phrasings")
    yield from _one("goal", entry.value.goal, entry, "goal")
    for index, item in enumerate(entry.value.items):
        yield from _one("locale", item.locale, entry, "items", index, "locale")


def _seed(entry: Entry[Seed]) -> Iterator[Use]:
    seed = entry.value
    yield from _one("capability", seed.capability, entry, "capability")
    yield from _names("source", seed.source, entry, "source")
    yield from _one("source", getattr(seed.provenance, "evidence", None), entry, "provenance", "evidence")
    yield from _one("failure tag", getattr(seed.provenance, "tag", None), entry, "provenance", "tag")
    yield from _one("locale", seed.locale, entry, "locale")
    yield from _one("fixture", seed.fixture, entry, "fixture")
    yield from _names("tool", seed.tools, entry, "tools")
    yield from _acting_role(seed.overlay, entry, "overlay")
    yield from _names("criterion", seed.rubric, entry, "rubric")
    for index, request in enumerate(seed.requests):
        yield from _one("goal", request.goal, entry, "requests", index, "goal")
    for index, fault in enumerate(seed.faults):
        yield from _one("tool", getattr(fault, "tool", None), entry, "faults", index, "tool")
    for index, step in enumerate(seed.reference):
        yield from _one("tool", step.call if isinstance(step, CallStep) else None, entry, "reference", index, "call")
        yield from _names("slot", step.ask if isinstance(step, AskStep) else (), entry, "reference", index, "ask")
    expected = seed.expected
    yield from _names("invariant", expected.required_invariants, entry, "expected", "required_invariants")
    yield from _names("tool", expected.allowed_actions, entry, "expected", "allowed_actions")
    yield from _names("tool", expected.forbidden_actions, entry, "expected", "forbidden_actions")
    yield from _names("tool", expected.tool_state, entry, "expected", "tool_state", keys=True)
    yield from _expected(entry, ("expected",), expected)
    for number, later in enumerate(expected.then):
        yield from _expected(entry, ("expected", "then", number), later)


def _expected(entry: Entry[Seed], path: tuple[str | int, ...], expected: Expected | ExpectedLater) -> Iterator[Use]:
    """What is expected of one request."""
    yield from _one("rule", expected.rule, entry, *path, "rule")
    for index, call in enumerate(expected.calls or ()):
        place = (*path, "calls", index)
        yield from _names("tool", call.call, entry, *place, "call")
        yield from _names("tool", call.after, entry, *place, "after")
        for part in ("args", "contains"):
            for name in getattr(call, part):
                yield Use(
                    kind="argument", name=f"{call.call[0]}.{name}", entry=entry, path=(*place, part, name), key=True
                )
    for index, assertion in enumerate(expected.assertions):
        yield from _one("rule", assertion.rule, entry, *path, "assertions", index, "rule")
