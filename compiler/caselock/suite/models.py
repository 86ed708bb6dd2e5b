"""Axes with constraints between them -> which tuples of values are feasible, and rows that have all of those."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations, product

from caselock.suite.covering import Cells, Row, cover, tuples_of

TRIES = 40
"""Rows tried for each row taken."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Constraint:
    """What the values of some axes must satisfy together, and the reason in words."""

    axes: tuple[int, ...]
    holds: Callable[..., bool]
    why: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Model:
    """The values of every axis, and the constraints that a valid row satisfies."""

    domains: tuple[tuple[str, ...], ...]
    constraints: tuple[Constraint, ...] = ()

    def broken(self, partial: Mapping[int, str]) -> Constraint | None:
        """The first constraint that the values given so far break for good."""
        for constraint in self.constraints:
            if all(axis in partial for axis in constraint.axes) and not constraint.holds(
                *(partial[axis] for axis in constraint.axes)
            ):
                return constraint
        return None

    def completed(self, partial: Mapping[int, str]) -> Row | None:
        """A valid row with these values, found by backtracking; None when there is none."""
        if self.broken(partial) is not None:
            return None
        free = [axis for axis in range(len(self.domains)) if axis not in partial]
        if not free:
            return tuple(partial[axis] for axis in range(len(self.domains)))
        axis = min(free, key=lambda each: len(self.domains[each]))
        rows = (self.completed({**partial, axis: value}) for value in self.domains[axis])
        return next((row for row in rows if row is not None), None)

    def feasible(self, strength: int) -> Iterator[Cells]:
        """Every tuple of values that some valid row has."""
        for axes in combinations(range(len(self.domains)), strength):
            for values in product(*(self.domains[axis] for axis in axes)):
                if self.completed(dict(zip(axes, values, strict=True))) is not None:
                    yield tuple(zip(axes, values, strict=True))


def generate(model: Model, strength: int, *, tries: int = TRIES, seed: int = 0) -> tuple[Row, ...]:
    """Valid rows that have every feasible tuple: row by row, the best of several tries aimed at a missing tuple."""
    builder = _Builder(model, strength, random.Random(seed))
    rows: list[Row] = []
    while builder.missing:
        aims = builder.aims(tries)
        row = max((builder.row(aim) for aim in aims), key=builder.gain)
        builder.missing.difference_update(tuples_of(row, strength))
        rows.append(row)
    return tuple(rows[index] for index in cover(rows, strength))


class _Builder:
    """Builds rows around a missing tuple, axis by axis, by the missing tuples that each value would complete."""

    def __init__(self, model: Model, strength: int, chance: random.Random) -> None:
        self.model = model
        self.strength = strength
        self.chance = chance
        self.missing = set(model.feasible(strength))
        self.possible: dict[Cells, bool] = {}

    def gain(self, row: Row) -> int:
        return sum(cells in self.missing for cells in tuples_of(row, self.strength))

    def aims(self, tries: int) -> list[Cells]:
        """Missing tuples to build rows around: those whose cells miss most, with ties by chance."""
        wanted: dict[tuple[int, str], int] = {}
        for cells in self.missing:
            for cell in cells:
                wanted[cell] = wanted.get(cell, 0) + 1
        ranked = sorted(self.missing)
        self.chance.shuffle(ranked)
        ranked.sort(key=lambda cells: -sum(wanted[cell] for cell in cells))
        return [ranked[number % len(ranked)] for number in range(tries)]

    def row(self, aim: Cells) -> Row:
        values = dict(aim)
        free = [axis for axis in range(len(self.model.domains)) if axis not in values]
        self.chance.shuffle(free)
        for axis in free:
            options = list(self.model.domains[axis])
            self.chance.shuffle(options)
            options.sort(key=lambda value: -self._completes(values, axis, value))
            values[axis] = next(value for value in options if self._extends(values, axis, value))
        return tuple(values[axis] for axis in range(len(self.model.domains)))

    def _completes(self, values: Mapping[int, str], axis: int, value: str) -> int:
        cells = sorted(values.items())
        return sum(
            tuple(sorted((*others, (axis, value)))) in self.missing for others in combinations(cells, self.strength - 1)
        )

    def _extends(self, values: Mapping[int, str], axis: int, value: str) -> bool:
        cells = tuple(sorted((*values.items(), (axis, value))))
        if cells not in self.possible:
            self.possible[cells] = self.model.completed(dict(cells)) is not None
        return self.possible[cells]
