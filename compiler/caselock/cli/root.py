"""The --workspace option, or the current folder -> the root of the workspace to work on."""

from __future__ import annotations

from pathlib import Path

import click

from caselock.source.workspace import MARKER, find_root, is_root


def workspace_root(ctx: click.Context) -> Path:
    """Return the workspace that the command line names or that surrounds the current folder.

    Raises click.UsageError when there is none.
    """
    chosen: Path | None = ctx.obj
    if chosen is None:
        root = find_root(Path.cwd())
        if root is None:
            raise click.UsageError(f"no workspace here: neither this folder nor one above holds {MARKER}")
        return root
    if not is_root(chosen):
        raise click.UsageError(f"no workspace at '{chosen}': it does not hold {MARKER}")
    return chosen.resolve()
