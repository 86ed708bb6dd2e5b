"""`caselock show CASE`: a compiled case -> its contract in three views."""

from caselock.cli.cases import View, case_command


def _views() -> dict[str, View]:
    from caselock.views.cases import contract_json, contract_text

    return {"text": contract_text, "json": contract_json}


command = case_command(
    "show",
    "Show the contract of a compiled case: what the agent sees, what the environment knows, what the grader checks.",
    _views,
)
