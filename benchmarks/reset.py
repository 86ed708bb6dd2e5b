"""Resetting a case against copying its world: a reset is a reference, whatever the size of the fixture.

Run: python benchmarks/reset.py
"""

import copy
import timeit
from datetime import UTC, datetime

from caselock.world.environment import Setup, start
from caselock.world.state import Record


def setup_of(size: int) -> Setup:
    orders = {f"A{n:06}": Record("orders", f"A{n:06}", {"order_id": f"A{n:06}", "status": "paid"}) for n in range(size)}
    now = datetime(2026, 8, 1, tzinfo=UTC)
    return Setup(user={}, agent={}, now=now, state={"orders": orders}, tools=(), faults=(), salt="bench")


def main() -> None:
    print(f"{'records':>8} {'reset us':>9} {'deep copy us':>13} {'ratio':>10}")
    for size in (10, 1_000, 100_000):
        setup = setup_of(size)
        plain = {name: {key: dict(record) for key, record in rows.items()} for name, rows in setup.state.items()}
        reset = min(timeit.repeat(lambda setup=setup: start(setup), number=1000, repeat=5)) / 1000
        runs = max(1, 2000 // size)
        copied = min(timeit.repeat(lambda plain=plain: copy.deepcopy(plain), number=runs, repeat=3)) / runs
        print(f"{size:>8} {reset * 1e6:>9.2f} {copied * 1e6:>13.1f} {copied / reset:>9.0f}x")


if __name__ == "__main__":
    main()
