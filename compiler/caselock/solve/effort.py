"""How far a search may go, and whether it had to leave something untried."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(slots=True)
class Effort:
    """The account of one search; `cut` is set once anything was left untried, so that no proof is claimed."""

    visited: int = 0
    cut: bool = False
