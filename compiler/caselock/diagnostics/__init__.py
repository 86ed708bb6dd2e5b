"""What caselock says about a workspace: places, codes, findings and their report."""

from caselock.diagnostics.code import CodeInfo, Severity
from caselock.diagnostics.codes import CODES
from caselock.diagnostics.diagnostic import Diagnostic, Related, yaml_path
from caselock.diagnostics.nearest import nearest
from caselock.diagnostics.report import counts, exit_status, in_order
from caselock.diagnostics.span import Span

__all__ = [
    "CODES",
    "CodeInfo",
    "Diagnostic",
    "Related",
    "Severity",
    "Span",
    "counts",
    "exit_status",
    "in_order",
    "nearest",
    "yaml_path",
]
