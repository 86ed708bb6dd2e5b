"""The whole workspace as typed values, each remembered with the document it came from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from caselock.diagnostics.diagnostic import Diagnostic, Related, yaml_path
from caselock.diagnostics.span import Span
from caselock.source.document import Document
from caselock.spec.base import Model
from caselock.spec.capabilities import Capability
from caselock.spec.decisions import DecisionTable, Invariant, Rule, Ruling
from caselock.spec.goals import Goal
from caselock.spec.locales import Locale
from caselock.spec.operators import Operator
from caselock.spec.permissions import Role
from caselock.spec.policies import Allowance, Expansion, Packs, Splits, Trials
from caselock.spec.project import Project
from caselock.spec.rubrics import Criterion
from caselock.spec.seeds import Phrasing, Phrasings, Seed
from caselock.spec.small_talk import SmallTalk
from caselock.spec.sources import Source
from caselock.spec.suite_policies import Coverage, Dedup, Distribution
from caselock.spec.taxonomy import FailureTag
from caselock.spec.tools import Tool
from caselock.spec.world import Fixture, Records

T = TypeVar("T", bound=Model)
Path = tuple[str | int, ...]


@dataclass(frozen=True, slots=True)
class Entry(Generic[T]):
    """A value, the document that holds it, and its path inside."""

    value: T
    document: Document
    path: Path = ()

    def span(self, *path: str | int, key: bool = False) -> Span:
        """The place of a part of this value; its nearest written parent when the part is not written."""
        return self.document.span((*self.path, *path), key=key)

    def finding(
        self,
        code: str,
        message: str,
        *path: str | int,
        key: bool = False,
        span: Span | None = None,
        found: str | None = None,
        allowed: tuple[str, ...] = (),
        nearest: str | None = None,
        hint: str | None = None,
        related: tuple[Related, ...] = (),
    ) -> Diagnostic:
        """A diagnostic at a part of this value."""
        full = (*self.path, *path)
        return Diagnostic(
            code=code,
            span=span or self.document.span(full, key=key),
            path=yaml_path(full),
            message=message,
            found=found,
            allowed=allowed,
            nearest=nearest,
            hint=hint,
            related=related,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Workspace:
    """Everything the compiler reads, by id; `documents` holds every readable file by path.

    `incomplete` names the kinds of file of which one could not be read: what is not found may be defined there.
    """

    documents: Mapping[str, Document]
    project: Entry[Project]
    records: Entry[Records]
    splits: Entry[Splits]
    expansion: Entry[Expansion]
    trials: Entry[Trials]
    packs: Entry[Packs]
    coverage: Entry[Coverage] | None = None
    dedup: Entry[Dedup] | None = None
    distribution: Entry[Distribution] | None = None
    sources: Mapping[str, Entry[Source]] = field(default_factory=dict)
    failure_tags: Mapping[str, Entry[FailureTag]] = field(default_factory=dict)
    roles: Mapping[str, Entry[Role]] = field(default_factory=dict)
    fixtures: Mapping[str, Entry[Fixture]] = field(default_factory=dict)
    tools: Mapping[str, Entry[Tool]] = field(default_factory=dict)
    goals: Mapping[str, Entry[Goal]] = field(default_factory=dict)
    locales: Mapping[str, Entry[Locale]] = field(default_factory=dict)
    small_talk: Mapping[str, Entry[SmallTalk]] = field(default_factory=dict)
    operators: Mapping[str, Entry[Operator]] = field(default_factory=dict)
    criteria: Mapping[str, Entry[Criterion]] = field(default_factory=dict)
    shared_criteria: tuple[str, ...] = ()
    capabilities: Mapping[str, Entry[Capability]] = field(default_factory=dict)
    tables: Mapping[str, Entry[DecisionTable]] = field(default_factory=dict)
    rules: Mapping[str, Entry[Rule]] = field(default_factory=dict)
    invariants: Mapping[str, Entry[Invariant]] = field(default_factory=dict)
    rulings: Mapping[str, Entry[Ruling]] = field(default_factory=dict)
    seeds: Mapping[str, Entry[Seed]] = field(default_factory=dict)
    phrasings: Mapping[str, Entry[Phrasings]] = field(default_factory=dict)
    allowances: Mapping[str, Entry[Allowance]] = field(default_factory=dict)
    incomplete: frozenset[str] = frozenset()

    def phrasings_of(self, family: str, goal: str) -> tuple[Phrasing, ...]:
        """The approved wordings of a family for a goal, in file order."""
        return tuple(
            item
            for entry in self.phrasings.values()
            if entry.value.phrasings == family and entry.value.goal == goal
            for item in entry.value.items
        )
