"""spec/rubrics/*.yaml: criteria for open language, each with what a grader looks for."""

from __future__ import annotations

from caselock.spec.base import Identifier, Model


class Criterion(Model):
    """One question a grader answers about the final message."""

    id: Identifier
    text: str


class Rubric(Model):
    """A file of criteria; `shared` ones are added to every case."""

    rubric: Identifier
    owner: Identifier
    criteria: tuple[Criterion, ...]
    shared: tuple[Identifier, ...] = ()
