"""Emitted case rows -> how often values of different dimensions meet, read from the files alone.

It shares no code with the selector or with what derives the dimensions, so that one checks the other.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import combinations
from typing import Any

Parts = Mapping[str, Mapping[str, Any]]
"""The oracle, world, proof and lineage row of one case, by the name of the part."""

_STATE_OF = {
    "injected_content": (4, "hostile content"),
    "dirty_state": (3, "unclean data"),
    "empty_result": (3, "unclean data"),
    "huge_result": (3, "unclean data"),
    "concurrent_modification": (2, "moving world"),
    "delayed_visibility": (2, "moving world"),
    "duplicate_delivery": (2, "moving world"),
}


def values_of(parts: Parts) -> dict[str, str]:
    """The values of one emitted case by dimension."""
    oracle = parts["oracle"]
    struck = [_STATE_OF.get(fault["fault"], (1, "tool failure")) for fault in parts["world"]["faults"]]
    if any("ask" in step for step in parts["proof"]["plan"]):
        quality = "incomplete"
    elif oracle["conversation"]:
        quality = "dialogue"
    else:
        quality = "reworded" if "LANGUAGE" in oracle["mutation_type"].split("+") else "clear"
    return {
        "goal": oracle["user_goal"],
        "complexity": f"tier {oracle['tier']}",
        "input": quality,
        "state": max(struck, default=(0, "ordinary"))[1],
        "risk": oracle["risk_level"],
    }


def recounted(cases: Iterable[Parts], strength: int) -> dict[frozenset[tuple[str, str]], int]:
    """How many of the cases have each combination of `strength` values."""
    numbers: dict[frozenset[tuple[str, str]], int] = {}
    for case in cases:
        for chosen in combinations(values_of(case).items(), strength):
            numbers[frozenset(chosen)] = numbers.get(frozenset(chosen), 0) + 1
    return numbers


def differences(matrix: Mapping[str, Any], cases: Iterable[Parts]) -> list[str]:
    """Where the counts that a bundle states are not those of its cases; empty when they agree."""
    stated = {frozenset(entry["values"].items()): entry["cases"] for entry in matrix["counts"]}
    counted = recounted(cases, matrix["strength"])
    return [
        f"{', '.join(f'{name} {value}' for name, value in sorted(cells))}: "
        f"{stated.get(cells, 0)} stated, {counted.get(cells, 0)} counted"
        for cells in sorted(stated.keys() | counted.keys(), key=sorted)
        if stated.get(cells, 0) != counted.get(cells, 0)
    ]
