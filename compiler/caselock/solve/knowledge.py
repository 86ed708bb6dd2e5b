"""The facts an agent has observed, as an immutable value."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from caselock.world.state import Record

Listing = tuple[str, frozenset[str]]
Fact = tuple[str, Any]
"""One piece of knowledge: ("record", (collection, key)), ("listing", listing) or ("atom", text)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Knowledge:
    """Records by (collection, key), listings known to be complete, and single conditions known to be true or false."""

    collections: frozenset[str]
    records: Mapping[tuple[str, str], Record] = field(default_factory=dict)
    listings: frozenset[Listing] = frozenset()
    atoms: Mapping[str, bool] = field(default_factory=dict)

    def facts(self) -> dict[Fact, object]:
        """Every piece of it, with what it says."""
        return {
            **{("record", name): record for name, record in self.records.items()},
            **{("listing", item): True for item in self.listings},
            **{("atom", text): truth for text, truth in self.atoms.items()},
        }
