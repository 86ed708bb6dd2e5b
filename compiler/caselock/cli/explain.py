"""`caselock explain`: a diagnostic code -> its meaning, or all codes as text or markdown."""

from __future__ import annotations

import click

from caselock.diagnostics import CODES, CodeInfo, nearest
from caselock.views.codes import explain_markdown, explain_text
from caselock.views.escape import visible


@click.command("explain")
@click.argument("code", required=False)
@click.option("--all", "everything", is_flag=True, help="Explain every code.")
@click.option("--format", "style", type=click.Choice(["text", "markdown"]), default="text", show_default=True)
def command(code: str | None, everything: bool, style: str) -> int:
    """Explain a diagnostic CODE such as CL0203: what it means, why it matters, and an example each way."""
    if everything == (code is not None):
        raise click.UsageError("name one code, or use --all")
    infos = tuple(CODES.values()) if code is None else (_find(code),)
    render = explain_markdown if style == "markdown" else explain_text
    click.echo(render(infos), nl=False)
    return 0


def _find(code: str) -> CodeInfo:
    info = CODES.get(code.upper())
    if info is None:
        close = nearest(code, CODES)
        hint = f"; did you mean '{close}'?" if close else "; see `caselock explain --all`"
        raise click.UsageError(f"unknown code '{visible(code)}'{hint}")
    return info
