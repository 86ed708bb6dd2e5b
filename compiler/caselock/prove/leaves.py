"""Free symbolic values: a variable of the solver for every scalar of a type, and the laws of its type and schema."""

from __future__ import annotations

import operator
from decimal import Decimal
from typing import Any

import z3

from caselock.expr.types import Bool, Collection, Duration, Enum, Id, Int, List, Map, Record, String, Timestamp, Type
from caselock.expr.types import Decimal as DecimalType
from caselock.prove.encode import Texts, limits
from caselock.prove.terms import Formula, RecordTerm, Term, Thing, Unencodable, any_of, rescaled, scale_of
from caselock.spec.schemas import Schema
from caselock.world.values import MOST

FINEST = Decimal("1e-20")
"""A decimal without a step has at most this many places (see world/values.py)."""


class Leaves:
    """Makes free values; `laws` holds what is true of them in every possible world."""

    def __init__(self) -> None:
        self.texts = Texts()
        self.laws: list[Formula] = []

    def thing(self, name: str, type_: Type, schema: Schema | None, missing: Formula) -> Thing:
        """A thing that may have any value of its type and schema; of a list, only whether it is there."""
        if isinstance(type_, Record):
            return self._record(name, type_, schema, missing)
        if isinstance(type_, List | Map | Collection):
            return RecordTerm(field=_nothing, missing=missing)
        return self.scalar(name, type_, schema, missing)

    def scalar(self, name: str, type_: Type, schema: Schema | None, missing: Formula) -> Term:
        """A scalar that may have any value of its type and schema.

        Raises:
            Unencodable: when the type is no scalar.
        """
        if isinstance(type_, Bool):
            return Term(value=z3.Bool(name), missing=missing)
        unit = z3.Int(name)
        match type_:
            case Int():
                term = Term(value=unit, missing=missing, most=MOST)
                self.laws.append(z3.And(unit < MOST, unit > -MOST))
            case DecimalType(step=step):
                term = self._multiple(unit, Decimal(step) if step else FINEST, missing)
            case Timestamp() | Duration():
                term = Term(value=unit, missing=missing)
                low, high = limits(type_)
                self.laws.append(z3.And(unit >= low, unit <= high))
            case Enum(values=values):
                term = Term(value=unit, missing=missing)
                self.laws.append(z3.Or(*(unit == self.texts.number(value) for value in values)))
            case String() | Id():
                term = Term(value=unit, missing=missing)
                self.laws.append(unit >= 0)
            case _:
                raise Unencodable(f"'{name}' is no scalar")
        self._bound(term, schema)
        return term

    def _multiple(self, count: Any, step: Decimal, missing: Formula) -> Term:
        scale = scale_of(step)
        units = int(step.scaleb(scale))
        most = MOST * 10**scale
        value = count if units == 1 else count * units
        self.laws.append(z3.And(value < most, value > -most))
        return Term(value=value, missing=missing, scale=scale, most=most)

    def _record(self, name: str, type_: Record, schema: Schema | None, missing: Formula) -> RecordTerm:
        made: dict[str, Thing] = {}

        def field(part: str) -> Thing:
            if part not in made:
                declared, inner = type_.fields[part], (schema.properties or {}).get(part) if schema else None
                path = f"{name}.{part}"
                absent = any_of(missing, z3.Bool(f"{path} is missing")) if declared.optional else missing
                made[part] = self.thing(path, declared.type, inner, absent)
            return made[part]

        return RecordTerm(field=field, missing=missing)

    def _bound(self, term: Term, schema: Schema | None) -> None:
        """The bounds that a schema sets to a number."""
        if schema is None or schema.type not in ("number", "integer"):
            return
        for sign, bound in (
            (operator.ge, schema.minimum),
            (operator.gt, schema.exclusive_minimum),
            (operator.le, schema.maximum),
            (operator.lt, schema.exclusive_maximum),
        ):
            if bound is not None:
                scale = max(term.scale, scale_of(Decimal(bound)))
                self.laws.append(sign(rescaled(term, scale), int(Decimal(bound).scaleb(scale))))


def _nothing(name: str) -> Thing:
    raise Unencodable(f"'{name}' belongs to no record")
