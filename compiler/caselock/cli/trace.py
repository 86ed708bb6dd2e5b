"""`caselock trace CASE`: a compiled case -> its story, from the seed to the plan."""

from caselock.cli.cases import case_command

command = case_command(
    "trace",
    "Tell the story of a compiled case: seed, each change, the facts, the rules that hit, and the plan.",
    "story",
)
