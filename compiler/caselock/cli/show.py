"""`caselock show CASE`: a compiled case -> its contract in three views."""

from caselock.cli.cases import case_command

command = case_command(
    "show",
    "Show the contract of a compiled case: what the agent sees, what the environment knows, what the grader checks.",
    "contract",
)
