"""Findings on the screen, the same for every command that reports them."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from caselock.diagnostics import Diagnostic

FORMATS = ("text", "json", "github", "sarif")
SERVICES = frozenset({"github", "sarif"})
"""Formats that services read: they show findings and nothing else."""


def service_text(style: str, root: Path, findings: Sequence[Diagnostic]) -> str:
    """The findings in one of the formats of SERVICES, their files named from the folder of the command."""
    from caselock.views.github import render_github
    from caselock.views.sarif import render_sarif

    here = Path.cwd().resolve()
    inside = root.resolve() != here and root.resolve().is_relative_to(here)
    prefix = f"{root.resolve().relative_to(here).as_posix()}/" if inside else ""
    render = render_github if style == "github" else render_sarif
    return render(findings, prefix=prefix)


def findings_text(root: Path, findings: Sequence[Diagnostic], files: int) -> str:
    """The findings about files below `root` with their excerpts, coloured on a terminal."""
    from caselock.source.workspace import read_text
    from caselock.views.diagnostics import render_text

    colour = sys.stdout.isatty() and not os.environ.get("NO_COLOR")
    return render_text(findings, lambda path: read_text(root, path), files=files, colour=colour)
