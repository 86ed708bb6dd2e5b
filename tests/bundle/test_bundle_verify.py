"""A bundle folder -> findings: nothing when it is whole, and something for any change at all."""

import json
import os
import shutil
import tempfile
from pathlib import Path

import pytest
from bundles import CASES, case, content
from hypothesis import given, settings
from hypothesis import strategies as st

from caselock.bundle.encode import files
from caselock.bundle.json_forms import line, page
from caselock.bundle.manifest import changed_inputs
from caselock.bundle.read import read, read_manifest, verify
from caselock.bundle.rows import case_digest
from caselock.source.canonical import sha256_hex

FILES = files(content())
PATHS = sorted(FILES)


def lay(folder, data):
    for path, raw in data.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_bytes(raw)
    return folder


def relocked(data, **changes):
    """The same files with bundle.json and bundle.lock made anew: what an attacker would publish."""
    manifest = json.loads(FILES["bundle.json"])
    manifest["files"] = [
        {"path": path, "sha256": sha256_hex(raw), "size": len(raw)}
        for path, raw in sorted(data.items())
        if path not in ("bundle.json", "bundle.lock")
    ]
    manifest.update(changes)
    raw = page(manifest)
    lock = f"{manifest['name']} {manifest['version']} sha256:{sha256_hex(raw)}\n".encode()
    return {**data, "bundle.json": raw, "bundle.lock": lock}


def row(path, number=0):
    return json.loads(FILES[path].splitlines()[number])


def codes(folder):
    return sorted({finding.code for finding in verify(folder)})


@pytest.fixture
def bundle(tmp_path):
    return lay(tmp_path / "generated", FILES)


def test_a_whole_bundle_reads_back(bundle):
    read_back, findings = read(bundle)
    assert findings == ()
    by_id = {case.case_id: case for case in CASES}
    assert {case.case_id: case for case in read_back.cases} == by_id
    assert read_back.digest == sha256_hex(FILES["bundle.json"])
    assert read_back.tools == content().tools
    assert read_back.manifest.pins == content().pins
    assert changed_inputs(read_back.manifest, content().inputs) == []


def test_an_empty_bundle_is_whole(tmp_path):
    assert verify(lay(tmp_path, files(content(cases=())))) == ()


@pytest.mark.parametrize(
    ("packs", "code"),
    [
        ({"smoke": ["refund-standard-009"]}, "CL0919"),
        ({"smoke": ["refund-standard-002", "refund-standard-001"]}, "CL0919"),
        ({"smoke": ["refund-standard-001", "refund-standard-001"]}, "CL0919"),
        ({"full": ["refund-standard-001"]}, "CL0919"),
        ({"smoke": "refund-standard-001"}, "CL0909"),
        ({"smoke": [1]}, "CL0909"),
    ],
)
def test_a_pack_is_a_list_of_cases_of_the_bundle(tmp_path, packs, code):
    assert codes(lay(tmp_path, relocked({**FILES, "packs.json": page(packs)}))) == [code]


def test_relocking_without_a_change_is_no_change():
    assert relocked(FILES) == FILES


def changed(draw):
    data = dict(FILES)
    path = draw(st.sampled_from(PATHS))
    kind = draw(st.sampled_from(["byte", "byte", "delete", "add", "swap", "insert", "cut"]))
    raw = data[path]
    at = draw(st.integers(0, len(raw) - 1))
    if kind == "byte":
        byte = draw(st.integers(1, 255))
        data[path] = raw[:at] + bytes([raw[at] ^ byte]) + raw[at + 1 :]
    elif kind == "delete":
        del data[path]
    elif kind == "insert":
        data[path] = raw[:at] + draw(st.binary(min_size=1, max_size=3)) + raw[at:]
    elif kind == "cut":
        data[path] = raw[:at]
    elif kind == "swap":
        lines = raw.splitlines(keepends=True)
        one, other = draw(st.integers(0, len(lines) - 1)), draw(st.integers(0, len(lines) - 1))
        lines[one], lines[other] = lines[other], lines[one]
        data[path] = b"".join(lines)
    else:
        folder = draw(st.sampled_from(["", ".", "cases/", "cases/.", "new/deep/", "bundle.json."]))
        data[f"{folder}{draw(st.text('abcXY.~-', min_size=1, max_size=5))}x"] = draw(st.binary(max_size=4))
    return data


