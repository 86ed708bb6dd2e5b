"""A compiled case of a bundle -> its contract in three views, and its story from seed to plan."""

from __future__ import annotations

import json
import textwrap
from collections.abc import Iterator
from typing import Any

from caselock.bundle.content import CaseParts
from caselock.views.dialogue import disclosure, told
from caselock.views.escape import visible

_WIDTH = 100


def contract_json(case: CaseParts) -> str:
    """The three views as JSON: what the agent sees, what the environment and the user know, what the grader checks."""
    views = {
        "case_id": case.case_id,
        "bucket": case.bucket,
        "agent": case.agent,
        "environment": case.world,
        "simulator": case.simulator,
        "oracle": case.oracle,
    }
    return json.dumps(views, indent=2) + "\n"


def contract_text(case: CaseParts) -> str:
    """The three views for people."""
    lines = [
        f"{case.case_id}  ({case.bucket})",
        "",
        *_section("what the agent sees", case.agent),
        *_section("what the environment and the user know", {**case.world, "simulator": case.simulator}),
        *_section("what the grader checks", case.oracle),
    ]
    return "\n".join(visible(line) for line in lines) + "\n"


def _section(title: str, value: dict[str, Any]) -> Iterator[str]:
    yield title
    yield "-" * len(title)
    for name, item in value.items():
        yield from _item(name, item, 0)
    yield ""


def _item(name: str, value: Any, depth: int) -> Iterator[str]:
    pad = "  " * (depth + 1)
    if isinstance(value, dict) and value:
        yield f"{pad}{name}:"
        for key, item in value.items():
            yield from _item(key, item, depth + 1)
    elif isinstance(value, list) and any(isinstance(item, dict | list) for item in value):
        yield f"{pad}{name}:"
        for index, item in enumerate(value, 1):
            yield from _item(str(index), item, depth + 1)
    else:
        yield f"{pad}{name}: {_scalar(value)}"


def _scalar(value: Any) -> str:
    match value:
        case None:
            return "none"
        case bool():
            return "yes" if value else "no"
        case list():
            return ", ".join(_scalar(item) for item in value) or "none"
        case {}:
            return "none"
        case _:
            return str(value)


def story_json(case: CaseParts) -> str:
    """The story as JSON: lineage, decisions with facts and rules, and the plan with what it led to."""
    story = {
        "case_id": case.case_id,
        "bucket": case.bucket,
        "lineage": case.lineage,
        "opening": case.agent["opening"],
        "user": case.simulator["requests"],
        "requests": [
            {
                name: request[name]
                for name in ("user_goal", "standing", "expected_outcome", "decisions", "expected_state")
            }
            for request in _requests(case)
        ],
        "plan": case.proof["plan"],
        "log": case.proof["log"],
    }
    return json.dumps(story, indent=2) + "\n"


def story_text(case: CaseParts) -> str:
    """The story for people who never saw the code."""
    return "\n".join(visible(line) for line in _story(case)) + "\n"


def _story(case: CaseParts) -> Iterator[str]:
    seed, oracle = case.lineage["seed"], case.oracle
    yield case.case_id
    yield "=" * len(case.case_id)
    yield f"seed      {seed['id']} version {seed['version']}, family {seed['family']}: {oracle['title']}"
    for step in case.lineage["chain"]:
        point = f" at {step['param']}" if step["param"] else ""
        yield f"operator  {step['operator']} version {step['version']} ({step['type']}, {step['effect']}){point}"
        for operation in step["patch"]:
            yield from (
                f"            {line}" for line in _change(operation["op"], operation["path"], operation.get("value"))
            )
    yield ""
    if case.agent["conversation"]:
        yield f"what was said before ({len(case.agent['conversation'])} turns)"
        yield from told(case.agent["conversation"], _WIDTH)
        yield ""
    yield f"the user says (locale {case.agent['locale']})"
    yield from _quoted(case.agent["opening"])
    for number, wish in enumerate(case.simulator["requests"], 1):
        yield from _later_words(number, wish)
        yield from disclosure(wish)
    yield ""
    for number, request in enumerate(_requests(case), 1):
        if oracle["then"]:
            standing = (
                "comes first" if number == 1 and request["standing"] == "due" else _STANDINGS[request["standing"]]
            )
            yield f"request {number}, {request['user_goal']}: {standing}"
            yield ""
        for decision in request["decisions"]:
            yield from _decision(decision)
    if oracle["attack"] is not None:
        yield f"the attacker wants: {oracle['attack']['wants']}"
        yield f"  it has won when {oracle['attack']['succeeded']}"
        yield ""
    yield "a plan that passes every grader"
    for number, step in enumerate(case.proof["plan"], 1):
        yield f"  {number}. {_step(step)}"
    yield ""
    yield "what happens on the way"
    for event in case.proof["log"]:
        yield f"  - {_event(event)}"
    yield ""
    for number, request in enumerate(_requests(case), 1):
        if request["standing"] == "due":
            yield from _promise(request, f"when request {number} is answered" if oracle["then"] else "at the end")


