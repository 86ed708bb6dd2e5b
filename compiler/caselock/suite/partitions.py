"""Families -> dev or hidden, before any mutation and without regard to the other families."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from decimal import Decimal
from typing import Literal

from caselock.spec.policies import Splits

Partition = Literal["dev", "hidden"]


def partition_of(policy: Splits, family: str) -> Partition:
    """The side of one family: its explicit choice, else a salted hash below `hidden_share`.

    It depends on the policy and the family's name alone, so that adding a family moves no other.
    """
    chosen = policy.families.get(family)
    if chosen is not None:
        return chosen
    digest = hashlib.sha256(f"{policy.salt}\n{family}".encode()).digest()
    share = Decimal(int.from_bytes(digest[:8], "big")) / Decimal(2**64)
    return "hidden" if share < policy.hidden_share else "dev"


def partitions(policy: Splits, families: Iterable[str]) -> dict[str, Partition]:
    """The side of every family, by name."""
    return {family: partition_of(policy, family) for family in sorted(set(families))}
