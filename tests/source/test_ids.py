"""Ids that read alike: other scripts, and names that differ only by case."""

import shutil
from pathlib import Path

import pytest

from caselock.diagnostics import in_order
from caselock.spec.load import load_workspace
from caselock.spec.resolve import resolve

LIBRARY = Path(__file__).parents[1] / "workspaces" / "library"
TOOL = (LIBRARY / "spec/tools/get_loan.yaml").read_text()
ROWS = {
    "a tool": ("spec/tools/other.yaml", None, TOOL.replace("tool: get_loan", "tool: Get_Loan"), "CL0209"),
    "a slot": ("spec/goals/renew_loan.yaml", "slots:\n", "slots:\n  Days: {type: integer}\n", "CL0209"),
    "a field": ("spec/world/records.yaml", "remark: {", "REMARK: {type: string}\n        remark: {", "CL0209"),
    "a field in Cyrillic": ("spec/world/records.yaml", "remark: {", "rem\u0430rk: {type: string}\n        remark: {",
                            "CL0210"),
    "a record": ("spec/world/desk.yaml", "L-101: {", "l-101: {}\n    L-101: {", "CL0209"),
    "a record in Cyrillic": ("spec/world/desk.yaml", "L-101: {", "\u041b-101: {}\n    L-101: {", "CL0210"),
    "an ordinary record": ("spec/world/desk.yaml", "L-101: {", "L-901: {}\n    L-101: {", None),
}  # fmt: skip


@pytest.mark.parametrize(("file", "old", "new", "code"), ROWS.values(), ids=ROWS)
def test_ids_that_read_alike_are_findings(tmp_path, file, old, new, code):
    root = Path(shutil.copytree(LIBRARY, tmp_path / "library"))
    text = "" if old is None else (root / file).read_text()
    assert old is None or old in text
    (root / file).write_text(new if old is None else text.replace(old, new, 1))
    workspace, findings, _ = load_workspace(root)
    assert findings == ()
    found = [finding for finding in in_order(resolve(workspace)) if finding.code in ("CL0209", "CL0210")]
    assert [finding.code for finding in found] == ([] if code is None else [code])
    assert all(finding.span.file == file or finding.related[0].span.file == file for finding in found)
    assert all(finding.related for finding in found if finding.code == "CL0209")
