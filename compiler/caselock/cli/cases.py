"""The commands that look at one case of the compiled bundle."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import click

from caselock.cli.compile import FOLDER
from caselock.cli.findings import findings_text
from caselock.cli.root import workspace_root

if TYPE_CHECKING:
    from caselock.bundle.content import CaseParts
    from caselock.bundle.manifest import Manifest


View = Callable[["CaseParts"], str]


def case_command(name: str, help_text: str, views: Callable[[], dict[str, View]]) -> click.Command:
    """A command that prints one case in one of its views, by format; they are imported when it runs."""

    @click.command(name, help=help_text, epilog=_EXAMPLES.format(name=name))
    @click.argument("case_id", metavar="CASE")
    @click.option("--format", "style", type=click.Choice(["text", "json"]), default="text", show_default=True)
    @click.pass_context
    def command(ctx: click.Context, case_id: str, style: str) -> int:
        case = find_case(ctx, case_id)
        if case is None:
            return 1
        click.echo(views()[style](case), nl=False)
        return 0

    return command


_EXAMPLES = """\b
Examples:
  caselock {name} refund_gold_001
  caselock {name} refund_gold_001 --format json
"""


def find_case(ctx: click.Context, case_id: str) -> CaseParts | None:
    """The case of the compiled bundle; None after its findings were shown.

    Raises:
        click.UsageError: when there is no bundle, or no case of that name.
    """
    from caselock.bundle.manifest import changed_inputs
    from caselock.bundle.read import read
    from caselock.diagnostics import nearest

    root = workspace_root(ctx)
    if not (root / FOLDER).is_dir():
        raise click.UsageError(f"{FOLDER}/ does not exist; run `caselock compile` first")
    bundle, findings = read(root / FOLDER)
    if bundle is None:
        click.echo(findings_text(root / FOLDER, findings, len({finding.span.file for finding in findings})), nl=False)
        return None
    cases = {case.case_id: case for case in bundle.cases}
    if case_id not in cases:
        close = nearest(case_id, cases)
        raise click.UsageError(f"no case '{case_id}'" + (f"; did you mean '{close}'?" if close else ""))
    for path, change in changed_inputs(bundle.manifest, input_digests(root, bundle.manifest)):
        click.echo(f"note: {path} {change} since the last compile; run `caselock compile`", err=True)
    return cases[case_id]


def input_digests(root: Path, manifest: Manifest) -> dict[str, str]:
    """The digest of every readable workspace file and of the files that the bundle was compiled from, by path."""
    from caselock.source.canonical import sha256_hex
    from caselock.source.limits import MAX_OUTSIDE_BYTES
    from caselock.source.workspace import list_files, read_bytes

    paths = {*list_files(root)[0], *(entry.path for entry in manifest.inputs)}
    contents = {path: read_bytes(root, path, MAX_OUTSIDE_BYTES)[0] for path in sorted(paths)}
    return {path: sha256_hex(raw) for path, raw in contents.items() if raw is not None}
