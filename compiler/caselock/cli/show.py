"""`caselock show CASE`: a compiled case -> its contract in three views."""

from __future__ import annotations

import click

from caselock.cli.cases import find_case

_EXAMPLES = """\b
Examples:
  caselock show refund_gold_001
  caselock show refund_gold_001 --format json
"""


@click.command("show", epilog=_EXAMPLES)
@click.argument("case_id", metavar="CASE")
@click.option("--format", "style", type=click.Choice(["text", "json"]), default="text", show_default=True)
@click.pass_context
def command(ctx: click.Context, case_id: str, style: str) -> int:
    """Show the contract of a compiled case: what the agent sees, what the environment knows, what the grader checks."""
    from caselock.views.cases import contract_json, contract_text

    case = find_case(ctx, case_id)
    if case is None:
        return 1
    click.echo(contract_json(case) if style == "json" else contract_text(case), nl=False)
    return 0
