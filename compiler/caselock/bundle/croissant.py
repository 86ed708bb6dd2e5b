"""The content and files of a bundle -> its Croissant 1.0 description (JSON-LD), as plain JSON data."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from caselock.bundle.content import BundleContent
from caselock.bundle.rows import opaque_key
from caselock.source.canonical import sha256_hex

# The context of the Croissant 1.0 specification, appendix 1; consumers compare it, so unused terms stay.
_TERMS = (
    "citeAs", "column", "equivalentProperty", "extract", "field", "fileObject", "fileProperty", "fileSet",
    "format", "includes", "isLiveDataset", "jsonPath", "key", "md5", "parentField", "path", "recordSet",
    "references", "regex", "repeated", "replace", "samplingRate", "separator", "source", "subField",
    "transform",
)  # fmt: skip
_CONTEXT = {
    "@language": "en",
    "@vocab": "https://schema.org/",
    "conformsTo": "dct:conformsTo",
    "cr": "http://mlcommons.org/croissant/",
    "data": {"@id": "cr:data", "@type": "@json"},
    "dataType": {"@id": "cr:dataType", "@type": "@vocab"},
    "dct": "http://purl.org/dc/terms/",
    "examples": {"@id": "cr:examples", "@type": "@json"},
    "rai": "http://mlcommons.org/croissant/RAI/",
    "sc": "https://schema.org/",
    **{term: f"cr:{term}" for term in _TERMS},
}
_ENCODINGS = {"json": "application/json", "jsonl": "application/jsonlines", "md": "text/markdown"}


def croissant(content: BundleContent, files: Mapping[str, bytes]) -> dict[str, Any]:
    """Return the description of a bundle: a FileObject for each file, a RecordSet for each bucket's cases.

    Follows https://docs.mlcommons.org/croissant/docs/croissant-spec.html; names no date, since the same
    content gives the same bytes at any time.
    """
    notice = f"\n\n{content.notice}" if content.notice else ""
    return {
        "@context": _CONTEXT,
        "@type": "sc:Dataset",
        "conformsTo": "http://mlcommons.org/croissant/1.0",
        "name": content.name,
        "alternateName": content.title,
        "description": content.description + notice,
        "version": content.version,
        "license": content.license,
        "creator": {"@type": "sc:Organization", "name": content.owner},
        "isLiveDataset": False,
        "distribution": [_file_object(path, raw) for path, raw in sorted(files.items())],
        "recordSet": [_record_set(content, bucket) for bucket in content.counts()],
    }


def _file_object(path: str, raw: bytes) -> dict[str, Any]:
    return {
        "@type": "cr:FileObject",
        "@id": path,
        "name": path,
        "contentUrl": path,
        "contentSize": f"{len(raw)} B",
        "encodingFormat": _ENCODINGS[path.rpartition(".")[2]],
        "sha256": sha256_hex(raw),
    }


def _record_set(content: BundleContent, bucket: str) -> dict[str, Any]:
    record_set = f"cases_{bucket}"
    cases = [
        {"key": opaque_key(content.name, case.case_id), **case.agent} for case in content.cases if case.bucket == bucket
    ]
    columns = sorted(name for name in cases[0] if all(isinstance(case.get(name), str) for case in cases))
    return {
        "@type": "cr:RecordSet",
        "@id": record_set,
        "name": record_set,
        "description": f"What the agent sees of the cases in {bucket}; only the columns of plain text.",
        "key": {"@id": f"{record_set}/key"},
        "field": [_field(record_set, f"cases/{bucket}.jsonl", column) for column in columns],
    }


def _field(record_set: str, path: str, column: str) -> dict[str, Any]:
    return {
        "@type": "cr:Field",
        "@id": f"{record_set}/{column}",
        "name": column,
        "dataType": "sc:Text",
        "source": {"fileObject": {"@id": path}, "extract": {"column": column}},
    }
