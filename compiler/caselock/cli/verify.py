"""`caselock verify`: the folder of a bundle -> whether it is whole and unchanged since it was locked."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from caselock.cli.findings import FORMATS, SERVICES, service_text

if TYPE_CHECKING:
    from caselock.diagnostics import Diagnostic


@click.command("verify")
@click.argument("path", type=click.Path(path_type=Path))
@click.option("--format", "style", type=click.Choice(FORMATS), default="text", show_default=True)
def command(path: Path, style: str) -> int:
    """Check every byte of the bundle in the folder PATH against its lock.

    Exits with 0 if the bundle is self-consistent, with 1 if anything was changed, removed or added.
    """
    from caselock.bundle.read import read
    from caselock.views.diagnostics import render_json
    from caselock.views.escape import visible

    if not os.path.exists(path):
        raise click.UsageError(f"no such folder: '{visible(str(path))}'")
    bundle, findings = read(path)
    if style == "json":
        click.echo(render_json(findings), nl=False)
    elif style in SERVICES:
        click.echo(service_text(style, path, findings), nl=False)
    elif bundle is None:
        click.echo(_findings_text(path, findings), nl=False)
    else:
        manifest, count = bundle.manifest, len(bundle.cases)
        cases = "1 case" if count == 1 else f"{count} cases"
        click.echo(f"self-consistent: {manifest.name} {manifest.version}, {cases}, sha256:{bundle.digest}")
    return int(bundle is None)


def _findings_text(path: Path, findings: Sequence[Diagnostic]) -> str:
    from caselock.source.workspace import read_text
    from caselock.views.diagnostics import render_text

    files = len({finding.span.file for finding in findings})
    colour = sys.stdout.isatty() and not os.environ.get("NO_COLOR")
    return render_text(findings, lambda file: read_text(path, file), files=files, colour=colour)