@settings(max_examples=200, deadline=None)
@given(st.composite(changed)())
def test_any_change_is_found(data):
    with tempfile.TemporaryDirectory() as folder:
        found = verify(lay(Path(folder), data))
    assert (found == ()) == (data == FILES)


@pytest.mark.parametrize("path", PATHS)
def test_every_file_is_needed_and_pinned(bundle, path):
    (bundle / path).write_bytes(FILES[path] + b" ")
    assert verify(bundle)
    (bundle / path).unlink()
    assert codes(bundle) == (["CL0901"] if path == "bundle.json" else ["CL0902"])


def test_a_changed_oracle_names_the_file_and_the_case(bundle):
    oracle = bundle / "oracles/challenge.jsonl"
    oracle.write_bytes(oracle.read_bytes().replace(b"escalate", b"fulfil"))
    assert [(str(finding.span), finding.code) for finding in verify(bundle)] == [
        ("lineage/challenge.jsonl:1:1", "CL0912"),
        ("oracles/challenge.jsonl:1:1", "CL0904"),
    ]


@pytest.mark.parametrize(
    "lock", [b"", b"support_agent 0.2.0 sha256:", b"x" * 2**20, FILES["bundle.lock"].replace(b"\n", b"\r\n")]
)
def test_a_lock_of_another_bundle_is_found(bundle, lock):
    (bundle / "bundle.lock").write_bytes(lock)
    assert codes(bundle) == ["CL0905"]


@pytest.mark.parametrize("path", ["note.txt", ".hidden", "cases/.x", "a/b/c", "cases/hidden.jsonl", "\udcff", "a\\b"])
def test_extra_files_are_found(bundle, path):
    lay(bundle, {path: b"{}\n"})
    assert "CL0903" in codes(bundle)


def test_empty_folders_links_and_pipes_are_found(bundle):
    (bundle / "empty").mkdir()
    assert codes(bundle) == ["CL0903"]
    (bundle / "empty").rmdir()
    os.mkfifo(bundle / "pipe")
    assert codes(bundle) == ["CL0906"]
    (bundle / "pipe").unlink()
    model = bundle / "model.json"
    model.rename(bundle.parent / "model.json")
    model.symlink_to(bundle.parent / "model.json")
    assert "CL0906" in codes(bundle)
    model.unlink()
    (bundle.parent / "model.json").rename(model)
    shutil.move(bundle / "cases", bundle.parent / "cases")
    (bundle / "cases").symlink_to(bundle.parent / "cases")
    assert "CL0906" in codes(bundle)


def test_a_huge_file_is_not_read(bundle):
    with open(bundle / "model.json", "r+b") as stream:
        stream.truncate(10 * 1024**3)
    assert "CL0915" in codes(bundle)


def test_very_many_files_are_not_read(bundle):
    for number in range(1_001):
        (bundle / f"x{number}").touch()
    found = verify(bundle)
    assert "CL0915" in {finding.code for finding in found}
    assert len(found) < 2_000


def test_no_bundle(tmp_path):
    assert codes(tmp_path) == ["CL0901"]
    assert codes(tmp_path / "nowhere") == ["CL0901"]
    (tmp_path / "file").touch()
    assert codes(tmp_path / "file") == ["CL0901"]


