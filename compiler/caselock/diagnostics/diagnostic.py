"""A finding about a workspace: a code, a place, what was found and what would be right."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass

from caselock.diagnostics.code import Severity
from caselock.diagnostics.codes import CODES
from caselock.diagnostics.span import Span


@dataclass(frozen=True, slots=True, kw_only=True)
class Related:
    """Another place that explains a finding, such as the first of two equal ids."""

    span: Span
    message: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Diagnostic:
    """One finding; `path` is the YAML path (`rules[3].when`), `found` the text exactly as written.

    `nearest` is the allowed value closest to `found`, and `nearest_at` the place that defines it.
    """

    code: str
    span: Span
    message: str
    path: str = ""
    found: str | None = None
    allowed: tuple[str, ...] = ()
    nearest: str | None = None
    nearest_at: Span | None = None
    hint: str | None = None
    related: tuple[Related, ...] = ()

    @property
    def severity(self) -> Severity:
        """The severity that the code table gives this code."""
        return CODES[self.code].severity


def yaml_path(path: tuple[str | int, ...]) -> str:
    """Return a path such as `("rules", 3, "when")` as people write it: `rules[3].when`."""
    text = ""
    for part in path:
        if isinstance(part, int):
            text += f"[{part}]"
        elif _PLAIN_KEY.fullmatch(part):
            text += f".{part}" if text else part
        else:
            text += f"[{json.dumps(part)}]"
    return text


_PLAIN_KEY = re.compile(r"[A-Za-z_][A-Za-z0-9_-]*")
