"""Typed syntax tree + symbolic variables -> the symbolic value, exactly as our evaluator would come to it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from typing import Any

import z3

from caselock.expr import ast, times
from caselock.expr.ast import Node
from caselock.expr.types import Bool, Duration, Enum, Id, Int, String, Timestamp
from caselock.expr.types import Decimal as DecimalType
from caselock.prove.terms import (
    Formula,
    RecordTerm,
    Term,
    Thing,
    Unencodable,
    aligned,
    all_of,
    any_of,
    choose,
    first_undefined,
    negate,
    none_of,
    rescaled,
    scale_of,
)

LOWEST, HIGHEST = -(2**63), 2**63 - 1
EXACT = 10**34
"""Decimals of more digits than this may be in error, depending on the digits: the proof does not reach them."""
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
MICROSECOND = timedelta(microseconds=1)
_DAY = 86_400_000_000
_COMPARE: Mapping[str, Callable[[Any, Any], Formula]] = {
    "_==_": lambda left, right: left == right,
    "_!=_": lambda left, right: left != right,
    "_<_": lambda left, right: left < right,
    "_<=_": lambda left, right: left <= right,
    "_>_": lambda left, right: left > right,
    "_>=_": lambda left, right: left >= right,
}
COMPARISONS = frozenset(_COMPARE)
_EQUALITIES = frozenset({"_==_", "_!=_"})
_SCALARS = (Bool, Int, DecimalType, String, Enum, Id, Timestamp, Duration)
_TEXTS = (String, Enum, Id)
_UNITS = {"getHours": 3_600_000_000, "getMinutes": 60_000_000, "getSeconds": 1_000_000, "getMilliseconds": 1_000}
_CLOCK = {"getHours": 24, "getMinutes": 60, "getSeconds": 60, "getMilliseconds": 1_000}


@dataclass(slots=True)
class Texts:
    """Numbers for texts: only equality matters, so a text is the number of its first mention; others come after."""

    numbers: dict[str, int] = field(default_factory=dict)

    def number(self, text: str) -> int:
        """The number of a text."""
        return self.numbers.setdefault(text, len(self.numbers))

    def text(self, number: int) -> str:
        """The text of a number; one never mentioned gets a name of its own."""
        known = list(self.numbers)
        if number < len(known):
            return known[number]
        return "another text" if number == len(known) else f"another text {number - len(known) + 1}"


class Encoder:
    """Encodes expressions over named things; `beyond` collects where numbers get too long to be exact."""

    def __init__(self, things: Mapping[str, Thing], texts: Texts) -> None:
        self.things: Mapping[str, Thing] = things
        self.texts = texts
        self.beyond: list[Formula] = []

    def scalar(self, node: Node) -> Term:
        """The term of a node that is no record.

        Raises:
            Unencodable: when the solver cannot be asked about it exactly.
        """
        thing = self.thing(node)
        if not isinstance(thing, Term):
            raise Unencodable(f"{ast.unparse(node)} is a record")
        return thing

    def thing(self, node: Node) -> Thing:
        """The symbolic value of any node.

        Raises:
            Unencodable: when the solver cannot be asked about it exactly.
        """
        match node:
            case ast.Literal(value=value):
                return self.constant(value)
            case ast.Variable(name=name) if name in self.things:
                return self.things[name]
            case ast.Call():
                return self._call(node)
            case _:
                raise Unencodable(f"{ast.unparse(node)} is beyond comparisons, arithmetic and logic")

    def constant(self, value: object) -> Term:
        """The term of a Python value."""
        match value:
            case bool():
                return Term(value=z3.BoolVal(value))
            case int():
                return Term(value=z3.IntVal(value), most=abs(value))
            case Decimal():
                scale = scale_of(value)
                units = int(value.scaleb(scale))
                return Term(value=z3.IntVal(units), scale=scale, most=abs(units))
            case str():
                return Term(value=z3.IntVal(self.texts.number(value)))
            case datetime():
                return Term(value=z3.IntVal((value - EPOCH) // MICROSECOND))
            case timedelta():
                return Term(value=z3.IntVal(value // MICROSECOND))
            case _:
                raise Unencodable(f"{value!r} is no scalar")

    def _call(self, node: ast.Call) -> Thing:
        name = node.function
        match name:
            case "_&&_" | "_||_":
                return self._logic(name, *map(self.scalar, node.args))
            case "!_":
                term = self.scalar(node.args[0])
                return Term(value=negate(term.value), missing=term.missing, error=term.error)
            case "_?_:_":
                return self._choice(node)
            case "known" | "present":
                asked = self.thing(node.args[0])
                error = asked.error if isinstance(asked, Term) else False
                return Term(value=_bool(negate(asked.missing)), error=error)
            case "@in":
                return self._membership(node)
            case "timestamp" | "duration" if isinstance(node.args[0], ast.Literal):
                parse = times.timestamp if name == "timestamp" else times.duration
                return self.constant(parse(str(node.args[0].value)))
            case _ if name in COMPARISONS:
                return self._comparison(node)
            case "_+_" | "_-_" | "_*_" | "_/_" | "_%_" | "-_":
                return self._arithmetic(node)
            case _ if name in _UNITS:
                return self._time_part(node)
            case _:
                raise Unencodable(f"{ast.unparse(node)} has no exact formula")

    def _logic(self, name: str, left: Term, right: Term) -> Term:
        """A decisive operand absorbs an undefined one, on either side; of two undefined ones an error outranks."""
        conjunction = name == "_&&_"
        decided = any_of(left.false, right.false) if conjunction else any_of(left.true, right.true)
        error = all_of(negate(decided), any_of(left.error, right.error))
        missing = all_of(none_of(decided, left.error, right.error), any_of(left.missing, right.missing))
        return Term(value=_bool(negate(decided) if conjunction else decided), missing=missing, error=error)

    def _choice(self, node: ast.Call) -> Thing:
        condition, then, otherwise = node.args
        asked = self.scalar(condition)
        chosen = choose(asked.value, self.thing(then), self.thing(otherwise))
        if asked.missing is False and asked.error is False:
            return chosen
        if isinstance(chosen, RecordTerm):
            raise Unencodable(f"{ast.unparse(condition)} may have no value")
        return Term(
            value=chosen.value,
            missing=any_of(asked.missing, all_of(asked.defined, chosen.missing)),
            error=any_of(asked.error, all_of(asked.defined, chosen.error)),
            scale=chosen.scale,
            most=chosen.most,
        )

    def _comparison(self, node: ast.Call) -> Term:
        left, right = node.args
        for side in node.args:
            if not isinstance(side.type, _SCALARS):
                raise Unencodable(f"{ast.unparse(side)} is compared as a whole")
            if node.function not in _EQUALITIES and isinstance(side.type, _TEXTS):
                raise Unencodable(f"{ast.unparse(node)} asks for the order of texts")
        one, other = self.scalar(left), self.scalar(right)
        missing, error = first_undefined((one, other))
        return Term(value=self._compared(node.function, one, other), missing=missing, error=error)

    def _compared(self, sign: str, left: Term, right: Term) -> Formula:
        one, other, _ = aligned(left, right)
        if z3.is_bool(one) and sign not in _EQUALITIES:
            one, other = z3.If(one, 1, 0), z3.If(other, 1, 0)
        return _COMPARE[sign](one, other)

    def _membership(self, node: ast.Call) -> Term:
        item, container = node.args
        if not isinstance(container, ast.ListExpr):
            raise Unencodable(f"{ast.unparse(container)} is not a list written out")
        terms = tuple(self.scalar(part) for part in (item, *container.items))
        missing, error = first_undefined(terms)
        found = any_of(*(self._compared("_==_", terms[0], one) for one in terms[1:]))
        return Term(value=_bool(found), missing=missing, error=error)

    def _arithmetic(self, node: ast.Call) -> Term:
        terms = tuple(self.scalar(arg) for arg in node.args)
        missing, error = first_undefined(terms)
        defined = none_of(missing, error)
        match node.type:
            case Int():
                value, fails, most = _whole(node.function, terms)
                fails = any_of(fails, z3.Or(value < LOWEST, value > HIGHEST)) if most > HIGHEST else fails
                return Term(value=value, missing=missing, error=any_of(error, all_of(defined, fails)), most=most)
            case DecimalType():
                value, scale, most = self._decimal(node, terms)
                if most >= EXACT:
                    self.beyond.append(all_of(defined, z3.Or(value >= EXACT, value <= -EXACT)))
                return Term(value=value, missing=missing, error=error, scale=scale, most=most)
            case Timestamp() | Duration():
                value = _sum(node.function, terms)
                low, high = limits(node.type)
                fails = z3.Or(value < low, value > high)
                if isinstance(node.args[0].type, Timestamp) and isinstance(node.type, Duration):
                    fails = False  # the distance of two timestamps is always a duration
                return Term(value=value, missing=missing, error=any_of(error, all_of(defined, fails)))
            case _:
                raise Unencodable(f"{ast.unparse(node)} builds a text or a list")

    def _decimal(self, node: ast.Call, terms: tuple[Term, ...]) -> tuple[Any, int, int]:
        match node.function:
            case "-_":
                return -terms[0].value, terms[0].scale, terms[0].most
            case "_+_" | "_-_":
                one, other, scale = aligned(*terms)
                most = sum(term.most * 10 ** (scale - term.scale) for term in terms)
                return (one + other if node.function == "_+_" else one - other), scale, most
            case "_*_":
                left, right = terms
                return left.value * right.value, left.scale + right.scale, left.most * right.most
            case _:
                inverse = _inverse(node.args[1])
                if inverse is None:
                    raise Unencodable(f"{ast.unparse(node)} has no exact value for every divisor")
                factor = self.constant(inverse)
                return terms[0].value * factor.value, terms[0].scale + factor.scale, terms[0].most * factor.most

    def _time_part(self, node: ast.Call) -> Term:
        term, unit = self.scalar(node.args[0]), _UNITS[node.function]
        if isinstance(node.args[0].type, Timestamp):
            value = term.value / unit % _CLOCK[node.function]
        else:
            value = z3.If(term.value >= 0, term.value / unit, -(-term.value / unit))
        return Term(value=value, missing=term.missing, error=term.error, most=_DAY * 4_000_000)


def _bool(formula: Formula) -> Any:
    return z3.BoolVal(formula) if isinstance(formula, bool) else formula


def limits(type_: Timestamp | Duration) -> tuple[int, int]:
    """The least and the greatest value of a type of time, in microseconds."""
    if isinstance(type_, Duration):
        longest = times.LONGEST // MICROSECOND
        return -longest, longest
    first, last = (edge.replace(tzinfo=UTC) for edge in (datetime.min, datetime.max))
    return (first - EPOCH) // MICROSECOND, (last - EPOCH) // MICROSECOND


def _sum(function: str, terms: tuple[Term, ...]) -> Any:
    left, right = terms
    return left.value + right.value if function == "_+_" else left.value - right.value


def _whole(function: str, terms: tuple[Term, ...]) -> tuple[Any, Formula, int]:
    """(value, own error, bound) of an operation on ints, truncating toward zero."""
    if function == "-_":
        return -terms[0].value, False, terms[0].most
    left, right = terms
    one, other = left.value, right.value
    match function:
        case "_+_":
            return one + other, False, left.most + right.most
        case "_-_":
            return one - other, False, left.most + right.most
        case "_*_":
            return one * other, False, left.most * right.most
    size = z3.If(one < 0, -one, one) / z3.If(other < 0, -other, other)
    quotient = z3.If((one < 0) == (other < 0), size, -size)
    broken = z3.Or(other == 0, quotient < LOWEST, quotient > HIGHEST)
    if function == "_/_":
        return quotient, broken, left.most
    return one - other * quotient, broken, left.most


def _inverse(divisor: Node) -> Decimal | None:
    """One over a literal, where that has finitely many decimal places."""
    if not isinstance(divisor, ast.Literal) or isinstance(divisor.value, bool | str | None) or not divisor.value:
        return None
    number = Decimal(divisor.value)
    inverse = Decimal(1) / number
    return inverse if inverse * number == 1 else None


def same(term: Term, constant: Term) -> Formula:
    """The term has the value of a constant."""
    scale = max(term.scale, constant.scale)
    return all_of(term.defined, rescaled(term, scale) == rescaled(constant, scale))
