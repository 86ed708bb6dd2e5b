"""`caselock draft OPERATOR SEED`: a human operator on a seed -> a draft seed for people to finish, on the screen."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from typing import TYPE_CHECKING, TypeVar

import click

from caselock.cli.findings import findings_text
from caselock.cli.root import workspace_root

if TYPE_CHECKING:
    from caselock.cases.mutations import Child, CompiledOperator
    from caselock.pipeline import Build

Item = TypeVar("Item")

_EXAMPLES = """\b
Examples:
  caselock draft on-behalf-of-another refund_seed_01 > seeds/refund_normal/refund_draft_01.yaml
"""


@click.command("draft", epilog=_EXAMPLES)
@click.argument("operator", metavar="OPERATOR")
@click.argument("seed", metavar="SEED")
@click.option("--param", metavar="NAME", help="Which of the operator's children, when it makes several.")
@click.pass_context
def command(ctx: click.Context, operator: str, seed: str, param: str | None) -> int:
    """Write the draft of a seed: what a human OPERATOR makes of a SEED, with its expectations left to people.

    Exits with 1 if the workspace has errors, else with 0.
    """
    from caselock.cases.draft import draft_seed
    from caselock.diagnostics import exit_status, in_order
    from caselock.pipeline import CHECK, run
    from caselock.views.drafts import draft_yaml

    root = workspace_root(ctx)
    build = run(CHECK, root)
    findings = in_order(build.diagnostics)
    if exit_status(findings, strict=False):
        click.echo(findings_text(root, findings, len(build.documents)), nl=False, err=True)
        return 1
    chosen = _named("operator", operator, build.operators)
    if chosen.spec.effect != "human":
        raise click.UsageError(f"operator '{operator}' has effect '{chosen.spec.effect}': it makes cases, not drafts")
    parent = _named("seed", seed, build.seeds)
    children = {child.param: child for child in _children(build, chosen, seed)}
    if not children:
        raise click.UsageError(f"operator '{operator}' does not take seed '{seed}'")
    child = next(iter(children.values())) if param is None else _named("param", param, children)
    if param is None and len(children) > 1:
        raise click.UsageError(f"operator '{operator}' makes several; name one with --param: {', '.join(children)}")
    click.echo(draft_yaml(draft_seed(chosen.spec, parent.entry.value, child)), nl=False, file=sys.stdout)
    return 0


def _named(what: str, name: str, known: Mapping[str, Item]) -> Item:
    from caselock.diagnostics import nearest
    from caselock.views.escape import visible

    if name not in known:
        close = nearest(name, known)
        raise click.UsageError(f"no {what} '{visible(name)}'" + (f"; did you mean '{close}'?" if close else ""))
    return known[name]


def _children(build: Build, operator: CompiledOperator, seed: str) -> list[Child]:
    from caselock.cases.mutations import applies, mutate
    from caselock.cases.parent import Parent, parent_of
    from caselock.cases.paths import BadPath
    from caselock.expr.values import EvaluationError

    checked, program = build.seeds[seed], build.program
    if program is None:
        return []
    parent = parent_of(program, checked.entry.value, checked.scenario)
    try:
        return (
            list(mutate(program, operator, parent)) if isinstance(parent, Parent) and applies(operator, parent) else []
        )
    except (BadPath, EvaluationError) as problem:
        raise click.UsageError(f"operator '{operator.spec.operator}' on seed '{seed}': {problem}") from problem
