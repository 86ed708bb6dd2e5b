"""The facts an agent has observed, as an immutable value."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from caselock.world.state import Record

Listing = tuple[str, frozenset[str]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Knowledge:
    """Records by (collection, key), listings known to be complete, and single conditions known to be true or false."""

    collections: frozenset[str]
    records: Mapping[tuple[str, str], Record] = field(default_factory=dict)
    listings: frozenset[Listing] = frozenset()
    atoms: Mapping[str, bool] = field(default_factory=dict)
