"""Command line arguments -> exit status, with a short way out for `caselock --version`."""

from __future__ import annotations

import sys


def main() -> None:
    """Run caselock and exit; the version is answered before anything else is imported."""
    if sys.argv[1:] == ["--version"]:
        from caselock import __version__

        print(f"caselock {__version__}")
        return
    from caselock.cli import main as run

    sys.exit(run())


if __name__ == "__main__":
    main()
