"""The table of diagnostic codes: one module per stage, merged into `CODES`."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from caselock.diagnostics.code import CodeInfo, table
from caselock.diagnostics.codes.bundle import BUNDLE
from caselock.diagnostics.codes.derivation import DERIVATION
from caselock.diagnostics.codes.expansion import EXPANSION
from caselock.diagnostics.codes.expressions import EXPRESSIONS
from caselock.diagnostics.codes.proofs import PROOFS
from caselock.diagnostics.codes.reading import READING
from caselock.diagnostics.codes.references import REFERENCES
from caselock.diagnostics.codes.rules import RULES
from caselock.diagnostics.codes.seeds import SEEDS
from caselock.diagnostics.codes.shape import SHAPE
from caselock.diagnostics.codes.strength import STRENGTH
from caselock.diagnostics.codes.suite import SUITE
from caselock.diagnostics.codes.world import WORLD

CODES: Mapping[str, CodeInfo] = MappingProxyType(
    table(
        READING,
        SHAPE,
        REFERENCES,
        EXPRESSIONS,
        WORLD,
        RULES,
        SEEDS,
        EXPANSION,
        DERIVATION,
        BUNDLE,
        PROOFS,
        STRENGTH,
        SUITE,
    )
)
