"""`caselock compile`: workspace -> generated/, or whether generated/ is up to date."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from caselock.cli.findings import FORMATS, SERVICES, findings_text, service_text
from caselock.cli.progress import TerminalProgress
from caselock.cli.root import workspace_root

if TYPE_CHECKING:
    from caselock.pipeline import Build

FOLDER = "generated"

_EXAMPLES = """\b
Examples:
  caselock compile
  caselock compile --check
  caselock compile --format json
"""


@click.command("compile", epilog=_EXAMPLES)
@click.option("--check", is_flag=True, help="Write nothing; exit with 1 if generated/ is stale, naming what changed.")
@click.option("--strict", is_flag=True, help="Let warnings stop the compilation too.")
@click.option("--format", "style", type=click.Choice(FORMATS), default="text", show_default=True)
@click.pass_context
def command(ctx: click.Context, check: bool, strict: bool, style: str) -> int:
    """Derive, prove and lock every case of the workspace into generated/.

    Exits with 1 if there are findings, or with --check if generated/ is stale.
    The folder is replaced whole or not at all.
    """
    from caselock.bundle.encode import files
    from caselock.bundle.write import write
    from caselock.diagnostics import exit_status, in_order
    from caselock.pipeline import COMPILE, run
    from caselock.views.compiled import render_json, render_text

    root = workspace_root(ctx)
    with TerminalProgress() as progress:
        build = run(COMPILE, root, progress)
    findings = in_order(build.diagnostics)
    stale: tuple[str, ...] = ()
    if build.content is not None and not exit_status(findings, strict=strict):
        made = files(build.content)
        if check:
            stale = stale_reasons(root / FOLDER, build, made)
        else:
            findings = in_order((*findings, *write(root / FOLDER, made)))
    status = exit_status(findings, strict=strict) or int(bool(stale))
    if style == "json":
        click.echo(render_json(build, findings, stale), nl=False)
        return status
    if style in SERVICES:
        click.echo(service_text(style, root, findings), nl=False)
        for reason in stale:
            click.echo(reason, err=True)
        return status
    if findings:
        click.echo(findings_text(root, findings, len(build.documents)), nl=False)
    for reason in stale:
        click.echo(reason)
    if build.content is not None and not exit_status(findings, strict=strict):
        click.echo(render_text(build, FOLDER, check=check, stale=bool(stale)), nl=False)
    return status


def stale_reasons(folder: Path, build: Build, made: dict[str, bytes]) -> tuple[str, ...]:
    """Why the bundle is not what the workspace compiles to: inputs that changed, else files edited by hand."""
    from caselock.bundle.manifest import changed_inputs
    from caselock.bundle.read import read_manifest
    from caselock.bundle.tree import read_tree

    if not folder.is_dir():
        return (f"{FOLDER}/ does not exist; run `caselock compile`",)
    manifest, _ = read_manifest(folder)
    if manifest is None:
        return (f"{FOLDER}/bundle.json cannot be read; run `caselock compile`",)
    inputs = {path: document.digest for path, document in build.documents.items()}
    changed = tuple(
        f"stale: {path} {change} since the last compile" for path, change in changed_inputs(manifest, inputs)
    )
    held, problems = read_tree(folder)
    differing = sorted(path for path in {*held, *made} if held.get(path) != made.get(path))
    if changed or not (differing or problems):
        return changed
    if problems:
        return tuple(f"stale: {problem.span.file}: {problem.message}" for problem in problems)
    return tuple(f"stale: {FOLDER}/{path} is not what the compiler writes" for path in differing)
