"""`caselock prove`: decision tables -> what the solver finds in them, and whether that fails the proof."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from caselock.cli.findings import FORMATS, SERVICES, findings_text, service_text
from caselock.cli.progress import TerminalProgress
from caselock.cli.root import workspace_root

if TYPE_CHECKING:
    from caselock.pipeline import Build

_EXAMPLES = """\b
Examples:
  caselock prove
  caselock prove refund
  caselock prove refund --points
  caselock prove --format sarif
"""


@click.command("prove", epilog=_EXAMPLES)
@click.argument("decisions", nargs=-1, metavar="[DECISION]...")
@click.option("--points", is_flag=True, help="List the boundary values of every comparison too.")
@click.option("--format", "style", type=click.Choice(FORMATS), default="text", show_default=True)
@click.option("--strict", is_flag=True, help="Let warnings fail the proof too.")
@click.pass_context
def command(ctx: click.Context, decisions: tuple[str, ...], points: bool, style: str, strict: bool) -> int:
    """Prove that rules never disagree, leave nothing out and all decide something; of all tables, or of those named.

    Every finding comes with the facts that show it. What cannot be proved is a finding too.
    Exits with 1 if there are errors (with --strict: or warnings), else with 0.
    """
    from caselock.diagnostics import exit_status, in_order
    from caselock.pipeline import PROVE, run
    from caselock.views.proved import render_json, render_text

    root = workspace_root(ctx)
    with TerminalProgress() as progress:
        build = run(PROVE, root, progress, decisions)
        _check_names(build, decisions)
        findings = in_order(build.diagnostics)
        if style == "json":
            text = render_json(build, findings, points=points)
        elif style in SERVICES:
            text = service_text(style, root, findings)
        else:
            text = findings_text(root, findings, len(build.documents)) + render_text(build, points=points)
    click.echo(text, nl=False)
    return exit_status(findings, strict=strict)


def _check_names(build: Build, decisions: tuple[str, ...]) -> None:
    """A table that is not there proves nothing.

    Raises:
        click.UsageError: when a decision is unknown.
    """
    from caselock.diagnostics import nearest

    tables = {} if build.workspace is None else build.workspace.tables
    for name in decisions:
        if name not in tables:
            close = nearest(name, tables)
            raise click.UsageError(f"no decision '{name}'" + (f"; did you mean '{close}'?" if close else ""))
