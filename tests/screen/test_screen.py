"""Secrets and personal data: what is found, what is let pass, and that hostile text costs no more than it is long."""

import shutil
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from caselock.pipeline import CHECK, run
from caselock.screen.detect import detect

LIBRARY = Path(__file__).parents[1] / "workspaces" / "library"
DESK = "spec/world/desk.yaml"
TOKEN = "ghp_" + "aB3dE5gH7jK9mN1pQ3sT5vW7yZ9bC1eF3gH5"  # put together here, so that this file holds none


def found(text):
    return [(hit.secret, hit.kind, text[hit.start : hit.end]) for hit in detect(text)]


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        (f"remark: use {TOKEN} here", "GitHub Token"),
        ("-----BEGIN RSA PRIVATE" + " KEY-----", "Private Key"),
        ("see https://clerk:" + "open-sesame@desk.example.com/", "Basic Auth Credentials"),
        ("AKIA" + "IOSFODNN7EXAMPLE", "AWS Access Key"),
    ],
)
def test_a_secret_is_found(text, kind):
    assert (True, kind) in [(secret, name) for secret, name, _ in found(text)]


@pytest.mark.parametrize(
    ("text", "kind", "part"),
    [
        ("write to ada@lovelace.name soon", "e-mail address", "ada@lovelace.name"),
        ("call +49 30 901820 now", "telephone number", "+49 30 901820"),
        ("card 4111 1111 1111 1111.", "payment card", "4111 1111 1111 1111"),
        ("to DE89 3704 0044 0532 0130 00, please", "bank account", "DE89 3704 0044 0532 0130 00"),
    ],
)
def test_personal_data_is_found_at_its_characters(text, kind, part):
    assert found(text) == [(False, kind, part)]


@pytest.mark.parametrize(
    "text",
    [
        "ada@example.com, ada@desk.example, ada@mail.test",
        "sha256: 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
        "order A1024 of C009, 80.00 on 2026-08-01T09:00:00Z, refund R-6F0E83A2",
        "refund_seed_01+status-values@status.closed, refund_seed_01+paid-at-boundary@late.at",
        "1111 1111 1111 1111",
        "4111 1111 1111 1112",
        "say: {order_id} and {amount}",
    ],
)
def test_test_data_is_let_pass(text):
    assert found(text) == []


@given(st.text(max_size=200))
def test_any_text_can_be_screened(text):
    for hit in detect(text):
        assert 0 <= hit.start < hit.end <= len(text)


@pytest.mark.parametrize(
    "piece", ["a://", "a@", "@", "1 ", "eyJ", "://a:a", "+1 ", "AKIA", "-----BEGIN ", "a.", "DE89 "]
)
def test_hostile_text_costs_no_more_than_it_is_long(piece):
    started = time.process_time()
    list(detect(piece * (60_000 // len(piece))))
    assert time.process_time() - started < 10  # a bound against blow-ups, not a speed


@pytest.fixture
def library(tmp_path):
    return Path(shutil.copytree(LIBRARY, tmp_path / "library"))


def planted(library, text, policy=None):
    path = library / DESK
    path.write_text(path.read_text() + f"# {text}\n")
    if policy is not None:
        (library / "spec/policies/privacy.yaml").write_text(policy)
    return sorted((item.code, item.span.file) for item in run(CHECK, library).diagnostics)


ALLOW = "privacy: desk\nowner: lending\nallow:\n  - {{{what}, reason: Invented by the source., approved_by: clerk_b}}\n"


@pytest.mark.parametrize("what", ["text: ada@lovelace.name", f"path: {DESK}", f"text: ada@lovelace.name, path: {DESK}"])
def test_personal_data_is_allowed_by_name_or_by_file(library, what):
    assert planted(library, "ada@lovelace.name") == [("CL0051", DESK)]
    assert planted(library, "and again", ALLOW.format(what=what)) == []


@pytest.mark.parametrize("what", ["text: bob@lovelace.name", "path: spec/project.yaml"])
def test_another_allowance_allows_nothing_and_is_unused(library, what):
    policy = "spec/policies/privacy.yaml"
    assert planted(library, "ada@lovelace.name", ALLOW.format(what=what)) == [("CL0051", DESK), ("CL0204", policy)]


def test_no_allowance_lets_a_secret_pass(library):
    assert ("CL0050", DESK) in planted(library, TOKEN, ALLOW.format(what=f"path: {DESK}"))
