"""The command line: argv -> command -> exit status (0 fine, 1 findings, 2 usage, 70 fault in caselock)."""

from __future__ import annotations

import importlib
import os
import sys
from pathlib import Path

import click

from caselock import __version__

# A command lives in the module of its name, as `command`; its summary is here so that --help imports nothing.
COMMANDS = {
    "check": "Read the workspace and report everything that is wrong with it.",
    "prove": "Prove that rules never disagree, leave nothing out and all decide something.",
    "compile": "Derive, prove and lock every case into generated/.",
    "show": "Show the contract of a compiled case.",
    "coverage": "Show what the compiled cases cover, and why the rest is missing.",
    "trace": "Tell the story of a compiled case.",
    "draft": "Draft a seed for people to finish, from a human operator and a seed.",
    "verify": "Check that a bundle is whole and unchanged since it was locked.",
    "explain": "Explain a diagnostic code.",
    "schema": "Write the JSON Schema of every file kind.",
}
EXIT_USAGE = 2
EXIT_FAULT = 70
EXIT_INTERRUPTED = 130
EXIT_BROKEN_PIPE = 141

_EXAMPLES = """\b
Examples:
  caselock check
  caselock --workspace path/to/repository check --strict
  caselock explain CL0203
"""


class LazyGroup(click.Group):
    """A group that imports a command's module only when that command runs."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of all commands."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        """Import and return a command, or None if there is none of that name."""
        if name not in COMMANDS:
            return None
        module = importlib.import_module(f"caselock.cli.{name.replace('-', '_')}")
        command: click.Command = module.command
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the commands from the table."""
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))


@click.group(cls=LazyGroup, epilog=_EXAMPLES, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, message="caselock %(version)s")
@click.option(
    "--workspace",
    type=click.Path(path_type=Path),
    metavar="DIR",
    help="The workspace; by default the nearest folder at or above this one with spec/project.yaml.",
)
@click.pass_context
def caselock(ctx: click.Context, workspace: Path | None) -> None:
    """Compile business rules and gold seeds into locked evaluation cases for tool-using agents."""
    ctx.obj = workspace


def main(arguments: list[str] | None = None) -> int:
    """Run one command and return its exit status; no input and no fault ends in a traceback."""
    _survive_any_encoding()
    try:
        return _run(sys.argv[1:] if arguments is None else arguments)
    except click.ClickException as failure:
        failure.show()
        return failure.exit_code
    except (click.Abort, KeyboardInterrupt):
        return EXIT_INTERRUPTED
    except BrokenPipeError:
        # The reader has gone; without this, the interpreter would complain once more at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return EXIT_BROKEN_PIPE
    except Exception as fault:  # noqa: BLE001 - the last resort, so that a fault is one line and a status of its own
        return _report_fault(fault)


def _run(arguments: list[str]) -> int:
    # Not click's own main(), which turns a broken pipe into status 1, the status of findings.
    try:
        with caselock.make_context("caselock", arguments) as context:
            status: int = caselock.invoke(context)
    except click.exceptions.Exit as early:
        status = early.exit_code
    sys.stdout.flush()
    return status


def _report_fault(fault: Exception) -> int:
    if os.environ.get("CASELOCK_DEBUG") == "1":
        import traceback

        traceback.print_exception(fault)
    name = type(fault).__name__
    click.echo(f"internal error ({name}); please report it with the output of CASELOCK_DEBUG=1", err=True)
    return EXIT_FAULT


def _survive_any_encoding() -> None:
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="backslashreplace")
