"""The six .jsonl files of each bucket -> the cases they hold, and findings where rows do not fit together."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from caselock.bundle.content import FOLDERS, CaseParts
from caselock.bundle.finding import finding
from caselock.bundle.json_forms import Json, line, parse
from caselock.bundle.manifest import MANIFEST, Manifest
from caselock.bundle.rows import ADDED, HIDDEN_FROM_AGENT, case_digest, opaque_key, part_of
from caselock.diagnostics import Diagnostic


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One row of a part: where it stands and what it says, its key and case id included."""

    file: str
    line: int
    value: dict[str, Any]


def table_path(part: str, bucket: str) -> str:
    """Return the path of the rows of a part and bucket, such as `oracles/gold.jsonl`."""
    return f"{FOLDERS[part]}/{bucket}.jsonl"


def read_cases(manifest: Manifest, files: Mapping[str, bytes]) -> tuple[tuple[CaseParts, ...], tuple[Diagnostic, ...]]:
    """Return the cases whose six rows fit together, in bucket and id order, and all findings about rows."""
    cases: list[CaseParts] = []
    found: list[Diagnostic] = list(_uncounted(manifest, files))
    seen: dict[str, str] = {}
    for bucket, count in sorted(manifest.buckets.items()):
        tables: dict[str, dict[str, Row]] = {}
        for part in FOLDERS:
            path = table_path(part, bucket)
            if path in files:
                tables[part], problems = _read_table(part, path, files[path], count)
                found += problems
        found += _unmatched(tables)
        if len(tables) < len(FOLDERS):
            continue
        for key in tables["lineage"]:
            if all(key in table for table in tables.values()):
                case, problems = _case(manifest.name, bucket, {part: tables[part][key] for part in FOLDERS})
                found += problems
                found += _seen_before(case, tables["lineage"][key], seen)
                cases.append(case)
    return tuple(cases), tuple(found)


def _uncounted(manifest: Manifest, files: Mapping[str, bytes]) -> Iterator[Diagnostic]:
    """Find files where rows belong whose bucket bundle.json does not count."""
    known = {table_path(part, bucket) for part in FOLDERS for bucket in manifest.buckets}
    folders = tuple(f"{folder}/" for folder in FOLDERS.values())
    for path in files:
        if path.startswith(folders) and path not in known:
            yield finding("CL0913", path, f"{MANIFEST} counts no cases for '{path}'")


def _read_table(part: str, path: str, raw: bytes, count: int) -> tuple[dict[str, Row], tuple[Diagnostic, ...]]:
    """Return the rows of one file by key, and findings about their form, number and order."""
    lines = raw.split(b"\n")
    found: list[Diagnostic] = []
    if lines[-1] == b"":
        lines.pop()
    else:
        found.append(finding("CL0908", path, "last line does not end in a line feed", line=len(lines)))
    if len(lines) != count:
        found.append(finding("CL0913", path, f"{len(lines)} lines where {MANIFEST} counts {count} cases"))
    table: dict[str, Row] = {}
    for number, text in enumerate(lines, 1):
        value = parse(text + b"\n", line, path, number)
        problem = value if isinstance(value, Diagnostic) else _misshapen(part, path, number, value)
        if problem is not None:
            found.append(problem)
        elif value["key"] in table:
            found.append(finding("CL0910", path, f"key '{value['key']}' appears twice", line=number))
        else:
            table[value["key"]] = Row(file=path, line=number, value=value)
    return table, tuple(found)


def _misshapen(part: str, path: str, number: int, value: Json) -> Diagnostic | None:
    """Return what keeps a JSON value from being a row of a part, if anything does."""
    if not isinstance(value, dict):
        return finding("CL0909", path, "row is not an object", line=number)
    for name in ADDED[part]:
        if not isinstance(value.get(name), str):
            return finding("CL0909", path, f"row has no text '{name}'", line=number)
    for name in HIDDEN_FROM_AGENT:
        if part == "agent" and name in value:
            return finding("CL0909", path, f"row that the agent sees tells '{name}'", line=number)
    return None


def _unmatched(tables: Mapping[str, dict[str, Row]]) -> Iterator[Diagnostic]:
    """Find keys that some part lacks, and parts whose rows are out of order."""
    everywhere: dict[str, Row] = {}
    for table in tables.values():
        everywhere |= {key: row for key, row in table.items() if key not in everywhere}
    for part, table in tables.items():
        for key in everywhere.keys() - table.keys():
            row = everywhere[key]
            yield finding("CL0911", row.file, f"key '{key}' has no row in {FOLDERS[part]}", line=row.line)
        if part != "agent":
            yield from _unsorted(table)
    lineage = tables.get("lineage", {})
    agent = tables.get("agent", {})
    if agent.keys() == lineage.keys() and list(agent) != list(lineage):
        row = next(agent[key] for key, other in zip(agent, lineage, strict=True) if key != other)
        yield finding("CL0911", row.file, "rows are in another order than in lineage", line=row.line)


def _unsorted(table: Mapping[str, Row]) -> Iterator[Diagnostic]:
    previous = ""
    for row in table.values():
        if row.value["case_id"] < previous:
            yield finding("CL0911", row.file, "rows are not in the order of their case ids", line=row.line)
            return
        previous = row.value["case_id"]


def _case(name: str, bucket: str, rows: Mapping[str, Row]) -> tuple[CaseParts, tuple[Diagnostic, ...]]:
    """Return the case of six rows with one key, and findings where ids, key or digest differ."""
    lineage = rows["lineage"]
    case_id = lineage.value["case_id"]
    found = [
        finding("CL0911", row.file, f"case id '{row.value['case_id']}' is '{case_id}' in lineage", line=row.line)
        for row in rows.values()
        if row.value.get("case_id", case_id) != case_id
    ]
    if opaque_key(name, case_id) != lineage.value["key"]:
        message = f"key '{lineage.value['key']}' is not the key of case '{case_id}'"
        found.append(finding("CL0911", lineage.file, message, line=lineage.line))
    parts = {part: part_of(part, row.value) for part, row in rows.items()}
    if case_digest(parts) != lineage.value["digest"]:
        message = f"case '{case_id}' is not the one that its lineage gives the digest of"
        found.append(finding("CL0912", lineage.file, message, line=lineage.line))
    return CaseParts(case_id=case_id, bucket=bucket, **parts), tuple(found)


def _seen_before(case: CaseParts, row: Row, seen: dict[str, str]) -> Iterator[Diagnostic]:
    if case.case_id in seen:
        message = f"case '{case.case_id}' appears in {seen[case.case_id]} too"
        yield finding("CL0910", row.file, message, line=row.line)
    seen.setdefault(case.case_id, row.file)