# What someone could publish with a lock that fits: (what is changed, the codes that are found).
GOLD = [row("oracles/gold.jsonl", number) for number in (0, 1)]
FORGED = {
    "duplicate key": ({"oracles/gold.jsonl": b'{"a":1,"a":2}\n' * 2}, {"CL0907", "CL0911"}),
    "float": ({"model.json": b'{\n  "a": 1.5\n}\n'}, {"CL0907"}),
    "nan": ({"model.json": b'{\n  "a": NaN\n}\n'}, {"CL0907"}),
    "deep page": ({"model.json": b"[" * 100_000 + b"]" * 100_000}, {"CL0907"}),
    "too deep for canonical": ({"model.json": b'{"a":' * 200 + b"1" + b"}" * 200}, {"CL0907"}),
    "large number": ({"model.json": b'{\n  "a": 9007199254740992\n}\n'}, {"CL0907"}),
    "enormous number": ({"model.json": b'{\n  "a": ' + b"9" * 5_000 + b"\n}\n"}, {"CL0907"}),
    "lone surrogate": ({"model.json": b'{\n  "\\ud800": 1\n}\n'}, {"CL0907"}),
    "latin-1": ({"model.json": b'{\n  "a": "\xe9"\n}\n'}, {"CL0907"}),
    "byte order mark": ({"model.json": b"\xef\xbb\xbf{}\n"}, {"CL0907"}),
    "not JSON": ({"coverage.json": b"{,}\n"}, {"CL0907"}),
    "empty page": ({"coverage.json": b""}, {"CL0907"}),
    "compact page": ({"coverage.json": b'{"cases":3}\n'}, {"CL0908"}),
    "wrong page": ({"tools.json": b"{}\n", "model.json": b"[]\n"}, {"CL0909"}),
    "spaced line": (
        {"oracles/gold.jsonl": FILES["oracles/gold.jsonl"].replace(b":", b": ", 1)},
        {"CL0908", "CL0911"},
    ),
    "no last line feed": ({"oracles/gold.jsonl": FILES["oracles/gold.jsonl"][:-1]}, {"CL0908"}),
    "empty table": ({"oracles/gold.jsonl": b""}, {"CL0911", "CL0913"}),
    "blank line": ({"oracles/gold.jsonl": FILES["oracles/gold.jsonl"] + b"\n"}, {"CL0907", "CL0913"}),
    "row is a list": ({"oracles/gold.jsonl": b"[]\n[]\n"}, {"CL0909", "CL0911"}),
    "row of wrong types": ({"oracles/gold.jsonl": b'{"case_id":1,"key":{}}\n' * 2}, {"CL0909", "CL0911"}),
    "same row twice": ({"oracles/gold.jsonl": line(GOLD[0]) * 2}, {"CL0910", "CL0911"}),
    "rows in another order": ({"oracles/gold.jsonl": line(GOLD[1]) + line(GOLD[0])}, {"CL0911"}),
    "agent rows in another order": (
        {"cases/gold.jsonl": b"".join(line(row("cases/gold.jsonl", number)) for number in (1, 0))},
        {"CL0911"},
    ),
    "another's case id": (
        {"oracles/gold.jsonl": line(GOLD[0]) + line({**GOLD[1], "case_id": "refund-standard-009"})},
        {"CL0911"},
    ),
    "another outcome": (
        {"oracles/gold.jsonl": line({**GOLD[0], "outcome": "refuse"}) + line(GOLD[1])},
        {"CL0912"},
    ),
    "agent sees its case id": (
        {"cases/challenge.jsonl": line({**row("cases/challenge.jsonl"), "case_id": "x"})},
        {"CL0909", "CL0911"},
    ),
    "uncounted bucket": ({"cases/hidden.jsonl": b"{}\n"}, {"CL0913"}),
    "no card": ({"README.md": None}, {"CL0902"}),
    "no oracles": ({"oracles/gold.jsonl": None}, {"CL0902"}),
}  # fmt: skip


@pytest.mark.parametrize("name", FORGED)
def test_a_forged_file_is_found_in_spite_of_its_lock(tmp_path, name):
    changes, expected = FORGED[name]
    data = {path: raw for path, raw in {**FILES, **changes}.items() if raw is not None}
    assert set(codes(lay(tmp_path, relocked(data)))) == expected


def test_a_case_in_two_buckets_is_found(tmp_path):
    one = files(content(cases=(CASES[0],)))
    two = files(content(cases=(case(CASES[0].case_id, "coverage"),)))
    data = relocked({**two, **one}, buckets={"coverage": 1, "gold": 1})
    assert codes(lay(tmp_path, data)) == ["CL0910"]


def test_a_key_of_another_bundle_is_found(tmp_path):
    data = relocked(files(content(name="another")), name="support_agent")
    assert codes(lay(tmp_path, data)) == ["CL0911"]


