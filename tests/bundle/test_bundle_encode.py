"""Content -> files: what each file says, and the same bytes wherever they are made."""

import dataclasses
import hashlib
import json
import os
import random
import subprocess
import sys
from pathlib import Path

import pytest
from bundles import CASES, NOTICE, case, content
from hypothesis import given
from hypothesis import strategies as st

from caselock.bundle.card import paragraphs, prose
from caselock.bundle.content import FOLDERS
from caselock.bundle.encode import files
from caselock.bundle.manifest import changed_inputs, make_manifest
from caselock.bundle.merkle import inputs_root
from caselock.bundle.rows import case_digest, opaque_key

FILES = files(content())


def sha256(data):
    return hashlib.sha256(data).hexdigest()


def rows(path):
    return [json.loads(line) for line in FILES[path].splitlines()]


def test_files_of_the_buckets_that_have_cases():
    tables = {f"{folder}/{bucket}.jsonl" for folder in FOLDERS.values() for bucket in ("gold", "challenge")}
    pages = {"bundle.json", "coverage.json", "croissant.json", "model.json", "packs.json", "tools.json"}
    assert set(FILES) == tables | pages | {"bundle.lock", "README.md"}
    assert list(FILES) == sorted(FILES)


def test_manifest_lists_every_other_file_and_the_lock_pins_the_manifest():
    manifest = json.loads(FILES["bundle.json"])
    others = sorted(set(FILES) - {"bundle.json", "bundle.lock"})
    assert manifest["files"] == [
        {"path": path, "sha256": sha256(FILES[path]), "size": len(FILES[path])} for path in others
    ]
    assert manifest["format"] == "caselock-bundle/1"
    assert manifest["buckets"] == {"challenge": 1, "gold": 2}
    assert manifest["inputs"][0] == {"path": "rules/refund.yaml", "sha256": "b" * 64}
    lock = f"support_agent 0.1.0 sha256:{sha256(FILES['bundle.json'])}\n"
    assert FILES["bundle.lock"].decode() == lock


def test_pages_are_sorted_indented_and_not_escaped():
    page = files(content(coverage={"b": "\u20ac", "a": [1]}))["coverage.json"]
    assert page.decode() == '{\n  "a": [\n    1\n  ],\n  "b": "\u20ac"\n}\n'


def test_agent_rows_are_opaque():
    [first, second] = rows("cases/gold.jsonl")
    assert first == {**CASES[0].agent, "key": sha256(b"support_agent\nrefund-standard-001")[:16]}
    assert second["key"] == opaque_key("support_agent", "refund-standard-002")
    for path in ("cases/gold.jsonl", "cases/challenge.jsonl"):
        for secret in ("refund-standard", "gold", "challenge", "fulfil", "escalate", "case_id", "ORD-9"):
            assert secret not in FILES[path].decode()


def test_other_rows_carry_key_and_case_id_and_lineage_the_digest():
    for part in ("world", "simulator", "oracle", "proof"):
        row = rows(f"{FOLDERS[part]}/challenge.jsonl")[0]
        assert row["case_id"] == CASES[2].case_id
        assert row["key"] == rows("cases/challenge.jsonl")[0]["key"]
    parts = {
        "agent": CASES[2].agent, "world": CASES[2].world, "simulator": CASES[2].simulator,
        "oracle": CASES[2].oracle, "proof": CASES[2].proof,
    }  # fmt: skip
    assert rows("lineage/challenge.jsonl")[0]["digest"] == case_digest(parts)


def test_rows_are_in_the_order_of_case_ids_whatever_order_they_come_in():
    assert files(content(cases=CASES[::-1])) == FILES
    assert [row["case_id"] for row in rows("lineage/gold.jsonl")] == [
        "refund-standard-001",
        "refund-standard-002",
    ]


def test_an_empty_bundle_has_no_tables():
    assert not [path for path in files(content(cases=(), inputs={}, tools=[])) if "/" in path]


@pytest.mark.parametrize(
    "changes",
    [
        {"cases": (CASES[0], CASES[0])},
        {"cases": (case("a", "secret"),)},
        {"cases": (case("a", agent={"case_id": "a"}),)},
        {"cases": (case("a", agent={"bucket": "gold"}),)},
        {"cases": (case("a", oracle={"key": "x"}),)},
        {"cases": (case("a", lineage={"digest": "x"}),)},
        {"cases": (case("a", oracle={"amount": 80.0}),)},
        {"coverage": {"share": 0.5}},
        {"pins": {"temperature": 0.5}},
        {"inputs": {"a": "not hex"}},
        {"name": "two words"},
        {"version": "1 0"},
    ],
)
def test_content_that_no_bundle_can_hold_is_refused(changes):
    with pytest.raises((ValueError, TypeError)):
        files(content(**changes))


@given(st.dictionaries(st.text("abc/", min_size=1), st.just("d" * 64)), st.randoms())
def test_the_order_of_the_inputs_does_not_matter(inputs, shuffler):
    items = list(inputs.items())
    shuffler.shuffle(items)
    assert inputs_root(dict(items)) == inputs_root(inputs)
    assert files(content(inputs=dict(items))) == files(content(inputs=inputs))


