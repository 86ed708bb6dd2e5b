"""The README shows what the commands really print: `pytest tests/sample --update-golden` writes its excerpts anew."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
README = ROOT / "README.md"
SEED = "seeds/refund_normal/refund_seed_01.yaml"
CASE = "refund_seed_01+refund-amount-boundary@over_limit.above"


@pytest.fixture(scope="module")
def copy(tmp_path_factory):
    """This repository's workspace, to compile and to break."""
    root = tmp_path_factory.mktemp("readme")
    for folder in ("spec", "capabilities", "rules", "seeds", "generated"):
        shutil.copytree(ROOT / folder, root / folder)
    return root


def printed(root, *arguments):
    done = subprocess.run(
        [sys.executable, "-m", "caselock", *arguments], cwd=root, capture_output=True, text=True, check=False
    )
    assert not done.stderr, done.stderr
    return done.stdout.rstrip() + "\n"


def excerpt_of_compile(root):
    return printed(root, "compile")


def excerpt_of_trace(root):
    story, _, _ = printed(root, "trace", CASE).partition("\nwhat happens on the way")
    return f"$ caselock trace {CASE}\n{story.rstrip()}\n"


def excerpt_of_check(root):
    seed = root / SEED
    written = seed.read_text()
    seed.write_text(written.replace("outcome: [fulfil]", "outcome: [refuse]", 1))
    shown = printed(root, "check")
    seed.write_text(written)
    return f"$ caselock check\n{shown}"


@pytest.mark.parametrize(
    ("excerpt", "begins"),
    [
        (excerpt_of_compile, r"\d+ cases from"),
        (excerpt_of_trace, r"\$ caselock trace "),
        (excerpt_of_check, r"\$ caselock check"),
    ],
)
def test_an_excerpt_is_what_is_printed(request, copy, excerpt, begins):
    readme = README.read_text()
    block = re.search(rf"```text\n({begins}.*?)```", readme, re.S)
    real = excerpt(copy)
    if request.config.getoption("--update-golden"):
        README.write_text(readme[: block.start(1)] + real + readme[block.end(1) :])
    else:
        assert block[1] == real
