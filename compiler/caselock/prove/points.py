"""Boundary values from the proof: for each comparison of each rule, facts just below, at and just above it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from typing import Literal

import z3

from caselock.expr import ast
from caselock.expr.types import Decimal as DecimalType
from caselock.expr.types import Duration, Int, Timestamp, common_step, step_of
from caselock.prove.atoms import Atom, atoms_of, with_truth
from caselock.prove.encode import COMPARISONS, Encoder
from caselock.prove.model import TableModel
from caselock.prove.solver import Solver, Undecided
from caselock.prove.terms import Formula, aligned, all_of, any_of, negate
from caselock.prove.witness import Facts, witness
from caselock.rules.tables import Decision, decide
from caselock.spec.decisions import Rule

Side = Literal["below", "at", "above"]
SIDES: tuple[Side, ...] = ("below", "at", "above")
_SECOND = 1_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """An atom that compares two numbers or times; `step` is their least difference that a rule could mean."""

    rule: str
    atom: Atom
    step: Decimal | None

    def difference(self) -> tuple[ast.Node, ast.Node]:
        """The two sides."""
        assert isinstance(self.atom.node, ast.Call)
        left, right = self.atom.node.args
        return left, right


@dataclass(frozen=True, slots=True, kw_only=True)
class Point:
    """A point of a comparison.

    `facts` reach it in a world where the comparison alone makes the rule hold or not, and `decides` is the rule that
    decides there; without facts no world does, and `reason` says why.
    """

    rule: str
    comparison: str
    side: Side
    facts: Facts | None
    decides: str | None
    reason: str | None


def comparisons(rule: Rule, condition: ast.Node) -> tuple[Comparison, ...]:
    """Every comparison of numbers or times in a rule, with at least one fact on a side."""
    found = []
    for atom in atoms_of(condition):
        if isinstance(atom.node, ast.Call) and atom.node.function in COMPARISONS:
            facts = [side for side in atom.node.args if ast.free_variables(side)]
            if facts and isinstance(facts[0].type, Int | DecimalType | Timestamp | Duration):
                found.append(Comparison(rule=rule.id, atom=atom, step=_step(facts)))
    return tuple(found)


def _step(facts: list[ast.Node]) -> Decimal | None:
    """The step between values of the sides, in seconds for times; None where a decimal has none."""
    if isinstance(facts[0].type, Timestamp | Duration):
        return Decimal(1)
    steps = [step_of(side.type) for side in facts]
    return steps[0] if len(steps) == 1 else common_step(steps[0], steps[1])


def at_side(encoder: Encoder, comparison: Comparison, side: Side) -> Formula:
    """The difference of the two sides is none, or at most one step down or up."""
    left, right = (encoder.scalar(part) for part in comparison.difference())
    one, other, scale = aligned(left, right)
    defined, gap = all_of(left.defined, right.defined), one - other
    if side == "at":
        return all_of(defined, gap == 0)
    if isinstance(comparison.difference()[0].type, Timestamp | Duration):
        return all_of(defined, gap == (_SECOND if side == "above" else -_SECOND))
    assert comparison.step is not None
    step = max(1, int(comparison.step.scaleb(scale)))
    return all_of(defined, z3.And(gap > 0, gap <= step) if side == "above" else z3.And(gap < 0, gap >= -step))


def unmasked(encoder: Encoder, condition: ast.Node, atom: Atom) -> Formula:
    """The atom alone makes the difference: the condition holds with one truth of it, and not with the other."""
    held, fallen = (encoder.scalar(with_truth(condition, atom, truth)).true for truth in (True, False))
    return any_of(all_of(held, negate(fallen)), all_of(fallen, negate(held)))


def points(model: TableModel, solver: Solver) -> Iterator[Point]:
    """Every point of every comparison, in table order; the solver has the table's sound worlds."""
    encoder = Encoder(model.inputs, model.texts)
    for rule, expression in model.table.rules:
        if rule.id not in model.conditions:
            continue
        for comparison in comparisons(rule, expression.node):
            for side in SIDES if comparison.step is not None else SIDES[1:2]:
                yield _point(model, solver, encoder, expression.node, comparison, side)


def _point(
    model: TableModel, solver: Solver, encoder: Encoder, condition: ast.Node, comparison: Comparison, side: Side
) -> Point:
    rule, text = comparison.rule, comparison.atom.text
    there = at_side(encoder, comparison, side)
    alone = unmasked(encoder, condition, comparison.atom)
    facts, reason = None, None
    try:
        facts = witness(model, solver, there, alone, negate(_overridden(model, rule)))
        if facts is None:
            reason = _why_not(model, solver, rule, there, alone)
    except Undecided:
        reason = "the solver gave up"
    decision = None if facts is None else decide(model.table, facts)
    return Point(
        rule=rule,
        comparison=text,
        side=side,
        facts=facts,
        decides=decision.rule if isinstance(decision, Decision) else None,
        reason=reason,
    )


def _overridden(model: TableModel, rule: str) -> Formula:
    """A rule that overrides this one stands, so that this one would not decide even where it holds."""
    return any_of(*(model.stands[winner] for winner in _winners(model, rule)))


def _winners(model: TableModel, rule: str) -> tuple[str, ...]:
    return tuple(name for name, losers in model.table.losers.items() if rule in losers and name in model.stands)


def _why_not(model: TableModel, solver: Solver, rule: str, there: Formula, alone: Formula) -> str:
    if solver.possible(there) is None:
        return "no world reaches it"
    if solver.possible(there, alone) is None:
        return "the rule does not depend on the comparison there"
    stands = model.stands
    winners = [name for name in _winners(model, rule) if solver.possible(there, alone, stands[name]) is not None]
    return f"overridden there by {', '.join(winners)}"
