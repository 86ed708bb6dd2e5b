"""`caselock schema`: the file models -> schemas/<kind>.schema.json, or whether those files are up to date."""

from __future__ import annotations

from pathlib import Path

import click

from caselock.cli.root import workspace_root


@click.command("schema")
@click.option("--check", is_flag=True, help="Write nothing; exit with 1 if a file is missing or stale.")
@click.option("--out", type=click.Path(path_type=Path), metavar="DIR", help="Where to write; default: schemas/.")
@click.pass_context
def command(ctx: click.Context, check: bool, out: Path | None) -> int:
    """Write the JSON Schema (2020-12) of every file kind, for editors and reviewers."""
    from caselock.spec.kinds import KINDS
    from caselock.views.schemas import render_schema

    folder = out if out is not None else workspace_root(ctx) / "schemas"
    texts = {f"{name}.schema.json": render_schema(name, kind.model) for name, kind in sorted(KINDS.items())}
    try:
        stale = [name for name, text in texts.items() if _read(folder / name) != text]
        if not check:
            folder.mkdir(parents=True, exist_ok=True)
            for name in stale:
                (folder / name).write_text(texts[name], encoding="utf-8", newline="\n")
    except OSError as failure:
        raise click.UsageError(f"cannot use folder '{folder}': {failure.strerror}") from failure
    for name in stale:
        click.echo(f"{name} is out of date; run `caselock schema`" if check else f"wrote {name}")
    return int(check and bool(stale))


def _read(path: Path) -> str | None:
    return path.read_bytes().decode("utf-8", "replace") if path.is_file() else None
