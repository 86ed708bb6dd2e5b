"""spec/sources.yaml: the business evidence that rules, seeds and decisions cite."""

from __future__ import annotations

from typing import Literal

from caselock.spec.base import Identifier, Model, VersionText

SourceKind = Literal[
    "prd", "sop", "tool_spec", "error_codes", "permission_matrix", "manual_workflow", "expert", "incident"
]


class Section(Model):
    """A citable part of a source; cited as `source#section`."""

    id: Identifier
    title: str


class Source(Model):
    """One piece of business evidence, with the sections that may be cited."""

    id: Identifier
    kind: SourceKind
    version: VersionText
    owner: Identifier
    title: str
    superseded_by: Identifier | None = None
    sections: tuple[Section, ...]


class Sources(Model):
    """All sources of the workspace."""

    sources: tuple[Source, ...]
