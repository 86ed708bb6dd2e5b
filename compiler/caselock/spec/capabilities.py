"""capabilities/*.yaml: what the system promises, what it does not, and how a promise can be observed."""

from __future__ import annotations

from typing import Literal

from caselock.spec.base import Identifier, Model, SourceRef

Frequency = Literal["frequent", "occasional", "rare"]
Severity = Literal["P0", "P1", "P2", "P3"]


class Capability(Model):
    """A node of the capability map; a node without children is a leaf and must be testable."""

    capability: Identifier
    title: str
    promise: str
    owner: Identifier
    non_goals: tuple[str, ...] = ()
    because: tuple[SourceRef, ...] = ()
    goals: tuple[Identifier, ...] = ()
    tools: tuple[Identifier, ...] = ()
    states: tuple[str, ...] = ()
    frequency: Frequency | None = None
    severity: Severity | None = None
    confusable_with: tuple[Identifier, ...] = ()
    evidence: tuple[str, ...] = ()
    children: tuple[Capability, ...] = ()
