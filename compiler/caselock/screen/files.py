"""The files of a workspace -> findings about what must not be in them, but for what a policy allows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from caselock.diagnostics.diagnostic import Diagnostic
from caselock.screen.detect import Hit, detect
from caselock.source.document import Document
from caselock.spec.policies import Privacy
from caselock.spec.workspace import Entry


def screen(documents: Mapping[str, Document], policy: Entry[Privacy] | None) -> Iterator[Diagnostic]:
    """A finding for every secret and every piece of personal data, and for every allowance that nothing needs."""
    allowances = () if policy is None else policy.value.allow
    needed: set[int] = set()
    for path, document in sorted(documents.items()):
        if policy is not None and document is policy.document:
            continue
        for hit in detect(document.text):
            text = document.text[hit.start : hit.end]
            allowed = [
                index
                for index, item in enumerate(allowances)
                if not hit.secret and item.text in (None, text) and item.path in (None, path)
            ]
            needed.update(allowed)
            if not allowed:
                yield _finding(document, hit)
    if policy is not None:
        for index in sorted(set(range(len(allowances))) - needed):
            yield policy.finding("CL0204", "nothing needs this allowance", "allow", index)


def _finding(document: Document, hit: Hit) -> Diagnostic:
    span = document.characters(hit.start, hit.end)
    if hit.secret:
        message = f"this looks like a secret ({hit.kind})"
        hint = "take it out, revoke it, and write an invented value"
        return Diagnostic(code="CL0050", span=span, message=message, hint=hint)
    message = f"this looks like personal data ({hit.kind})"
    hint = "invent a value, such as a name at example.com, or allow it in spec/policies/privacy.yaml"
    return Diagnostic(code="CL0051", span=span, message=message, hint=hint)
