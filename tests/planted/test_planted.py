"""Every fault that can be planted in a workspace is found: the right code, at the right character, and nothing else."""

import shutil
from pathlib import Path

import pytest
from hostile import NONSENSE
from planting import MARK, Plant
from plants import EVERY
from sounds import SOUND

from caselock.diagnostics import CODES, Severity
from caselock.pipeline import CHECK, COMPILE, run

LIBRARY = Path(__file__).parents[1] / "workspaces" / "library"


def planted(root: Path, plant: Plant) -> str:
    """Apply the edits and return the place of the finding as file:line:column; empty for a sound change."""
    place = plant.spot or ""
    for edit in plant.edits:
        path = root / edit.file
        if edit.new is None:
            path.unlink()
            continue
        if edit.old is None:
            text = edit.new
        else:
            assert path.read_text().count(edit.old) == 1, edit
            text = path.read_text().replace(edit.old, edit.new)
        if MARK in text:
            place = place_of(edit.file, text)
        path.parent.mkdir(exist_ok=True)
        path.write_text(text.replace(MARK, ""))
    if plant.at is not None:
        file, anchor = plant.at
        text = (root / file).read_text()
        assert text.count(anchor.replace(MARK, "")) == 1, anchor
        place = place_of(file, text.replace(anchor.replace(MARK, ""), anchor))
    return place


def place_of(file: str, text: str) -> str:
    before = text[: text.index(MARK)]
    return f"{file}:{before.count(chr(10)) + 1}:{len(before) - before.rfind(chr(10))}"


@pytest.fixture
def library(tmp_path):
    return Path(shutil.copytree(LIBRARY, tmp_path / "library"))


def alone(root: Path, plant: Plant) -> None:
    """Leave out the operators that a plant does not concern, so that its compilation is quick."""
    named = {edit.file for edit in plant.edits} | {f"spec/operators/{name}.yaml" for name in plant.needs}
    if "spec/policies/expansion.yaml" in named:
        return
    for path in (root / "spec" / "operators").iterdir():
        if f"spec/operators/{path.name}" not in named:
            path.unlink()
    policy = root / "spec/policies/expansion.yaml"
    policy.write_text(policy.read_text().replace("[[lost-answer, plain-words]]", "[]"))


def rows(plants: tuple[Plant, ...]):
    return pytest.mark.parametrize(
        "plant", [pytest.param(each, id=f"{each.code} {each.id}".strip()) for each in plants]
    )


@pytest.fixture
def place(library, plant):
    """The workspace with its plant, and where that must be found."""
    if plant.compiles:
        alone(library, plant)
    return planted(library, plant)


@rows(EVERY)
def test_a_planted_fault_is_found_at_its_place(library, plant, place):
    found = run(COMPILE if plant.compiles else CHECK, library).diagnostics
    report = "\n".join(f"{item.span}: {item.code} {item.message}" for item in found)
    assert (plant.code, place) in [(item.code, str(item.span)) for item in found], f"expected {place}\n{report}"
    told = [(item.code, item.span, item.message) for item in found]
    assert len(told) == len(set(told)), report
    rest = [item for item in found if (item.code, str(item.span)) != (plant.code, place)]
    unforeseen = {item.code for item in rest if item.severity is not Severity.NOTE} - set(plant.allows)
    assert not unforeseen, report


@rows(SOUND)
def test_a_sound_change_is_accepted(library, plant, place):
    build = run(COMPILE if plant.compiles else CHECK, library)
    assert [item for item in build.diagnostics if item.code not in plant.allows] == []


@rows(NONSENSE)
def test_nonsense_is_an_error(library, plant, place):
    assert run(COMPILE if plant.compiles else CHECK, library).failed


def test_the_library_compiles_without_a_finding(library):
    build = run(COMPILE, library)
    assert build.diagnostics == ()
    assert build.content is not None


def test_every_code_of_the_stages_is_planted():
    stages = (*(f"CL0{stage}" for stage in range(1, 9)), "CL10", "CL11", "CL12")
    planted_codes = {plant.code for plant in EVERY}
    assert {code for code in CODES if code.startswith(stages)} - planted_codes == set()
