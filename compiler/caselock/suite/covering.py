"""Valid rows -> a small choice of them that has every tuple of values which any of them has."""

from __future__ import annotations

import heapq
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import combinations

Row = tuple[str, ...]
"""One value for each axis."""
Cell = tuple[int, str]
"""An axis and a value of it."""
Cells = tuple[Cell, ...]
"""Cells of different axes, in the order of the axes."""


def tuples_of(row: Row, strength: int) -> list[Cells]:
    """The value tuples of a row: each combination of `strength` axes with the row's values."""
    return list(combinations(enumerate(row), strength))


def cover(
    rows: Sequence[Row],
    strength: int,
    *,
    kept: Iterable[int] = (),
    weights: Sequence[int] | None = None,
    limit: int | None = None,
) -> tuple[int, ...]:
    """The indices of the chosen rows, ascending.

    Greedy by the new tuples of a row times its weight, ties to the first row. Rows in `kept` are always chosen, so that
    choosing again from a choice changes nothing. `limit` bounds the rows chosen in all; without one every tuple of any
    row is covered.
    """
    chosen = dict.fromkeys(kept)
    missing = {cells for row in rows for cells in tuples_of(row, strength)}
    for index in chosen:
        missing.difference_update(tuples_of(rows[index], strength))
    room = len(rows) if limit is None else limit - len(chosen)
    picked = _greedy(rows, strength, missing, weights or (1,) * len(rows), room)
    return tuple(sorted((*chosen, *_needed(rows, strength, list(chosen), picked))))


def _greedy(rows: Sequence[Row], strength: int, missing: set[Cells], weights: Sequence[int], room: int) -> list[int]:
    """Lazy greedy: a gain can only shrink, so a row whose old gain still leads after recounting is the best one."""

    def gain(index: int) -> int:
        return weights[index] * sum(cells in missing for cells in tuples_of(rows[index], strength))

    picked: list[int] = []
    queue = [(-gain(index), index) for index in range(len(rows))] if missing else []
    heapq.heapify(queue)
    while missing and queue and len(picked) < room:
        _, index = heapq.heappop(queue)
        now = (-gain(index), index)
        if now[0] == 0:
            continue
        if queue and queue[0] < now:
            heapq.heappush(queue, now)
            continue
        picked.append(index)
        missing.difference_update(tuples_of(rows[index], strength))
    return picked


def _needed(rows: Sequence[Row], strength: int, kept: list[int], picked: list[int]) -> list[int]:
    """The picked rows without those that later picks made superfluous; the lightest gains, picked last, go first."""
    times = Counter(cells for index in (*kept, *picked) for cells in tuples_of(rows[index], strength))
    needed: list[int] = []
    for index in reversed(picked):
        cells = tuples_of(rows[index], strength)
        if all(times[each] > 1 for each in cells):
            times.subtract(cells)
        else:
            needed.append(index)
    return needed
