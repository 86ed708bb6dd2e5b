"""Entries of the code table -> their explanation as text for a terminal or markdown for the docs."""

from __future__ import annotations

from collections.abc import Sequence

from caselock.diagnostics import CodeInfo


def explain_text(infos: Sequence[CodeInfo]) -> str:
    """Return the explanations, each ending in a line feed, separated by blank lines."""
    return "\n".join(map(_text, infos))


def explain_markdown(infos: Sequence[CodeInfo]) -> str:
    """Return a markdown page with one section per code."""
    return "\n".join(["# Diagnostic codes\n", *map(markdown_section, infos)])


def _text(info: CodeInfo) -> str:
    heading = f"{info.id} {info.title} ({_standing(info)})"
    return f"{heading}\n\n  {info.why}\n\n  instead of\n{_indented(info.bad)}\n  write\n{_indented(info.good)}\n"


def markdown_section(info: CodeInfo) -> str:
    """Return the explanation of one code as a section of a markdown page."""
    return (
        f"## {info.id}: {info.title}\n\n*{_standing(info)}.* {info.why}\n\n"
        f"Instead of\n\n```yaml\n{info.bad}\n```\n\nwrite\n\n```yaml\n{info.good}\n```\n"
    )


def _standing(info: CodeInfo) -> str:
    return "retired" if info.retired else info.severity.value


def _indented(example: str) -> str:
    return "\n".join(f"    {line}" for line in example.split("\n"))
