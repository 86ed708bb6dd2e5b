"""`caselock trace CASE`: a compiled case -> its story, from the seed to the plan."""

from caselock.cli.cases import View, case_command


def _views() -> dict[str, View]:
    from caselock.views.cases import story_json, story_text

    return {"text": story_text, "json": story_json}


command = case_command(
    "trace",
    "Tell the story of a compiled case: seed, each change, the facts, the rules that hit, and the plan.",
    _views,
)