_STANDINGS = {
    "due": "decided on the state that the requests before it left",
    "replaced": "taken back before it was answered, so nothing may be written for it",
    "skipped": "does not come up, so nothing may be done for it",
}


def _requests(case: CaseParts) -> list[dict[str, Any]]:
    """What is expected of every request, in order."""
    return [case.oracle, *case.oracle["then"]]


def _later_words(number: int, spoken: dict[str, Any]) -> Iterator[str]:
    """When and on which condition a later request is said."""
    condition = {"fulfilled": "if that was done", "not_fulfilled": "if that could not be done"}.get(spoken["only_if"])
    if number > 1 and spoken["said"] != "at_once":
        when = {"next": "once that is answered", "instead": "when asked about that, changes their mind"}[spoken["said"]]
        yield f"  ({when}{f', {condition}' if condition else ''})"
        yield from _quoted(spoken["text"])
    elif condition:
        yield f"  (request {number} counts only {condition})"


def _promise(request: dict[str, Any], when: str) -> Iterator[str]:
    if request["must_cite"]:
        yield f"what the answer must cite: {', '.join(request['must_cite'])}"
    yield f"what must be true {when}"
    for name, value in request["expected_state"].items():
        yield f"  {name} = {_scalar(value)}"
    for assertion in request["outcome_assertions"]:
        yield from textwrap.wrap(assertion, _WIDTH, initial_indent="  and ", subsequent_indent="      ")


def _quoted(text: str) -> Iterator[str]:
    yield from textwrap.wrap(f'"{text}"', _WIDTH, initial_indent="  ", subsequent_indent="   ")


def _change(op: str, path: str, value: Any) -> Iterator[str]:
    """One line for every field that an operation touches."""
    if isinstance(value, dict) and value:
        for name, item in value.items():
            yield from _change(op, f"{path}/{name}", item)
        return
    where = path.strip("/").replace("/", ".")
    sign = {"add": "+", "remove": "-"}.get(op, "~")
    if where == "conversation":
        yield f"{sign} conversation = {len(value)} turns, below"
        return
    yield f"{sign} {where}" + ("" if op == "remove" else f" = {json.dumps(value, ensure_ascii=False)}")


def _decision(decision: dict[str, Any]) -> Iterator[str]:
    reason = f" ({decision['reason']})" if decision["reason"] else ""
    yield f"the rules say {decision['outcome']}{reason}"
    facts = ", ".join(f"{name} {_scalar(value)}" for name, value in decision["facts"].items())
    yield from textwrap.wrap(f"facts: {facts}", _WIDTH, initial_indent="  ", subsequent_indent="         ")
    if decision["missing"]:
        yield f"  missing: {', '.join(decision['missing'])}"
    for hit in decision["hits"]:
        mark = "decides" if hit["rule"] == decision["rule"] else "overridden"
        yield f"  {hit['rule']} version {hit['version']} {mark}, because {', '.join(hit['because'])}"
    yield ""


def _step(step: dict[str, Any]) -> str:
    if "call" in step:
        return f"call {step['call']}({', '.join(f'{name}={_scalar(value)}' for name, value in step['args'].items())})"
    if "ask" in step:
        return f"ask the user for {', '.join(step['ask'])}"
    says = ", ".join(f"{name} {_scalar(value)}" for name, value in step["says"].items())
    cites = ", ".join(step.get("cites", ()))
    return f"answer: {step['respond']}" + (f", giving {says}" if says else "") + (f", citing {cites}" if cites else "")


def _event(event: dict[str, Any]) -> str:
    if "effect" in event:
        changes = ", ".join(f"{name} = {_scalar(value)}" for name, value in event["changes"].items())
        return f"{event.get('tool') or event['by']}: {event['effect']} {event['record']} ({changes})"
    if "user" in event:
        return f'the user {"says" if "request" in event else "answers"}: "{event["user"]}"'
    if "answer" in event:
        return f"request {event['request']} is answered: {event['answer']}"
    if "error" in event:
        return f"{event['result']} answers with the error {event['error']}"
    part = " in part" if event.get("partial") else ""
    return f"{event['result']} answers{part}: {json.dumps(event['value'], ensure_ascii=False)}"
