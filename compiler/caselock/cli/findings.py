"""Findings on the screen, the same for every command that reports them."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from caselock.diagnostics import Diagnostic


def findings_text(root: Path, findings: Sequence[Diagnostic], files: int) -> str:
    """The findings about files below `root` with their excerpts, coloured on a terminal."""
    from caselock.source.workspace import read_text
    from caselock.views.diagnostics import render_text

    colour = sys.stdout.isatty() and not os.environ.get("NO_COLOR")
    return render_text(findings, lambda path: read_text(root, path), files=files, colour=colour)
