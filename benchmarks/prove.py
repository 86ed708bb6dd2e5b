"""Prints how long the proof of one table with 200 rules takes: no findings, then with one overlap among them.

Run as `python benchmarks/prove.py [RULES]`. The rules cut a range of amounts into bands, half of them by status.
"""

import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "tests" / "prove"))

from probe import REST, program_of, table

from caselock.prove.tables import prove_tables

RULES = int(sys.argv[1]) if len(sys.argv) > 1 else 200


def bands(count: int, overlap: int | None = None) -> list[tuple[str, str, str, str | None]]:
    """Rules whose amounts meet and do not overlap, except for the one that starts a cent early."""
    rules: list[tuple[str, str, str, str | None]] = []
    for band in range(count // 2):
        low, high = f"{band * 10}.0", f"{band * 10 + 10}.0"
        start = f"amount > {low}" if band != overlap else f"amount > {band * 10 - 1}.99"
        within = f"{start} && amount <= {high}"
        if band == 0:
            within = f"amount <= {high}"
        elif band == count // 2 - 1:
            within = start
        rules.append((f"paid_{band}", f"found && stated && status == 'paid' && {within}", "fulfil", None))
        rules.append((f"other_{band}", f"found && stated && status != 'paid' && {within}", "refuse", f"reason_{band}"))
    return rules


def proof(rules: list[tuple[str, str, str, str | None]]) -> tuple[float, list[str]]:
    """(seconds, findings) of one proof; reading and compiling the table are not counted."""
    with tempfile.TemporaryDirectory() as folder:
        program = program_of(Path(folder), table(REST, *rules))
        start = time.perf_counter()
        found = [f"{item.code} {item.message}" for item in prove_tables(program)]
        return time.perf_counter() - start, found


if __name__ == "__main__":
    for title, overlap in (("no overlap", None), ("one overlap", RULES // 4)):
        seconds, found = proof(bands(RULES, overlap))
        print(f"{RULES} rules, {title}: {seconds:.2f} s, {len(found)} findings")
        for line in found:
            print(f"  {line}")
