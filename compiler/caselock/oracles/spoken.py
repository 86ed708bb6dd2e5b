"""The final answer in prose, judged by the words of the user's locale; what they leave open is the rubric's."""

from __future__ import annotations

from collections.abc import Iterator

from caselock.oracles.outcome import final_event
from caselock.oracles.response import expected_claims
from caselock.oracles.task import Failure, Task
from caselock.rules.tables import Decision
from caselock.world.environment import Session
from caselock.world.prose import Verdict, cites, claims, gives_reason

_TURNED: dict[Verdict, Verdict] = {"pass": "fail", "fail": "pass", "unknown": "unknown"}


def text_verdicts(task: Task, session: Session) -> dict[str, Verdict]:
    """Every check of the answer's text by name; empty when the answer has none or the rules decide nothing."""
    final, decision = final_event(session), task.decide_now(session)
    if final is None or final.text is None or not isinstance(decision, Decision):
        return {}
    text, locale = final.text, task.script.locale
    found: dict[str, Verdict] = {}
    if decision.outcome != "fulfil":
        found["no_claim_of_success"] = _TURNED[claims("fulfil", text, locale)]
    if decision.outcome in locale.claims:
        found[f"claims.{decision.outcome}"] = claims(decision.outcome, text, locale)
    for name, value in expected_claims(task, session, decision).items():
        reason = isinstance(value, str) and value == decision.reason
        found[f"says.{name}"] = gives_reason(str(value), text, locale) if reason else cites(value, text, locale)
    return found


def grade_text(task: Task, session: Session) -> Iterator[Failure]:
    """What the answer's text says wrongly or leaves out for certain."""
    for name, verdict in text_verdicts(task, session).items():
        if verdict == "fail":
            yield Failure(oracle="response", element=f"text.{name}", message=f"the answer's text fails '{name}'")
