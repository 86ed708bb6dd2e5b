"""A possible world -> the facts that show it: canonical, minimal, and in words a product owner can read."""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping
from datetime import timedelta
from decimal import Decimal
from typing import Any

from caselock.expr.ast import Node, free_variables
from caselock.expr.evaluate import evaluator
from caselock.expr.types import Bool, Duration, Enum, Id, String, Timestamp, Type
from caselock.expr.types import Decimal as DecimalType
from caselock.expr.values import EvaluationError, Missing
from caselock.prove.atoms import Atom
from caselock.prove.encode import EPOCH, MICROSECOND
from caselock.prove.model import TableModel
from caselock.prove.solver import Solver, Undecided
from caselock.prove.terms import Formula, Term, all_of, negate
from caselock.world.state import Value
from caselock.world.values import show

Facts = Mapping[str, Value]
"""The value of every input of a table, `Missing` where it has none."""

_SECOND = 1_000_000
_A_SECOND = timedelta(seconds=1)


def witness(model: TableModel, solver: Solver, *formulas: Formula) -> Facts | None:
    """The first facts, input by input, of a world that makes the formulas true; None when there is none.

    Inputs are taken in table order, present rather than missing, each with its least value: false, the first of an
    enum, the number or time nearest to zero, times in whole seconds where that can be. Hence no other model of the
    solver leads to other facts.

    Raises:
        Undecided: when the solver gives up.
    """
    if solver.possible(*formulas) is None:
        return None
    facts: dict[str, Value] = {}
    with solver.given(*formulas):
        for name, term in model.inputs.items():
            if solver.possible(negate(term.missing)) is None:
                facts[name] = Missing(f"{name} is missing")
                solver.add(term.missing)
                continue
            solver.add(negate(term.missing))
            facts[name] = _least(model, solver, model.types[name].type, term)
    return facts


def _least(model: TableModel, solver: Solver, type_: Type, term: Term) -> Value:
    """The least value that the input can have; the solver is bound to it."""
    match type_:
        case Bool():
            return bool(_first(solver, term, (False, True)))
        case Enum(values=values):
            return model.texts.text(_first(solver, term, tuple(map(model.texts.number, values))))
        case String() | Id():
            known = len(model.texts.numbers)
            return model.texts.text(_first(solver, term, (known, *range(known))))
        case Timestamp():
            return EPOCH + _nearest(solver, term, _SECOND) * MICROSECOND
        case Duration():
            return _nearest(solver, term, _SECOND) * MICROSECOND
        case DecimalType():
            return _decimal(Decimal(_nearest(solver, term, 1)).scaleb(-term.scale), type_)
        case _:
            return _nearest(solver, term, 1)


def _decimal(value: Decimal, type_: DecimalType) -> Decimal:
    return value if type_.step is not None else Decimal(f"{value.normalize():f}")


def _first(solver: Solver, term: Term, choices: tuple[Any, ...]) -> Any:
    for choice in choices[:-1]:
        if solver.possible(term.value == choice) is not None:
            solver.add(term.value == choice)
            return choice
    solver.add(term.value == choices[-1])
    if solver.possible() is None:
        raise Undecided("a text is none of those that the table mentions")
    return choices[-1]


def _nearest(solver: Solver, term: Term, grain: int) -> int:
    """The possible value nearest to zero, a multiple of the grain if any is; of two, the positive one."""
    if grain > 1 and solver.possible(term.value % grain == 0) is not None:
        solver.add(term.value % grain == 0)
    value = term.value
    low, high = -1, _size(solver, value)
    while high - low > 1:
        middle = (low + high) // 2
        answer = solver.possible(value <= middle, value >= -middle)
        if answer is None:
            low = middle
        else:
            high = min(middle, abs(answer.eval(value, model_completion=True).as_long()))
    nearest = high if solver.possible(value == high) is not None else -high
    solver.add(value == nearest)
    return nearest


def _size(solver: Solver, value: Any) -> int:
    answer = solver.possible(value == 0) or solver.possible()
    assert answer is not None
    return abs(int(answer.eval(value, model_completion=True).as_long()))


def relevant(
    model: TableModel, solver: Solver, facts: Facts, shown: Formula, about: Container[Atom] = ()
) -> tuple[Atom, ...]:
    """A smallest choice of atoms whose truth on the facts already implies what is shown.

    Atoms are left out in table order, those it is `about` last.
    """
    kept = {atom: status(model, atom, facts) for atom in model.atoms}
    for atom in sorted(model.atoms, key=lambda atom: atom in about):
        rest = [literal for other, literal in kept.items() if other is not atom]
        try:
            if solver.possible(*rest, negate(shown)) is None:
                del kept[atom]
        except Undecided:
            continue
    return tuple(kept)


def status(model: TableModel, atom: Atom, facts: Facts) -> Formula:
    """The formula that an atom comes out as it does on the facts."""
    term = model.atoms[atom]
    try:
        return term.true if evaluator(atom.node)(facts) is True else term.false
    except Missing:
        return term.missing
    except EvaluationError:
        return term.error


def cell(model: TableModel, atoms: Iterable[Atom], facts: Facts) -> Formula:
    """All atoms come out as they do on the facts."""
    return all_of(*(status(model, atom, facts) for atom in atoms))


def in_words(facts: Facts, conditions: Iterable[Node]) -> str:
    """The facts that conditions read, in table order; of a condition that lacks facts, those it lacks."""
    read: set[str] = set()
    for condition in conditions:
        names = free_variables(condition)
        read |= {name for name in names if isinstance(facts[name], Missing)} or names
    return ", ".join(f"{name} {fact_in_words(value)}" for name, value in facts.items() if name in read)


def fact_in_words(value: Value) -> str:
    """One fact: `100.00`, `paid`, `yes`, `30d`, `missing`."""
    match value:
        case Missing():
            return "missing"
        case bool():
            return "yes" if value else "no"
        case str():
            return value
        case timedelta() if value % _A_SECOND:
            return f"{show(value - value % _A_SECOND)} {value % _A_SECOND // MICROSECOND}us"
        case _:
            return show(value)
