"""One case -> its row in each of the six parts, tied together by an opaque key and a digest."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from caselock.bundle.content import FOLDERS, CaseParts
from caselock.source.canonical import digest, sha256_hex

# What a row holds besides its part.
ADDED = dict.fromkeys(FOLDERS, ("key", "case_id")) | {
    "agent": ("key",),
    "lineage": ("key", "case_id", "digest"),
}
HIDDEN_FROM_AGENT = ("case_id", "bucket")
DIGESTED = ("agent", "world", "simulator", "oracle", "proof")


def opaque_key(name: str, case_id: str) -> str:
    """Return the key of a case in the bundle `name`: 16 hex digits that say nothing about the case."""
    return sha256_hex(f"{name}\n{case_id}".encode())[:16]


def case_digest(parts: Mapping[str, Any]) -> str:
    """Return the sha256 of the canonical JSON of the five parts that decide a case; lineage stays out."""
    return digest({part: parts[part] for part in DIGESTED})


def rows(name: str, case: CaseParts) -> dict[str, dict[str, Any]]:
    """Return the row of each part, by part.

    Raises ValueError when a part uses a name that the row itself needs or that an agent must not see.
    """
    parts: dict[str, dict[str, Any]] = {part: getattr(case, part) for part in FOLDERS}
    added = {"key": opaque_key(name, case.case_id), "case_id": case.case_id, "digest": case_digest(parts)}
    for part, content in parts.items():
        reserved = {*ADDED[part], *(HIDDEN_FROM_AGENT if part == "agent" else ())} & content.keys()
        if reserved:
            raise ValueError(f"case {case.case_id}: its {part} part may not name {', '.join(sorted(reserved))}")
    return {part: {**content, **{name: added[name] for name in ADDED[part]}} for part, content in parts.items()}


def part_of(part: str, row: Mapping[str, Any]) -> dict[str, Any]:
    """Return what a row says beyond its key, case id and digest: the part that `rows` was given."""
    return {name: value for name, value in row.items() if name not in ADDED[part]}
