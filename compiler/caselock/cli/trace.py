"""`caselock trace CASE`: a compiled case -> its story, from the seed to the plan."""

from __future__ import annotations

import click

from caselock.cli.cases import find_case

_EXAMPLES = """\b
Examples:
  caselock trace refund_gold_001
  caselock trace refund_gold_001 --format json
"""


@click.command("trace", epilog=_EXAMPLES)
@click.argument("case_id", metavar="CASE")
@click.option("--format", "style", type=click.Choice(["text", "json"]), default="text", show_default=True)
@click.pass_context
def command(ctx: click.Context, case_id: str, style: str) -> int:
    """Tell the story of a compiled case: seed, each change, the facts, the rules that hit, and the plan."""
    from caselock.views.cases import story_json, story_text

    case = find_case(ctx, case_id)
    if case is None:
        return 1
    click.echo(story_json(case) if style == "json" else story_text(case), nl=False)
    return 0
