"""The files of a workspace -> findings about what must not be in them, but for what people allow."""

from __future__ import annotations

from collections.abc import Iterator

from caselock.diagnostics.diagnostic import Diagnostic
from caselock.screen.detect import Hit, detect
from caselock.source.document import Document
from caselock.spec.policies import Allowance
from caselock.spec.workspace import Workspace


def screen(workspace: Workspace) -> Iterator[Diagnostic]:
    """A finding for every secret and every piece of personal data, and for every allowance that nothing needs."""
    allowances = {name: entry.value for name, entry in workspace.allowances.items()}
    own = {entry.document.path for entry in workspace.allowances.values()}
    needed: set[str] = set()
    for path, document in sorted(workspace.documents.items()):
        for hit in detect(document.text):
            text = document.text[hit.start : hit.end]
            passing = {name for name, item in allowances.items() if not hit.secret and _covers(item, path, text)}
            if path in own:
                passing = {name for name, item in allowances.items() if not hit.secret and item.text == text}
            else:
                needed |= passing
            if not passing:
                yield _finding(document, hit)
    for name, entry in workspace.allowances.items():
        if name not in needed:
            yield entry.finding("CL0204", "nothing needs this allowance")


def _covers(allowance: Allowance, path: str, text: str) -> bool:
    return allowance.text in (None, text) and allowance.path in (None, path)


def _finding(document: Document, hit: Hit) -> Diagnostic:
    span = document.characters(hit.start, hit.end)
    if hit.secret:
        message = f"this looks like a secret ({hit.kind})"
        hint = "take it out, revoke it, and write an invented value"
        return Diagnostic(code="CL0050", span=span, message=message, hint=hint)
    message = f"this looks like personal data ({hit.kind})"
    hint = "invent a value, such as an address at example.com, or allow it in spec/policies/privacy.yaml"
    return Diagnostic(code="CL0051", span=span, message=message, hint=hint)
