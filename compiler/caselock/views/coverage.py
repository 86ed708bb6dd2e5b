"""The coverage of a bundle -> heat maps and lists for people, or JSON for programs."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from typing import Any

_SEPARATE = ("capabilities", "tools", "faults", "risks", "turns")
_SHADES = ((1, "░"), (5, "▒"), (20, "▓"), (50, "█"))
_MARKS = {"infeasible": "-", "waived": "w", "left out": "o", "unreached": "?"}
_LEGEND = "░ 1 case or more, ▒ 5, ▓ 20, █ 50; ? unreached, o left out by the size, w waived, - infeasible"


def render_json(coverage: Mapping[str, Any], wrong: Sequence[str]) -> str:
    """The matrix, the counts that are reported apart, the targets, and where a recount differs."""
    document = {
        "matrix": coverage["matrix"],
        "by": {name: coverage["by"][name] for name in _SEPARATE},
        "distribution": coverage["distribution"],
        "selection": coverage["selection"],
        "recount": list(wrong),
    }
    return json.dumps(document, indent=2, ensure_ascii=False) + "\n"


def render_text(coverage: Mapping[str, Any], wrong: Sequence[str]) -> str:
    """The same for people."""
    return "\n".join(_lines(coverage, wrong)) + "\n"


def _lines(coverage: Mapping[str, Any], wrong: Sequence[str]) -> Iterator[str]:
    matrix = coverage["matrix"]
    size = {2: "pairs", 3: "triples"}[matrix["strength"]]
    yield f"{coverage['cases']} cases; {matrix['covered']} of {matrix['feasible']} feasible {size} of values"
    if wrong:
        yield "the cases say otherwise:"
        yield from (f"  {each}" for each in wrong)
    else:
        yield "counted again from the cases: the same"
    for name in _SEPARATE:
        yield ""
        yield from _counts(name, coverage["by"][name])
    if matrix["strength"] == 2:
        yield ""
        yield _LEGEND
        for left, right in combinations([each["name"] for each in matrix["dimensions"]], 2):
            yield ""
            yield from _map(matrix, left, right)
    yield from _holes(matrix)
    yield from _targets(coverage["distribution"])


def _counts(title: str, counts: Mapping[str, int]) -> Iterator[str]:
    width = max(map(len, counts), default=0)
    yield f"  {title}"
    for name, count in counts.items():
        yield f"    {name:<{width}}  {count:>4}"


def _map(matrix: Mapping[str, Any], left: str, right: str) -> Iterator[str]:
    """One dimension down, another across."""
    cells = {frozenset(each["values"].items()): _shade(each["cases"]) for each in matrix["counts"]}
    cells |= {frozenset(each["values"].items()): _MARKS[each["label"]] for each in matrix["holes"]}
    values = {each["name"]: each["values"] for each in matrix["dimensions"]}
    down, across = values[left], values[right]
    width = max(map(len, (*down, left)))
    yield f"  {left:<{width}}  {'  '.join(across)}   ({right})"
    for value in down:
        marks = (f"{cells[frozenset({(left, value), (right, other)})]:^{len(other)}}" for other in across)
        yield f"  {value:<{width}}  {'  '.join(marks)}".rstrip()


def _shade(cases: int) -> str:
    return [shade for least, shade in _SHADES if cases >= least][-1]


def _holes(matrix: Mapping[str, Any]) -> Iterator[str]:
    for label in ("unreached", "left out", "waived", "infeasible"):
        found = [hole for hole in matrix["holes"] if hole["label"] == label]
        if found:
            yield ""
            yield f"  {label} ({len(found)})"
        for hole in found:
            yield f"    {', '.join(f'{name}: {value}' for name, value in hole['values'].items())} - {hole['why']}"


def _targets(distribution: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    if distribution:
        yield ""
        yield "  targets"
    for each in distribution:
        todo = f"; add {each['add']}" if each["add"] else f"; retire {each['retire']}" if each["retire"] else ""
        yield f"    {each['aspect']} {each['value']}: {each['actual']}, wanted {each['target']}{todo}"
