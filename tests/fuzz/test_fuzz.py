"""Nothing that strangers send ends in an exception, hangs, runs, or writes: 500 files here, 10,000 by a benchmark."""

from pathlib import Path
from random import Random

import pytest
from campaign import LIBRARY, REPOSITORY, WATCH, Figures, _try, campaign
from hypothesis import given, settings
from hypothesis import strategies as st
from mutations import AS_DATA, AS_TEXT, emit, mutate

from caselock.source.document import read_document
from caselock.source.yaml_reader import parse_text
from caselock.spec.load import validate_files

FILES, SEED, BOUND = 500, 20261130, 30
PATHS = sorted(path.relative_to(LIBRARY).as_posix() for path in LIBRARY.rglob("*.yaml"))
DOCUMENTS = {path: read_document(LIBRARY, path)[0] for path in PATHS}
DATA = [document.data for document in DOCUMENTS.values()]


def test_mutated_workspaces_end_in_findings_or_cases(tmp_path):
    for figures in campaign(FILES, SEED, tmp_path):  # noqa: B007 - the last figures are the sum
        pass
    assert figures.exceptions == []
    assert figures.effects == []
    assert figures.files >= FILES
    assert figures.slowest[0] < BOUND
    assert figures.findings > FILES
    assert figures.compiled > 0
    assert not list(tmp_path.rglob("*pwned*"))
    assert not (REPOSITORY / "pwned").exists()
    assert not Path("pwned").exists()


@given(st.randoms(use_true_random=False), st.sampled_from(PATHS))
@settings(max_examples=200)
def test_a_mutated_file_is_read_whole_or_has_findings_in_it(rng, path):
    document = DOCUMENTS[path]
    raw = mutate(rng, document.text.encode(), document.data, DATA)
    read, findings = parse_text(path, raw)
    assert (read is None) == bool(findings)
    if read is not None:
        _, findings = validate_files({path: read})
    text = raw.decode("utf-8", "replace")
    for finding in findings:
        assert finding.span.file == path
        assert 1 <= finding.span.line <= text.count("\n") + 1
        assert (finding.span.line, finding.span.column) <= (finding.span.end_line, finding.span.end_column)


@given(st.binary(max_size=200))
def test_bytes_of_any_kind_are_read_or_refused(raw):
    document, findings = parse_text("rules/x.yaml", raw)
    assert (document is None) == bool(findings)


@pytest.mark.parametrize("change", [*AS_TEXT, *AS_DATA])
def test_every_mutator_changes_files(change):
    rng = Random(1)
    changed = 0
    for document in DOCUMENTS.values():
        if change in AS_TEXT:
            changed += change(rng, document.text.encode()) != document.text.encode()
        else:
            whole = parse_text("x", emit(document.data))[0].data
            changed += emit(change(rng, whole, DATA)) != emit(document.data)
    assert changed > len(DOCUMENTS) / 3


def test_the_campaign_notes_exceptions_and_effects(tmp_path):
    def fails(build):
        raise KeyError("planted")

    def writes(build):
        (build.root / "pwned").write_text("x")
        return build

    def reads(build):
        Path("/etc/hostname").exists()
        open("/etc/passwd").close()
        return build

    figures = Figures()
    for number, planted in enumerate((fails, writes, reads)):
        _try(figures, tmp_path, (planted,), f"0/{number}")
    assert [line.split(" at ")[0] for line in figures.exceptions] == ["0/0: KeyError"]
    assert [line.split()[1] for line in figures.effects] == ["write", "read"]
    assert WATCH.root is None
