"""The model of a decision table -> what is wrong with the table, each finding with the facts that show it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from caselock.diagnostics.diagnostic import Diagnostic, Related
from caselock.diagnostics.span import Span
from caselock.expr import ast
from caselock.expr.ast import Node
from caselock.expr.values import EvaluationError, Undefined
from caselock.prove.atoms import atoms_of
from caselock.prove.encode import Encoder
from caselock.prove.model import TableModel
from caselock.prove.solver import Solver, Undecided
from caselock.prove.terms import Formula, all_of, any_of, negate
from caselock.prove.witness import Facts, cell, in_words, relevant, witness
from caselock.spec.decisions import DecisionTable, Rule
from caselock.spec.workspace import Entry

MOST_GAPS = 10
"""Separate gaps that are shown of one table."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Subject:
    """A table under proof: where it is written, its model, and a solver of its sound worlds."""

    entry: Entry[DecisionTable]
    model: TableModel
    solver: Solver

    def at(self, code: str, message: str, rule: str, related: str | None = None, hint: str | None = None) -> Diagnostic:
        """A finding at the condition of a rule."""
        other = () if related is None else (Related(span=self._place(related), message="the other rule"),)
        path = ("rules", self._index(rule), "when")
        return self.entry.finding(code, message, *path, related=other, hint=hint)

    def shown(self, facts: Facts, claim: Formula, *rules: str) -> str:
        """The facts that already imply the claim, those that the rules read before others."""
        nodes = [expression.node for rule, expression in self.model.table.rules if rule.id in rules]
        about = {atom for node in nodes for atom in atoms_of(node)}
        atoms = relevant(self.model, self.solver, facts, claim, about)
        words = in_words(facts, (atom.node for atom in atoms))
        return words or "whatever the facts"

    def unproved(self, rule: str, question: str) -> Diagnostic:
        """The finding that the solver gave up."""
        return self.at("CL1005", f"'{rule}': the solver gave up on whether {question}", rule)

    def _index(self, rule: str) -> int:
        return next(index for index, each in enumerate(self.entry.value.rules) if each.id == rule)

    def _place(self, rule: str) -> Span:
        return self.entry.span("rules", self._index(rule), "when")


def findings(entry: Entry[DecisionTable], model: TableModel) -> Iterator[Diagnostic]:
    """Every finding of one table, in a fixed order."""
    yield from _unknown(entry, model)
    if not (any(isinstance(key, int) for key in model.unknown)):
        yield from _vacuous(entry, model)
    subject = Subject(entry=entry, model=model, solver=model.solver())
    yield from _errors(subject)
    subject.solver.add(model.sound)
    rules = [rule for rule, _ in model.table.rules if rule.id in model.conditions]
    yield from _dead(subject, rules)
    yield from _conflicts(subject, rules)
    if not model.unknown:
        yield from _gaps(subject)


def _unknown(entry: Entry[DecisionTable], model: TableModel) -> Iterator[Diagnostic]:
    """What has no exact formula, and numbers beyond those that are exact."""
    for index, rule in enumerate(entry.value.rules):
        if rule.id in model.unknown:
            hint = "make it an input of its own, which the proof then takes as given"
            yield entry.finding("CL1005", f"'{rule.id}': {model.unknown[rule.id]}", "rules", index, "when", hint=hint)
    for index in range(len(entry.value.assume)):
        if index in model.unknown:
            yield entry.finding("CL1005", model.unknown[index], "assume", index)
    if model.beyond is False:
        return
    solver = Solver(*model.laws, *model.assumed)
    try:
        possible = solver.possible(model.beyond) is not None
    except Undecided:
        possible = True
    if possible:
        message = "numbers can get longer than 34 digits, where decimals are no longer exact"
        yield entry.finding("CL1005", message, "inputs", key=True, hint="bound them in 'assume' or in their schema")


def _vacuous(entry: Entry[DecisionTable], model: TableModel) -> Iterator[Diagnostic]:
    """Inputs that may be there, but not under the assumptions."""
    if not model.assumed:
        return
    free, bound = Solver(*model.laws), Solver(*model.laws, *model.assumed)
    for name, term in model.inputs.items():
        there = negate(term.missing)
        try:
            excluded = free.possible(there) is not None and bound.possible(there) is None
        except Undecided:
            yield entry.finding("CL1005", f"whether the assumptions leave a value to '{name}'", "assume", key=True)
            continue
        if excluded:
            yield entry.finding("CL1007", f"under the assumptions '{name}' can have no value", "assume", key=True)


def _errors(subject: Subject) -> Iterator[Diagnostic]:
    for rule, condition in subject.model.table.rules:
        term = subject.model.conditions.get(rule.id)
        if term is None or term.error is False:
            continue
        try:
            facts = witness(subject.model, subject.solver, term.error)
        except Undecided:
            yield subject.unproved(rule.id, "it can be in error")
            continue
        if facts is not None:
            reason = ""
            try:
                condition.evaluate(facts)
            except EvaluationError as error:
                reason = f": {error.reason}"
            except Undefined:
                pass
            shown = subject.shown(facts, term.error, rule.id)
            yield subject.at("CL1006", f"{shown}: '{rule.id}' is in error{reason}", rule.id)


