"""Which model a workspace file is read as: by its folder, then by its first key."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from caselock.spec.base import Model
from caselock.spec.capabilities import Capability
from caselock.spec.decisions import DecisionTable, Invariants, Ruling
from caselock.spec.goals import Goal
from caselock.spec.locales import Locale
from caselock.spec.operators import Operator
from caselock.spec.permissions import Permissions
from caselock.spec.policies import Expansion, Packs, Privacy, Splits, Trials
from caselock.spec.project import Project
from caselock.spec.rubrics import Rubric
from caselock.spec.seeds import Phrasings, Seed
from caselock.spec.small_talk import SmallTalk
from caselock.spec.sources import Sources
from caselock.spec.suite_policies import Coverage, Dedup, Distribution
from caselock.spec.taxonomy import Taxonomy
from caselock.spec.tools import Tool
from caselock.spec.world import Fixture, Records


@dataclass(frozen=True, slots=True, kw_only=True)
class Kind:
    """A file kind: where its files live and the key that marks it there."""

    name: str
    model: type[Model]
    folder: str
    key: str


_ALL = (
    Kind(name="project", model=Project, folder="spec/project.yaml", key="project"),
    Kind(name="sources", model=Sources, folder="spec/sources.yaml", key="sources"),
    Kind(name="permissions", model=Permissions, folder="spec/permissions.yaml", key="permissions"),
    Kind(name="taxonomy", model=Taxonomy, folder="spec/taxonomy.yaml", key="taxonomy"),
    Kind(name="records", model=Records, folder="spec/world/", key="records"),
    Kind(name="fixture", model=Fixture, folder="spec/world/", key="fixture"),
    Kind(name="tool", model=Tool, folder="spec/tools/", key="tool"),
    Kind(name="goal", model=Goal, folder="spec/goals/", key="goal"),
    Kind(name="locale", model=Locale, folder="spec/locales/", key="locale"),
    Kind(name="small_talk", model=SmallTalk, folder="spec/dialogue/", key="small_talk"),
    Kind(name="operator", model=Operator, folder="spec/operators/", key="operator"),
    Kind(name="rubric", model=Rubric, folder="spec/rubrics/", key="rubric"),
    Kind(name="splits", model=Splits, folder="spec/policies/", key="splits"),
    Kind(name="expansion", model=Expansion, folder="spec/policies/", key="expansion"),
    Kind(name="trials", model=Trials, folder="spec/policies/", key="trials"),
    Kind(name="packs", model=Packs, folder="spec/policies/", key="packs"),
    Kind(name="privacy", model=Privacy, folder="spec/policies/", key="privacy"),
    Kind(name="coverage", model=Coverage, folder="spec/policies/", key="coverage"),
    Kind(name="dedup", model=Dedup, folder="spec/policies/", key="dedup"),
    Kind(name="distribution", model=Distribution, folder="spec/policies/", key="distribution"),
    Kind(name="capability", model=Capability, folder="capabilities/", key="capability"),
    Kind(name="decision", model=DecisionTable, folder="rules/", key="decision"),
    Kind(name="invariants", model=Invariants, folder="rules/", key="invariants"),
    Kind(name="ruling", model=Ruling, folder="rules/", key="ruling"),
    Kind(name="seed", model=Seed, folder="seeds/", key="seed"),
    Kind(name="phrasings", model=Phrasings, folder="seeds/", key="phrasings"),
)

KINDS: Mapping[str, Kind] = {kind.name: kind for kind in _ALL}
SINGLETONS = ("project", "sources", "permissions", "records", "splits", "expansion", "trials", "packs")
OPTIONAL = ("coverage", "dedup", "distribution")
"""Policies of which there may be one each."""


def candidates(path: str) -> tuple[Kind, ...]:
    """The kinds a file at this workspace path may be; empty when the folder is not part of the layout."""
    return tuple(
        kind for kind in _ALL if path == kind.folder or (kind.folder[-1] == "/" and path.startswith(kind.folder))
    )
