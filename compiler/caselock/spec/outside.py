"""Fixtures that keep records in files of their own -> fixtures that hold them, and the documents those came from."""

from __future__ import annotations

from dataclasses import fields, replace
from pathlib import Path

from caselock.diagnostics.diagnostic import Diagnostic
from caselock.diagnostics.span import Span
from caselock.source.canonical import sha256_hex
from caselock.source.document import Document, JoinedDocument, YamlPath
from caselock.source.limits import MAX_OUTSIDE_BYTES, MAX_OUTSIDE_NODES
from caselock.source.workspace import is_portable, read_bytes
from caselock.spec.workspace import Entry
from caselock.spec.world import Fixture, Outside

LEAVES = "CL0007"


class OutsideFiles:
    """The files of records below one root, each read once."""

    def __init__(self, root: Path) -> None:
        self.documents: dict[str, Document] = {}
        self._root = root
        self._read: dict[str, tuple[Document | None, str, tuple[Diagnostic, ...]]] = {}

    def join(self, entry: Entry[Fixture]) -> tuple[Entry[Fixture] | None, tuple[Diagnostic, ...]]:
        """Return the fixture with every record, or None and the findings about what it names."""
        world = dict(entry.value.world)
        parts: dict[YamlPath, Document] = {}
        findings: list[Diagnostic] = []
        for name, kept in entry.value.world.items():
            if isinstance(kept, Outside):
                document, found = self._records(entry, name, kept)
                findings += found
                if document is not None:
                    world[name] = document.data
                    parts["world", name] = document
        if findings:
            return None, tuple(findings)
        if not parts:
            return entry, ()
        whole = {field.name: getattr(entry.document, field.name) for field in fields(Document)}
        value = entry.value.model_copy(update={"world": world})
        return Entry(value, JoinedDocument(**whole, parts=parts), entry.path), ()

    def _records(
        self, entry: Entry[Fixture], name: str, kept: Outside
    ) -> tuple[Document | None, tuple[Diagnostic, ...]]:
        """The file of one collection. What is wrong with its name is found in the fixture, the rest in the file."""
        if kept.path not in self._read:
            self._read[kept.path] = self._file(kept.path)
        document, digest, found = self._read[kept.path]
        where = ("world", name, "path")
        if not digest:
            return None, tuple(_renamed(entry, kept, finding, where) for finding in found)
        if digest != kept.sha256:
            message = f"the sha256 of '{kept.path}' is not {kept.sha256}"
            hint = f"if the change is meant, write sha256: {digest}"
            wrong = entry.finding("CL0414", message, "world", name, "sha256", found=kept.sha256, hint=hint)
            return None, (wrong,)
        return document, found

    def _file(self, path: str) -> tuple[Document | None, str, tuple[Diagnostic, ...]]:
        """A file's document, the digest of its bytes (empty when it cannot be read), and what is wrong with it."""
        from caselock.source.yaml_reader import parse_text

        raw, found = read_bytes(self._root, path, MAX_OUTSIDE_BYTES)
        if raw is None:
            return None, "", found
        if not is_portable(path):
            return None, "", (Diagnostic(code="CL0004", span=Span(path), message="its name is not portable"),)
        document, found = parse_text(path, raw, nodes=MAX_OUTSIDE_NODES)
        if document is not None:
            self.documents[path] = document
            found = _misshapen(document)
        return document, sha256_hex(raw), found


def _renamed(entry: Entry[Fixture], kept: Outside, finding: Diagnostic, where: YamlPath) -> Diagnostic:
    """A finding about a file as one about the place that names it."""
    if finding.code == LEAVES:
        return replace(finding, span=entry.span(*where), path="world", found=kept.path)
    message = f"file '{kept.path}' cannot be used: {finding.message}"
    return entry.finding("CL0413", message, *where, found=kept.path, hint="name a plain file of at most 8 MiB")


def _misshapen(document: Document) -> tuple[Diagnostic, ...]:
    """A file of records is a mapping of mappings."""
    if not isinstance(document.data, dict):
        return (_not_records(document, (), "the file is not a mapping of records by key"),)
    wrong = next((key for key, record in document.data.items() if not isinstance(record, dict)), None)
    return () if wrong is None else (_not_records(document, (wrong,), f"record '{wrong}' is not a mapping of fields"),)


def _not_records(document: Document, path: YamlPath, message: str) -> Diagnostic:
    return Diagnostic(code="CL0415", span=document.span(path), message=message, hint="write {A1024: {status: paid}}")
