"""`caselock check`: workspace -> its findings on the screen, and whether they fail the check."""

from __future__ import annotations

import click

from caselock.cli.findings import FORMATS, SERVICES, findings_text, service_text
from caselock.cli.progress import TerminalProgress
from caselock.cli.root import workspace_root


@click.command("check")
@click.option("--format", "style", type=click.Choice(FORMATS), default="text", show_default=True)
@click.option("--strict", is_flag=True, help="Let warnings fail the check too.")
@click.pass_context
def command(ctx: click.Context, style: str, strict: bool) -> int:
    """Read the workspace and report everything that is wrong with it.

    Exits with 1 if there are errors (with --strict: or warnings), else with 0.
    """
    from caselock.diagnostics import exit_status, in_order
    from caselock.pipeline import CHECK, run
    from caselock.views.checked import render_json, unchecked

    root = workspace_root(ctx)
    with TerminalProgress() as progress:
        build = run(CHECK, root, progress)
    findings = in_order(build.diagnostics)
    if style == "json":
        click.echo(render_json(build, findings), nl=False)
    elif style in SERVICES:
        click.echo(service_text(style, root, findings), nl=False)
    else:
        click.echo(findings_text(root, findings, len(build.documents)) + unchecked(build), nl=False)
    return exit_status(findings, strict=strict)
