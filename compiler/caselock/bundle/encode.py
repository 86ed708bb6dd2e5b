"""The content of a bundle -> its files as bytes: the same bytes for the same content on any machine."""

from __future__ import annotations

from caselock.bundle.card import dataset_card
from caselock.bundle.content import BUCKETS, FOLDERS, BundleContent, CaseParts
from caselock.bundle.croissant import croissant
from caselock.bundle.json_forms import line, page
from caselock.bundle.manifest import LOCK, MANIFEST, lock_line, make_manifest
from caselock.bundle.rows import rows


def files(content: BundleContent) -> dict[str, bytes]:
    """Return the bytes of every file of the bundle by POSIX path, in path order.

    All buckets are written in clear, the hidden one too: sealing is a step of its own.
    Raises ValueError or TypeError for content that no bundle can hold: a case id used twice, an unknown
    bucket, a reserved name in a part, a float, a malformed name or digest.
    """
    _check_cases(content.cases)
    written = {
        "tools.json": page(content.tools),
        "model.json": page(content.model),
        "coverage.json": page(content.coverage),
        "packs.json": page(content.packs),
        "README.md": dataset_card(content).encode(),
        **_tables(content),
    }
    written["croissant.json"] = page(croissant(content, written))
    manifest = make_manifest(content, written)
    written[MANIFEST] = page(manifest.model_dump())
    written[LOCK] = lock_line(manifest, written[MANIFEST])
    return dict(sorted(written.items()))


def _tables(content: BundleContent) -> dict[str, bytes]:
    """Return the six .jsonl files of each bucket, rows in the order of their case ids."""
    tables: dict[str, list[bytes]] = {}
    for case in sorted(content.cases, key=lambda case: case.case_id):
        for part, row in rows(content.name, case).items():
            tables.setdefault(f"{FOLDERS[part]}/{case.bucket}.jsonl", []).append(line(row))
    return {path: b"".join(lines) for path, lines in tables.items()}


def _check_cases(cases: tuple[CaseParts, ...]) -> None:
    seen: set[str] = set()
    for case in cases:
        if case.bucket not in BUCKETS:
            raise ValueError(f"case {case.case_id}: unknown bucket {case.bucket}")
        if case.case_id in seen:
            raise ValueError(f"case {case.case_id} appears twice")
        seen.add(case.case_id)
