"""A decision table as formulas: which rules hit, stand and decide in a possible world."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from graphlib import TopologicalSorter

from caselock.expr.compile import Expression
from caselock.expr.types import Variable
from caselock.prove.atoms import Atom, atoms_of
from caselock.prove.encode import Encoder, Texts
from caselock.prove.solver import Solver
from caselock.prove.terms import Formula, Term, Unencodable, all_of, any_of, negate, none_of
from caselock.rules.tables import CompiledTable


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class TableModel:
    """A table over symbolic inputs.

    `laws` bind every possible world, `assumed` is the table's own `assume`; `unknown` gives the reason for each rule
    (by id) and assumption (by index) without an exact formula, which then plays no part. `beyond` is where numbers
    get too long to be exact.
    """

    table: CompiledTable
    types: Mapping[str, Variable]
    inputs: Mapping[str, Term]
    texts: Texts
    laws: tuple[Formula, ...]
    assumed: tuple[Formula, ...]
    beyond: Formula
    conditions: Mapping[str, Term]
    stands: Mapping[str, Formula]
    atoms: Mapping[Atom, Term]
    unknown: Mapping[str | int, str]

    def hits(self, rule: str) -> Formula:
        """The rule fires."""
        return self.conditions[rule].true

    @property
    def sound(self) -> Formula:
        """No rule is in error."""
        return none_of(*(term.error for term in self.conditions.values()))

    def solver(self) -> Solver:
        """A solver of the worlds in which the assumptions hold and every number is exact."""
        return Solver(*self.laws, *self.assumed, negate(self.beyond))


def table_model(
    table: CompiledTable, inputs: Mapping[str, Term], texts: Texts, laws: Iterable[Formula], beyond: Iterable[Formula]
) -> TableModel:
    """The model of a table whose inputs are the given terms."""
    encoder = Encoder(inputs, texts)
    unknown: dict[str | int, str] = {}
    conditions: dict[str, Term] = {}
    atoms: dict[Atom, Term] = {}
    for rule, expression in table.rules:
        try:
            conditions[rule.id] = encoder.scalar(expression.node)
            atoms |= {atom: encoder.scalar(atom.node) for atom in atoms_of(expression.node)}
        except Unencodable as reason:
            unknown[rule.id] = str(reason)
    assumed = tuple(_assumed(encoder, index, each, unknown) for index, each in enumerate(table.assume))
    return TableModel(
        table=table,
        types=table.input_types,
        inputs=inputs,
        texts=texts,
        laws=tuple(laws),
        assumed=assumed,
        beyond=any_of(*beyond, *encoder.beyond),
        conditions=conditions,
        stands=_stands(table, conditions),
        atoms=atoms,
        unknown=unknown,
    )


def _assumed(encoder: Encoder, index: int, expression: Expression, unknown: dict[str | int, str]) -> Formula:
    """An assumption about a missing fact cannot be broken."""
    try:
        term = encoder.scalar(expression.node)
    except Unencodable as reason:
        unknown[index] = str(reason)
        return True
    return any_of(term.missing, term.true)


def _stands(table: CompiledTable, conditions: Mapping[str, Term]) -> dict[str, Formula]:
    """The rules that hit and that no standing rule overrides; there are no circles, which are findings."""
    beaters: dict[str, list[str]] = {rule: [] for rule in conditions}
    for winner, losers in table.losers.items():
        for loser in losers & conditions.keys():
            if winner in conditions:
                beaters[loser].append(winner)
    stands: dict[str, Formula] = {}
    for rule in TopologicalSorter(beaters).static_order():
        beaten = any_of(*(stands[winner] for winner in beaters[rule]))
        stands[rule] = all_of(conditions[rule].true, negate(beaten))
    return stands
