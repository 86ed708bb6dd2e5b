"""packs.json -> findings where a pack is no list of cases of the bundle."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from caselock.bundle.content import CaseParts
from caselock.bundle.finding import finding
from caselock.diagnostics import Diagnostic

PACKS = "packs.json"


def check_packs(pages: Mapping[str, Any], cases: Sequence[CaseParts]) -> Iterator[Diagnostic]:
    """Find packs that are not lists in id order, name cases that are not there, or are not full."""
    packs = pages.get(PACKS, {})
    known = {case.case_id for case in cases if case.bucket != "hidden"}
    for name, ids in packs.items():
        if not (isinstance(ids, list) and all(isinstance(item, str) for item in ids)):
            yield finding("CL0909", PACKS, f"pack '{name}' is not a list of case ids")
        elif ids != sorted(set(ids)):
            yield finding("CL0919", PACKS, f"pack '{name}' is not in id order, each id once")
        else:
            yield from (_strange(name, item) for item in ids if item not in known)
    full = packs.get("full")
    if PACKS in pages and isinstance(full, list) and any(case not in full for case in known):
        yield finding("CL0919", PACKS, "pack 'full' does not hold every case")


def _strange(name: str, case_id: str) -> Diagnostic:
    return finding("CL0919", PACKS, f"pack '{name}' names '{case_id}', which is no case of this bundle")
