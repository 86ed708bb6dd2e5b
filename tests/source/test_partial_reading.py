"""One bad file hides nothing in the others, and nothing is said of what it may have defined."""

import shutil
from pathlib import Path

import pytest

from caselock.diagnostics import in_order
from caselock.pipeline import CHECK, run

LIBRARY = Path(__file__).parents[1] / "workspaces" / "library"
FILES = sorted(path.relative_to(LIBRARY).as_posix() for path in LIBRARY.rglob("*.yaml"))
ANCHOR = b"\nbroken: &a 1\n"


@pytest.fixture
def library(tmp_path):
    return Path(shutil.copytree(LIBRARY, tmp_path / "library"))


def found(root):
    return [(finding.code, finding.span.file) for finding in in_order(run(CHECK, root).diagnostics)]


def breaks(root, file):
    (root / file).write_bytes((root / file).read_bytes() + ANCHOR)


def edit(root, file, old, new):
    text = (root / file).read_text()
    assert text.count(old) >= 1
    (root / file).write_text(text.replace(old, new, 1))


@pytest.mark.parametrize("file", FILES)
def test_a_broken_file_is_the_only_finding(library, file):
    breaks(library, file)
    assert found(library) == [("CL0022", file)]


@pytest.mark.parametrize("file", FILES)
def test_a_file_of_the_wrong_shape_is_the_only_one_with_findings(library, file):
    (library / file).write_text((library / file).read_text() + "no_such_key: 1\n")
    assert {(code, name) for code, name in found(library)} == {("CL0101", file)}


@pytest.mark.parametrize("file", [name for name in FILES if name != "rules/renewal.yaml"])
def test_a_broken_file_hides_no_finding_of_another(library, file):
    edit(library, "rules/renewal.yaml", "because: [", "because: [no_such_source#section, ")
    breaks(library, file)
    sources = file == "spec/sources.yaml"  # it may define what is cited
    assert (("CL0203", "rules/renewal.yaml") in found(library)) != sources


def test_expressions_are_checked_beside_a_broken_tool(library):
    edit(library, "rules/renewal.yaml", "when: ", "when: no_such_input && ")
    breaks(library, "spec/tools/get_loan.yaml")
    assert found(library) == [("CL0302", "rules/renewal.yaml"), ("CL0022", "spec/tools/get_loan.yaml")]


def test_seeds_are_checked_beside_a_broken_operator_but_not_a_broken_rule(library):
    edit(library, "seeds/plain/plain_01.yaml", "outcome: [fulfil]", "outcome: [refuse]")
    breaks(library, "spec/operators/plain-words.yaml")
    assert ("CL0606", "seeds/plain/plain_01.yaml") in found(library)
    breaks(library, "rules/renewal.yaml")
    assert {code for code, _ in found(library)} == {"CL0022"}


def test_a_missing_single_file_stops_only_what_needs_it(library):
    (library / "spec/world/records.yaml").unlink()
    edit(library, "rules/renewal.yaml", "because: [", "because: [no_such_source#section, ")
    assert found(library) == [("CL0203", "rules/renewal.yaml"), ("CL0111", "spec/world/records.yaml")]


def test_a_linked_folder_says_nothing_of_what_it_may_hold(library):
    shutil.move(library / "spec/tools", library.parent / "tools")
    (library / "spec/tools").symlink_to(library.parent / "tools")
    assert found(library) == [("CL0003", "spec/tools")]
