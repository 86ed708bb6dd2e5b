"""What could not be read -> the kinds of file that are incomplete, and what stands in for a missing single file."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from typing import Any

from caselock.diagnostics.code import Severity
from caselock.diagnostics.diagnostic import Diagnostic
from caselock.source.document import Document
from caselock.spec.kinds import KINDS, Kind, candidates
from caselock.spec.validate import validate
from caselock.spec.workspace import Entry

EVERYTHING = "CL0006"
"""The listing of the workspace stopped early: any file may be missing."""

_STAND_INS = {
    "project": "{project: unread, version: '0', title: '', description: '', owner: unread, license: '', salt: '', "
    "locales: [], version_bundle: {agent: '', prompt: '', tools: '', grader: ''}}",
    "records": "{records: {}, user: {type: object}, "
    "agent: {type: object, required: [role], properties: {role: {type: string}}}}",
    "splits": "{splits: unread, salt: '', hidden_share: 0}",
    "expansion": "{expansion: unread, max_depth: 1}",
    "packs": "{packs: unread, smoke: 1}",
    "trials": "{trials: unread, ordinary_trials: 1, high_risk_trials: 1}",
}


def incomplete_kinds(findings: Iterable[Diagnostic], kinds: Mapping[str, Kind]) -> frozenset[str]:
    """The names of the kinds that an unread file may be of; `kinds` says which kind a readable file is."""
    errors = [finding for finding in findings if finding.severity is Severity.ERROR]
    if any(finding.code == EVERYTHING for finding in errors):
        return frozenset(KINDS)
    return frozenset(kind.name for finding in errors for kind in _kinds_at(finding.span.file, kinds))


def _kinds_at(path: str, kinds: Mapping[str, Kind]) -> Iterator[Kind]:
    """The kind of a file; without one, each it may be, and each whose files are below when the path is a folder."""
    if path in kinds:
        yield kinds[path]
        return
    yield from candidates(path)
    yield from (kind for kind in KINDS.values() if kind.folder.startswith(f"{path}/"))


@cache
def stand_in(name: str) -> Entry[Any]:
    """An empty project, records or policy, so that what does not need the real one can go on without it."""
    from caselock.source.yaml_reader import parse_text

    document, _ = parse_text(KINDS[name].folder, _STAND_INS[name])
    assert isinstance(document, Document)
    value, _ = validate(document, KINDS[name].model)
    return Entry(value, document)