MANIFESTS = {
    "wrong count": ({"buckets": {"gold": 3, "challenge": 1}}, {"CL0913"}),
    "zero count": ({"buckets": {"gold": 2, "challenge": 1, "hidden": 0}}, {"CL0909"}),
    "bool count": ({"buckets": {"gold": True}}, {"CL0909"}),
    "unknown bucket": ({"buckets": {"../../etc": 1}}, {"CL0909"}),
    "buckets is a list": ({"buckets": ["gold"]}, {"CL0909"}),
    "other root": ({"inputs_root": "0" * 64}, {"CL0914"}),
    "no inputs": ({"inputs": []}, {"CL0914"}),
    "inputs twice": ({"inputs": [{"path": "a", "sha256": "0" * 64}] * 2}, {"CL0909", "CL0914"}),
    "files twice": ({"files": [{"path": "README.md", "sha256": "0" * 64, "size": 1}] * 2},
                    {"CL0902", "CL0903", "CL0904", "CL0909"}),
    "path out of the bundle": (
        {"files": [{"path": "../x", "sha256": "0" * 64, "size": 1}]},
        {"CL0902", "CL0903"},
    ),
    "numbers everywhere": (dict.fromkeys(["inputs", "files", "pins", "name", "version"], 1), {"CL0909"}),
    "another format": ({"format": "caselock-bundle/9"}, {"CL0918"}),
    "format is a list": ({"format": []}, {"CL0918"}),
    "unknown key": ({"signed": True}, {"CL0909"}),
    "name with a line feed": ({"name": "a\n"}, {"CL0909"}),
    "path is NUL": ({"files": [{"path": "\0", "sha256": "0" * 64, "size": 1}]}, {"CL0902", "CL0903"}),
}  # fmt: skip


@pytest.mark.parametrize("name", MANIFESTS)
def test_a_forged_manifest_is_found_in_spite_of_its_lock(tmp_path, name):
    changes, expected = MANIFESTS[name]
    assert set(codes(lay(tmp_path, relocked(FILES, **changes)))) == expected


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.text() | st.floats(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=6,
)


@settings(max_examples=60, deadline=None)
@given(st.sampled_from(PATHS), JSON | st.binary(max_size=40))
def test_no_content_of_a_file_ends_in_a_traceback(path, value):
    raw = value if isinstance(value, bytes) else json.dumps(value, indent=2).encode() + b"\n"
    with tempfile.TemporaryDirectory() as folder:
        assert verify(lay(Path(folder), {**FILES, path: raw})) or raw == FILES[path]
    with tempfile.TemporaryDirectory() as folder:
        found = verify(lay(Path(folder), {**relocked({**FILES, path: raw}), path: raw}))
        assert found or "/" not in path


@settings(max_examples=60, deadline=None)
@given(st.sampled_from(sorted(json.loads(FILES["bundle.json"]))), JSON)
def test_no_value_in_the_manifest_ends_in_a_traceback(key, value):
    manifest = {**json.loads(FILES["bundle.json"]), key: value}
    with tempfile.TemporaryDirectory() as folder:
        raw = json.dumps(manifest, indent=2, sort_keys=True, ensure_ascii=True).encode() + b"\n"
        assert verify(lay(Path(folder), {**FILES, "bundle.json": raw})) or raw == FILES["bundle.json"]


def test_messages_quote_hostile_text_in_part(tmp_path):
    rows = line({**GOLD[0], "case_id": "x" * 100_000}) + line(GOLD[1])
    for finding in verify(lay(tmp_path, relocked({**FILES, "oracles/gold.jsonl": rows}))):
        assert len(finding.message) < 400


def test_very_many_findings_are_counted(tmp_path):
    data = relocked({**FILES, "oracles/gold.jsonl": b"x\n" * 5_000})
    found = [finding for finding in verify(lay(tmp_path, data)) if finding.span.file == "oracles/gold.jsonl"]
    assert len(found) == 101
    assert "more findings" in found[-1].message


def test_the_manifest_alone_can_be_read(bundle):
    (bundle / "model.json").unlink()
    manifest, findings = read_manifest(bundle)
    assert findings == ()
    assert manifest.name == "support_agent"
    (bundle / "bundle.json").write_bytes(b"[]\n")
    assert read_manifest(bundle)[0] is None


def test_the_digest_of_a_case_covers_each_part_but_lineage():
    parts = {"agent": {}, "world": {}, "simulator": {}, "oracle": {}, "proof": {}, "lineage": {}}
    for part in parts:
        assert (case_digest({**parts, part: {"x": 1}}) == case_digest(parts)) == (part == "lineage")
