"""One entry of the code table: what a diagnostic code means, why it matters, and an example each way."""

from __future__ import annotations

import enum
from dataclasses import dataclass


class Severity(enum.StrEnum):
    """How much a finding weighs: errors fail a check, warnings fail it when strict, notes never do."""

    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"


@dataclass(frozen=True, slots=True, kw_only=True)
class CodeInfo:
    """The whole explanation of one code; `bad` and `good` are short YAML (or shell) excerpts."""

    id: str
    severity: Severity
    title: str
    why: str
    bad: str
    good: str
    retired: bool = False


def error(id: str, title: str, *, why: str, bad: str, good: str) -> CodeInfo:
    """Return an entry for a finding that fails the check."""
    return CodeInfo(id=id, severity=Severity.ERROR, title=title, why=why, bad=bad, good=good)


def warning(id: str, title: str, *, why: str, bad: str, good: str) -> CodeInfo:
    """Return an entry for a finding that fails the check only when it is strict."""
    return CodeInfo(id=id, severity=Severity.WARNING, title=title, why=why, bad=bad, good=good)


def note(id: str, title: str, *, why: str, bad: str, good: str) -> CodeInfo:
    """Return an entry for a finding that informs and never fails the check."""
    return CodeInfo(id=id, severity=Severity.NOTE, title=title, why=why, bad=bad, good=good)


def retired(id: str, title: str, *, why: str) -> CodeInfo:
    """Return a tombstone: the code is no longer reported, and its number is never used again."""
    return CodeInfo(
        id=id, severity=Severity.NOTE, title=title, why=why, bad="(retired)", good="(retired)", retired=True
    )


def table(*stages: tuple[CodeInfo, ...]) -> dict[str, CodeInfo]:
    """Return the entries of all stages by id, in id order; a number used twice is a fault in caselock."""
    entries = sorted((info for stage in stages for info in stage), key=lambda info: info.id)
    merged = {info.id: info for info in entries}
    if len(merged) != len(entries):
        raise AssertionError("a diagnostic code is defined twice")
    return merged
