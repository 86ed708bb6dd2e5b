"""spec/taxonomy.yaml: the kinds of failure that incidents are filed under."""

from __future__ import annotations

from caselock.spec.base import Identifier, Model


class FailureTag(Model):
    """One kind of failure."""

    tag: Identifier
    title: str


class Taxonomy(Model):
    """All kinds of failure that a regression seed may name."""

    taxonomy: tuple[FailureTag, ...]