def test_merkle_tree_is_that_of_rfc_6962():
    def leaf(path, digest):
        return hashlib.sha256(b'\x00["' + path + b'","' + digest + b'"]').digest()

    def node(left, right):
        return hashlib.sha256(b"\x01" + left + right).digest()

    a, b, c = (leaf(name, b"0") for name in (b"a", b"b", b"c"))
    assert inputs_root({}) == sha256(b"")
    assert inputs_root({"a": "0"}) == a.hex()
    assert inputs_root({"b": "0", "a": "0", "c": "0"}) == node(node(a, b), c).hex()
    five = dict.fromkeys("abcde", "0")
    d, e = leaf(b"d", b"0"), leaf(b"e", b"0")
    assert inputs_root(five) == node(node(node(a, b), node(c, d)), e).hex()


@given(st.dictionaries(st.text("ab"), st.sampled_from(["0", "1"]), min_size=1), st.data())
def test_any_changed_input_changes_the_root(inputs, data):
    path = data.draw(st.sampled_from(sorted(inputs)))
    assert inputs_root({**inputs, path: "2"}) != inputs_root(inputs)
    assert inputs_root({other: inputs[other] for other in inputs if other != path}) != inputs_root(inputs)


def test_changed_inputs():
    manifest = make_manifest(content(), {})
    inputs = content().inputs
    assert changed_inputs(manifest, inputs) == []
    now = {**inputs, "rules/refund.yaml": "f" * 64, "rules/new.yaml": "0" * 64}
    del now["spec/project.yaml"]
    assert changed_inputs(manifest, now) == [
        ("rules/new.yaml", "added"),
        ("rules/refund.yaml", "changed"),
        ("spec/project.yaml", "removed"),
    ]


def test_card_says_the_notice_the_counts_the_license_and_how_to_verify():
    card = FILES["README.md"].decode()
    assert f"\n> {NOTICE}\n" in card
    assert "| gold | 2 |\n| challenge | 1 |\n| all | 3 |\n" in card
    assert "license Apache-2.0" in card
    assert '\nlicense: "apache-2.0"\n' in card
    assert "caselock verify ." in card
    assert "# Refund \\*support\\* agent\n" in card


def test_card_without_notice_or_cases():
    card = files(content(notice=None, cases=()))["README.md"].decode()
    assert "\n> " not in card
    assert "configs:" not in card
    assert "| all | 0 |" in card


def test_authored_text_never_formats_the_card():
    card = FILES["README.md"].decode()
    assert "<script>" not in card
    assert "\n\\<script\\>alert(1)\\</script\\> \\[click\\](javascript:x)\n" in card
    assert prose("- a\n# b") == "\\- a \\# b"
    assert prose("12. a 1.5") == "12\\. a 1.5"
    assert prose("{{ 7 * 7 }}\x1b[31m\u202e") == "\\{\\{ 7 \\* 7 \\}\\} \\[31m"
    assert paragraphs("a\nb\n \n\n---\n") == ["a b", "\\---"]
    assert "\n---\n" not in files(content(title='x"\n---\nlicense: mit'))["README.md"].decode().split("# x")[1]


def test_croissant_describes_each_file_and_each_bucket():
    described = json.loads(FILES["croissant.json"])
    assert described["@context"]["@vocab"] == "https://schema.org/"
    assert described["@context"]["cr"] == "http://mlcommons.org/croissant/"
    assert described["conformsTo"] == "http://mlcommons.org/croissant/1.0"
    assert described["license"] == "Apache-2.0"
    assert NOTICE in described["description"]
    assert "date" not in FILES["croissant.json"].decode().lower()
    objects = {entry["@id"]: entry for entry in described["distribution"]}
    assert set(objects) == set(FILES) - {"croissant.json", "bundle.json", "bundle.lock"}
    for path, entry in objects.items():
        assert entry["@type"] == "cr:FileObject"
        assert (entry["contentUrl"], entry["sha256"]) == (path, sha256(FILES[path]))
        assert entry["encodingFormat"]
    assert [entry["@id"] for entry in described["recordSet"]] == ["cases_gold", "cases_challenge"]
    for record_set in described["recordSet"]:
        assert record_set["key"]["@id"] in [field["@id"] for field in record_set["field"]]
        for field in record_set["field"]:
            assert field["dataType"] == "sc:Text"
            path, column = field["source"]["fileObject"]["@id"], field["source"]["extract"]["column"]
            assert all(isinstance(row[column], str) for row in rows(path))


def test_same_bytes_in_any_process():
    program = (
        "import hashlib, json, os, sys; sys.path.insert(0, sys.argv[1]); os.umask(int(sys.argv[2], 8))\n"
        "from bundles import content; from caselock.bundle.encode import files\n"
        "print(json.dumps({path: hashlib.sha256(raw).hexdigest() for path, raw in files(content()).items()}))"
    )
    here = str(Path(__file__).parent)
    expected = {path: sha256(raw) for path, raw in FILES.items()}
    for seed, cwd, umask, locale in (("1", "/", "077", "C"), ("2", here, "000", "C.UTF-8")):
        environment = {**os.environ, "PYTHONHASHSEED": seed, "LC_ALL": locale, "TZ": "Asia/Tokyo"}
        command = [sys.executable, "-c", program, here, umask]
        done = subprocess.run(command, cwd=cwd, env=environment, capture_output=True, text=True, check=True)
        assert json.loads(done.stdout) == expected


def test_the_order_of_keys_in_a_part_does_not_matter():
    def shuffled(part):
        items = list(part.items())
        random.Random(7).shuffle(items)
        return dict(items)

    cases = tuple(dataclasses.replace(case, agent=shuffled(case.agent), world=shuffled(case.world)) for case in CASES)
    assert files(content(cases=cases)) == FILES
