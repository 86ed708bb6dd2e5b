"""Records that a fixture keeps in a file of their own, named by path and digest."""

import hashlib
import json
import os
import re
import shutil
from pathlib import Path

import pytest

from caselock.diagnostics import Severity, in_order
from caselock.pipeline import CHECK, COMPILE, run
from caselock.source.document import read_document

LIBRARY = Path(__file__).parents[1] / "workspaces" / "library"
DESK = "spec/world/desk.yaml"
READERS = "data/readers.json"


def digest(text):
    return hashlib.sha256(text.encode()).hexdigest()


@pytest.fixture
def records():
    """The readers of the library as JSON."""
    document, _ = read_document(LIBRARY, DESK)
    return json.dumps(document.data["world"]["readers"], indent=1, default=str)


@pytest.fixture
def library(tmp_path):
    return Path(shutil.copytree(LIBRARY, tmp_path / "library"))


def move_out(root, content, path=READERS, sha256=None, write=True):
    """Name a file in place of the readers, whose content is then free."""
    text = (root / DESK).read_text()
    block = re.compile(r"  readers:\n(?:    .*\n)+")
    assert block.search(text)
    reference = f"  readers: {{path: '{path}', sha256: '{sha256 or digest(content)}'}}\n"
    (root / DESK).write_text(block.sub(lambda _: reference, text))
    if write:
        (root / path).parent.mkdir(exist_ok=True)
        (root / path).write_text(content)


def errors(root):
    found = in_order(run(CHECK, root).diagnostics)
    return [(item.code, str(item.span)) for item in found if item.severity is Severity.ERROR]


def test_records_in_a_file_of_their_own_compile_to_the_same_cases(library, records):
    inside = run(COMPILE, library).content
    move_out(library, records)
    outside = run(COMPILE, library).content
    assert outside.cases == inside.cases
    assert outside.model == inside.model
    assert outside.inputs[READERS] == digest(records)
    assert outside.inputs.keys() - inside.inputs.keys() == {READERS}


def test_yaml_serves_as_well(library):
    move_out(library, "P100: {name: Ada, fees_owed: 0.00}\n", path="data/readers.yaml")
    assert [code for code, _ in errors(library)] != ["CL0413"]


def place(root, text):
    content = (root / DESK).read_text()
    before = content[: content.index(text)]
    return f"{DESK}:{before.count(chr(10)) + 1}:{len(before) - before.rfind(chr(10))}"


def test_another_digest_is_refused(library, records):
    move_out(library, records, sha256="0" * 64)
    assert errors(library) == [("CL0414", place(library, "'" + "0" * 64))]


@pytest.mark.parametrize(
    ("path", "code"),
    [("../readers.json", "CL0007"), ("/etc/passwd", "CL0007"), ("data/../../x", "CL0007"), ("data/gone.json", "CL0413"),
     ("data", "CL0413"), ("spec", "CL0413"), ("data/r\u00e4.json", "CL0413")],
)  # fmt: skip
def test_a_file_that_leaves_or_cannot_be_read_is_refused_where_it_is_named(library, records, path, code):
    (library.parent / "readers.json").write_text(records)
    move_out(library, records, path=path, write=False)
    assert errors(library) == [(code, place(library, f"'{path}'"))]


def test_links_and_pipes_are_refused(library, records):
    move_out(library, records)
    (library / READERS).rename(library / "data/real.json")
    (library / READERS).symlink_to("real.json")
    assert errors(library) == [("CL0413", place(library, f"'{READERS}'"))]
    (library / READERS).unlink()
    (library / READERS).symlink_to(library.parent)
    assert errors(library) == [("CL0007", place(library, f"'{READERS}'"))]
    (library / READERS).unlink()
    os.mkfifo(library / READERS)
    assert errors(library) == [("CL0413", place(library, f"'{READERS}'"))]


@pytest.mark.parametrize(
    ("content", "code", "where"),
    [('{"P100": 1}', "CL0415", ":1:10"), ("[1]", "CL0415", ":1:1"), ('{"P100": {}, "P100": {}}', "CL0021", ":1:14"),
     ('{"P100": &a {}}', "CL0022", ":1:10"), ("", "CL0029", ":1:1"), ("\0", "CL0013", ":1:1")],
)  # fmt: skip
def test_the_file_is_read_strictly_at_its_own_places(library, content, code, where):
    move_out(library, content)
    assert errors(library) == [(code, f"{READERS}{where}")]


def test_a_record_that_breaks_its_schema_is_found_in_its_file(library, records):
    name = next(iter(json.loads(records)))
    bad = '{"' + name + '":\n  {"no_such_field": 1}}'
    move_out(library, bad)
    assert ("CL0401", f"{READERS}:2:21") in errors(library)


def test_more_records_fit_than_in_a_workspace_file(library, records):
    more = json.loads(records)
    first = next(iter(more.values()))
    more |= {f"P{n:06}": first for n in range(30_000)}
    content = json.dumps(more, default=str)
    assert len(content) > 1024 * 1024
    move_out(library, content)
    assert "CL0413" not in {code for code, _ in errors(library)}


@pytest.mark.parametrize(
    ("reference", "code"),
    [("{path: data/a.json}", "CL0102"), ("{path: data/a.json, sha256: 1}", "CL0103"),
     ("{path: data/a.json, sha256: zz}", "CL0105"), ("{path: data/a.json, sha: zz}", "CL0101"),
     ("data.json", "CL0103")],
)  # fmt: skip
def test_a_reference_has_its_shape(library, records, reference, code):
    move_out(library, records, write=False)
    text = (library / DESK).read_text()
    (library / DESK).write_text(re.sub(r"  readers: .*\n", f"  readers: {reference}\n", text))
    assert code in {found for found, place in errors(library) if place.startswith(DESK)}