def _dead(subject: Subject, rules: list[Rule]) -> Iterator[Diagnostic]:
    for rule in rules:
        try:
            yield from _never(subject, rule, rules)
        except Undecided:
            yield subject.unproved(rule.id, "it ever decides")


def _never(subject: Subject, rule: Rule, rules: list[Rule]) -> Iterator[Diagnostic]:
    """The rule can never hold, or others always decide in its place."""
    model, solver = subject.model, subject.solver
    instead = {
        other.id: all_of(model.hits(rule.id), model.stands[other.id])
        for other in rules
        if rule.id in model.table.losers[other.id] or (_agree(rule, other) and rules.index(other) < rules.index(rule))
    }
    if model.table.hit_policy == "unique":
        instead = {name: formula for name, formula in instead.items() if rule.id in model.table.losers[name]}
    if solver.possible(model.stands[rule.id], negate(any_of(*instead.values()))) is not None:
        return
    facts = witness(model, solver, model.hits(rule.id))
    if facts is None:
        node = next(expression.node for each, expression in model.table.rules if each.id == rule.id)
        yield subject.at("CL1003", f"'{rule.id}' can never hold: {_clash(subject, node)}", rule.id)
        return
    needed = list(instead)
    for name in tuple(instead):
        rest = [instead[other] for other in needed if other != name]
        if solver.possible(model.hits(rule.id), negate(any_of(*rest))) is None:
            needed.remove(name)
    shown = subject.shown(facts, model.hits(rule.id), rule.id)
    message = f"'{rule.id}' never decides: wherever it holds, {_either(needed)} in its place, as with {shown}"
    yield subject.at("CL1004", message, rule.id, related=needed[0])


def _agree(one: Rule, other: Rule) -> bool:
    return (one.then, one.reason) == (other.then, other.reason)


def _either(names: list[str]) -> str:
    if len(names) == 1:
        return f"'{names[0]}' decides"
    return ", ".join(f"'{name}'" for name in names[:-1]) + f" or '{names[-1]}' decides"


def _clash(subject: Subject, node: Node) -> str:
    """A smallest choice of the condition's parts that no world satisfies together."""
    parts = list(ast.chain(node, "_&&_"))
    encoder = Encoder(subject.model.inputs, subject.model.texts)
    terms = {id(part): encoder.scalar(part).true for part in parts}
    for part in reversed(tuple(parts)):
        rest = [other for other in parts if other is not part]
        if rest and subject.solver.possible(*(terms[id(other)] for other in rest)) is None:
            parts = rest
    texts = [ast.unparse(part) for part in parts]
    return f"nothing satisfies {texts[0]}" if len(texts) == 1 else f"{', '.join(texts[:-1])} and {texts[-1]} clash"


def _conflicts(subject: Subject, rules: list[Rule]) -> Iterator[Diagnostic]:
    """Rules that stand together and decide differently, or stand together at all where hits must be unique."""
    stands, unique = subject.model.stands, subject.model.table.hit_policy == "unique"
    for index, rule in enumerate(rules):
        rivals = [other for other in rules[:index] if unique or not _agree(rule, other)]
        try:
            if subject.solver.possible(stands[rule.id], any_of(*(stands[other.id] for other in rivals))) is None:
                continue
        except Undecided:
            yield subject.unproved(rule.id, "it agrees with the rules before it")
            continue
        for other in rivals:
            try:
                yield from _conflict(subject, other, rule)
            except Undecided:
                yield subject.unproved(rule.id, f"it agrees with '{other.id}'")


def _conflict(subject: Subject, first: Rule, second: Rule) -> Iterator[Diagnostic]:
    both = all_of(subject.model.stands[first.id], subject.model.stands[second.id])
    facts = witness(subject.model, subject.solver, both)
    if facts is None:
        return
    shown = subject.shown(facts, both, first.id, second.id)
    message = f"{shown}: {_says(first)}, {_says(second)}"
    hint = "let one override the other, or record a decision that names both and which prevails"
    yield subject.at("CL1001", message, second.id, related=first.id, hint=hint)


def _says(rule: Rule) -> str:
    return f"{rule.id} says {rule.then}" + (f" ({rule.reason})" if rule.reason else "")


def _gaps(subject: Subject) -> Iterator[Diagnostic]:
    """Facts that no rule covers, one witness for each separate gap."""
    model, solver = subject.model, subject.solver
    open_ = negate(any_of(*(model.hits(rule) for rule in model.conditions)))
    seen: list[Formula] = []
    for _ in range(MOST_GAPS):
        try:
            facts = witness(model, solver, open_, *(negate(gap) for gap in seen))
            if facts is None:
                return
            atoms = relevant(model, solver, facts, open_)
        except Undecided:
            yield subject.entry.finding(
                "CL1005", "the solver gave up on whether rules cover everything", "rules", key=True
            )
            return
        words = in_words(facts, (atom.node for atom in atoms)) or "whatever the facts"
        yield subject.entry.finding("CL1002", f"{words}: no rule says what happens", "rules", key=True)
        seen.append(cell(model, atoms, facts))
