"""`caselock coverage`: the compiled bundle -> what its cases cover, and why the rest is missing."""

from __future__ import annotations

import click

from caselock.cli.compile import FOLDER
from caselock.cli.findings import findings_text
from caselock.cli.root import workspace_root

_EXAMPLES = """\b
Examples:
  caselock coverage
  caselock coverage --format json
"""


@click.command("coverage", epilog=_EXAMPLES)
@click.option("--format", "style", type=click.Choice(["text", "json"]), default="text", show_default=True)
@click.pass_context
def command(ctx: click.Context, style: str) -> int:
    """Show what the compiled cases cover, as a map of which values meet, and why the others do not.

    The numbers are counted again from the cases; exits with 1 if the bundle is not what its lock says or states other
    numbers.
    """
    from caselock.bundle.read import read
    from caselock.suite.recount import differences
    from caselock.views.coverage import render_json, render_text

    root = workspace_root(ctx)
    if not (root / FOLDER).is_dir():
        raise click.UsageError(f"{FOLDER}/ does not exist; run `caselock compile` first")
    bundle, findings = read(root / FOLDER)
    if bundle is None:
        click.echo(findings_text(root / FOLDER, findings, len({finding.span.file for finding in findings})), nl=False)
        return 1
    if "matrix" not in bundle.coverage:
        raise click.UsageError(f"{FOLDER}/ was compiled by a caselock without coverage; run `caselock compile`")
    rows = [
        {"oracle": case.oracle, "world": case.world, "proof": case.proof}
        for case in bundle.cases
        if case.bucket != "hidden"
    ]
    wrong = differences(bundle.coverage["matrix"], rows)
    click.echo((render_json if style == "json" else render_text)(bundle.coverage, wrong), nl=False)
    return int(bool(wrong))
