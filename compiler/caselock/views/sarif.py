"""Findings -> a SARIF 2.1.0 log, which code scanning services and editors read."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Sequence
from typing import Any
from urllib.parse import quote

from caselock import __version__
from caselock.diagnostics import CODES, CodeInfo, Diagnostic, Span
from caselock.source.canonical import digest
from caselock.views.codes import explain_text, markdown_section
from caselock.views.escape import visible

_ROOT = "WORKSPACE"
_INDEX = re.compile(r"\[[0-9]+\]")


def render_sarif(findings: Sequence[Diagnostic], *, prefix: str = "") -> str:
    """Return the log, ASCII only; `prefix` leads from the repository to the workspace (`agents/support/`).

    Source: https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/sarif-v2.1.0-errata01-os.html
    """
    infos = [CODES[code] for code in sorted({finding.code for finding in findings})]
    log = {
        "$schema": "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json",
        "version": "2.1.0",
        "runs": [
            {
                "tool": {"driver": {"name": "caselock", "version": __version__, "rules": [*map(_rule, infos)]}},
                "columnKind": "unicodeCodePoints",
                "originalUriBaseIds": {_ROOT: {"description": {"text": "The root of the repository."}}},
                "results": _results(findings, [info.id for info in infos], prefix),
            }
        ],
    }
    return json.dumps(log, indent=2) + "\n"


def _rule(info: CodeInfo) -> dict[str, Any]:
    return {
        "id": info.id,
        "shortDescription": {"text": info.title},
        "fullDescription": {"text": info.why},
        "help": {"text": explain_text((info,)), "markdown": markdown_section(info)},
        "defaultConfiguration": {"level": info.severity.value},
    }


def _results(findings: Sequence[Diagnostic], rules: list[str], prefix: str) -> list[dict[str, Any]]:
    seen: Counter[str] = Counter()
    results = []
    for finding in findings:
        same = _identity(finding, prefix)
        seen[same] += 1
        results.append(
            {
                "ruleId": finding.code,
                "ruleIndex": rules.index(finding.code),
                "level": finding.severity.value,
                "message": {"text": _text(_message(finding))},
                "locations": [_location(finding.span, prefix) | _logical(finding)],
                "relatedLocations": _related(finding, prefix),
                "partialFingerprints": {"caselock/v1": digest([same, seen[same]])},
            }
        )
    return results


def _identity(finding: Diagnostic, prefix: str) -> str:
    """What stays when lines and list items move: code, file, place without indices, and words."""
    parts = (finding.code, prefix + finding.span.file, _INDEX.sub("[]", finding.path), finding.message)
    return "\n".join(map(visible, parts))


def _message(finding: Diagnostic) -> str:
    nearest = [] if finding.nearest is None else [f"did you mean '{finding.nearest}'?"]
    hint = [] if finding.hint is None else [finding.hint]
    return "\n".join(map(visible, (finding.message, *nearest, *hint)))


def _text(text: str) -> str:
    """Text in which nothing reads as an embedded link (SARIF 2.1.0, section 3.11.6)."""
    return text.replace("](", "] (")


def _location(span: Span, prefix: str) -> dict[str, Any]:
    region = {
        "startLine": span.line,
        "startColumn": span.column,
        "endLine": span.end_line,
        "endColumn": span.end_column,
    }
    artifact = {"uri": quote(prefix + span.file, errors="backslashreplace"), "uriBaseId": _ROOT}
    return {"physicalLocation": {"artifactLocation": artifact, "region": region}}


def _logical(finding: Diagnostic) -> dict[str, Any]:
    return {"logicalLocations": [{"fullyQualifiedName": visible(finding.path)}]} if finding.path else {}


def _related(finding: Diagnostic, prefix: str) -> list[dict[str, Any]]:
    places = [(related.span, related.message) for related in finding.related]
    if finding.nearest_at is not None:
        places.append((finding.nearest_at, f"'{finding.nearest}' is here"))
    return [
        {"id": number, "message": {"text": _text(visible(message))}, **_location(span, prefix)}
        for number, (span, message) in enumerate(places, 1)
    ]
