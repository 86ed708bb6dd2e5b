"""z3 with fixed seeds and a counted effort: three answers, the same on every machine."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import z3

from caselock.prove.terms import Formula

EFFORT = 5_000_000
"""z3 resource units that one question may take: seconds at most, and the same everywhere, unlike time."""


class Undecided(Exception):
    """The solver gave up on a question; what was asked is neither proved nor refuted."""


class Solver:
    """Asks whether some possible world makes formulas true."""

    def __init__(self, *laws: Formula) -> None:
        self._solver = z3.Solver()
        self._solver.set("random_seed", 0)
        self._solver.set("rlimit", EFFORT)
        self.add(*laws)

    def add(self, *formulas: Formula) -> None:
        """Restrict the worlds."""
        for formula in formulas:
            self._solver.add(z3.BoolVal(formula) if isinstance(formula, bool) else formula)

    def possible(self, *formulas: Formula) -> Any | None:
        """A model of a world that makes all of them true; None when there is none.

        Raises:
            Undecided: when the effort is not enough.
        """
        if any(formula is False for formula in formulas):
            return None
        asked = [formula for formula in formulas if formula is not True]
        self._solver.push()
        try:
            self._solver.add(*asked)
            answer = self._solver.check()
            if answer == z3.unknown:
                raise Undecided(self._solver.reason_unknown())
            return self._solver.model() if answer == z3.sat else None
        finally:
            self._solver.pop()

    @contextmanager
    def given(self, *formulas: Formula) -> Iterator[None]:
        """Restrict the worlds for a while."""
        self._solver.push()
        try:
            self.add(*formulas)
            yield
        finally:
            self._solver.pop()
