"""A bundle folder -> the bundle in it, if every byte is what its lock and manifest say; else findings."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from caselock.bundle.check_cases import read_cases, table_path
from caselock.bundle.check_packs import check_packs
from caselock.bundle.content import FOLDERS, CaseParts
from caselock.bundle.finding import finding
from caselock.bundle.json_forms import page, parse
from caselock.bundle.manifest import FORMAT, LOCK, MANIFEST, Manifest, lock_line
from caselock.bundle.merkle import inputs_root
from caselock.bundle.tree import read_tree
from caselock.diagnostics import Diagnostic, in_order, yaml_path
from caselock.source.canonical import sha256_hex
from caselock.source.findings import bounded

_PAGES = {"tools.json": list, "model.json": dict, "coverage.json": dict, "packs.json": dict, "croissant.json": dict}
_DOCUMENTS = ("README.md", *_PAGES)
_SHAPES = {list: "a list", dict: "an object"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Bundle:
    """A verified bundle; `digest` is the sha256 (hex) of bundle.json, `cases` are in bucket and id order."""

    manifest: Manifest
    digest: str
    cases: tuple[CaseParts, ...]
    tools: list[dict[str, Any]]
    model: dict[str, Any]
    coverage: dict[str, Any]
    packs: dict[str, list[str]]


def verify(folder: Path) -> tuple[Diagnostic, ...]:
    """Return all that is wrong with the bundle in a folder; nothing means that it is self-consistent."""
    return read(folder)[1]


def read(folder: Path) -> tuple[Bundle | None, tuple[Diagnostic, ...]]:
    """Return the bundle in a folder, and no findings; or None and the findings."""
    files, found = read_tree(folder)
    manifest, problems = _manifest(files)
    if manifest is None:
        return None, _presented((*found, *problems))
    pages, unread = _pages(files)
    cases, unmatched = read_cases(manifest, files)
    broken = (*found, *_listing(manifest, files), *_inputs(manifest), *unread, *unmatched)
    findings = _presented(broken or tuple(check_packs(pages, cases)))  # packs name cases: those have to be right first
    if findings:
        return None, findings
    return Bundle(
        manifest=manifest,
        digest=sha256_hex(files[MANIFEST]),
        cases=cases,
        tools=pages["tools.json"],
        model=pages["model.json"],
        coverage=pages["coverage.json"],
        packs=pages["packs.json"],
    ), ()


def read_manifest(folder: Path) -> tuple[Manifest | None, tuple[Diagnostic, ...]]:
    """Return the bundle.json of a folder, or None and the findings; nothing else is verified."""
    return _manifest(read_tree(folder)[0])


def _manifest(files: Mapping[str, bytes]) -> tuple[Manifest | None, tuple[Diagnostic, ...]]:
    if MANIFEST not in files:
        return None, (finding("CL0901", "", f"no {MANIFEST} here", "name the folder of a bundle"),)
    value = parse(files[MANIFEST], page, MANIFEST)
    if isinstance(value, Diagnostic):
        return None, (value,)
    if not isinstance(value, dict):
        return None, (finding("CL0909", MANIFEST, f"{MANIFEST} is not an object"),)
    if value.get("format") != FORMAT:
        message = f"format is not '{FORMAT}', the one that this version reads"
        return None, (finding("CL0918", MANIFEST, message),)
    try:
        return Manifest.model_validate(value), ()
    except ValidationError as failure:
        return None, tuple(_shape_findings(failure))


def _shape_findings(failure: ValidationError) -> Iterator[Diagnostic]:
    for error in failure.errors(include_url=False, include_input=False, include_context=False):
        reason = error["msg"][:1].lower() + error["msg"][1:]
        yield finding("CL0909", MANIFEST, f"'{yaml_path(error['loc'])}': {reason}")


def _listing(manifest: Manifest, files: Mapping[str, bytes]) -> Iterator[Diagnostic]:
    """Compare the lock and the list of files with the files that are there."""
    if LOCK in files and files[LOCK] != lock_line(manifest, files[MANIFEST]):
        yield finding("CL0905", LOCK, f"{LOCK} does not name this {MANIFEST} by its name, version and sha256")
    listed = {entry.path: entry for entry in manifest.files}
    if [entry.path for entry in manifest.files] != sorted(listed):
        yield finding("CL0909", MANIFEST, "'files' are not in path order, each once")
    tables = [table_path(part, bucket) for part in FOLDERS for bucket in manifest.buckets]
    for path in (*_DOCUMENTS, *tables):
        if path not in listed:
            yield finding("CL0902", MANIFEST, f"{MANIFEST} does not list '{path}'")
    for path in sorted({LOCK, *listed} - files.keys()):
        yield finding("CL0902", path, f"'{path}' is missing", "take the bundle from its origin again")
    for path in sorted(files.keys() - {LOCK, MANIFEST, *listed}):
        yield finding("CL0903", path, f"{MANIFEST} does not list '{path}'", "remove it")
    for path in sorted(listed.keys() & files.keys()):
        if (len(files[path]), sha256_hex(files[path])) != (listed[path].size, listed[path].sha256):
            yield finding("CL0904", path, f"'{path}' does not have the size and sha256 that {MANIFEST} gives")


def _inputs(manifest: Manifest) -> Iterator[Diagnostic]:
    inputs = {entry.path: entry.sha256 for entry in manifest.inputs}
    if [entry.path for entry in manifest.inputs] != sorted(inputs):
        yield finding("CL0909", MANIFEST, "'inputs' are not in path order, each once")
    if inputs_root(inputs) != manifest.inputs_root:
        yield finding("CL0914", MANIFEST, "'inputs_root' does not follow from the inputs")


def _pages(files: Mapping[str, bytes]) -> tuple[dict[str, Any], tuple[Diagnostic, ...]]:
    """Return the values of the .json files, and findings about those that are not in form."""
    pages: dict[str, Any] = {}
    found: list[Diagnostic] = []
    for path, shape in _PAGES.items():
        if path not in files:
            continue
        value = parse(files[path], page, path)
        if isinstance(value, Diagnostic):
            found.append(value)
        elif not isinstance(value, shape):
            found.append(finding("CL0909", path, f"{path} is not {_SHAPES[shape]}"))
        else:
            pages[path] = value
    return pages, tuple(found)


def _presented(found: tuple[Diagnostic, ...]) -> tuple[Diagnostic, ...]:
    """Return findings in order, of each file at most a hundred and how many follow."""
    by_file: dict[str, list[Diagnostic]] = {}
    for diagnostic in in_order(found):
        by_file.setdefault(diagnostic.span.file, []).append(diagnostic)
    return tuple(diagnostic for group in by_file.values() for diagnostic in bounded(tuple(group)))
