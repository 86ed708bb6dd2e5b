"""Sizes and times of pairwise suites, each judged by a count of its own over every combination of the model.

Sizes are compared with what a widely used C++ pairwise tool gives for the unconstrained models (12 and 19 rows). In the
nine-axis model the two largest axes are free of each other, so that no suite can have fewer than their 10 x 10 = 100
pairs.
Run: python benchmarks/selector.py
"""

import sys
import time
from itertools import combinations, product

from caselock.suite.models import Constraint, Model, generate

NINE = (
    ((0, 2), lambda channel, plan: (channel + plan) % 2 == 0 or plan < 2),
    ((1, 3), lambda region, speed: region < 5 or speed > 1),
    ((2, 4), lambda plan, level: level <= plan),
    ((3, 5, 6), lambda speed, state, risk: (speed + state + risk) % 3 != 0),
    ((4, 7), lambda level, fault: level < 3 or fault == 0),
    ((6, 8), lambda risk, age: risk != age),
    ((5, 7, 8), lambda state, fault, age: state + fault + age >= 2),
)
MODELS = (
    ("3^4", (3,) * 4, (), 12),
    ("3^13", (3,) * 13, (), 19),
    ("nine axes", (10, 10, 6, 5, 4, 4, 3, 3, 3), NINE, 100),
)


def model_of(sizes, constraints) -> Model:
    """The model as the selector takes it, over values as texts."""
    return Model(
        domains=tuple(tuple(str(value) for value in range(size)) for size in sizes),
        constraints=tuple(
            Constraint(axes=axes, holds=lambda *values, holds=holds: holds(*map(int, values)))
            for axes, holds in constraints
        ),
    )


def brute_force(sizes, constraints):
    """Every valid combination is visited: how many there are, and which pairs they have."""
    pairs, valid = set(), 0
    axes = list(combinations(range(len(sizes)), 2))
    for row in product(*map(range, sizes)):
        if all(holds(*[row[axis] for axis in where]) for where, holds in constraints):
            valid += 1
            pairs.update((a, row[a], b, row[b]) for a, b in axes)
    return valid, pairs


def main() -> int:
    failed = False
    print(f"{'model':<10}{'combinations':>13}{'valid':>8}{'pairs':>7}{'rows':>6}{'tool':>6}{'ratio':>7}{'seconds':>9}")
    for name, sizes, constraints, known in MODELS:
        start = time.perf_counter()
        rows = [tuple(map(int, row)) for row in generate(model_of(sizes, constraints), 2)]
        took = time.perf_counter() - start
        combined = 1
        for size in sizes:
            combined *= size
        valid, feasible = brute_force(sizes, constraints) if constraints else (combined, every_pair(sizes))
        has = {(a, row[a], b, row[b]) for row in rows for a, b in combinations(range(len(sizes)), 2)}
        broken = [row for row in rows if not all(holds(*[row[axis] for axis in where]) for where, holds in constraints)]
        ratio = len(rows) / known
        failed |= has != feasible or bool(broken) or ratio > 1.1
        print(
            f"{name:<10} {combined:>12} {valid / combined:>7.1%} {len(has & feasible):>6} {len(rows):>5} {known:>5}"
            f" {ratio:>6.2f} {took:>8.2f}"
        )
        print(f"{'':<10} missing pairs: {len(feasible - has)}, invalid rows: {len(broken)}")
    return int(failed)


def every_pair(sizes):
    return {
        (a, left, b, right)
        for a, b in combinations(range(len(sizes)), 2)
        for left, right in product(range(sizes[a]), range(sizes[b]))
    }


if __name__ == "__main__":
    sys.exit(main())
