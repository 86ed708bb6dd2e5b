"""What an agent may conclude: the decision that its knowledge determines, or that it does not know enough yet."""

from __future__ import annotations

from collections.abc import Mapping

from caselock.expr.ast import Node, chain
from caselock.expr.values import Missing
from caselock.oracles.task import Task
from caselock.rules.tables import CompiledTable, Decision, decide, settle, unbeaten
from caselock.solve.interpret import Interpreter
from caselock.solve.knowledge import Fact
from caselock.solve.steps import Ask, Call, Respond, Run, Step
from caselock.solve.terms import Hidden
from caselock.spec.decisions import QUESTIONS, Rule
from caselock.world.state import Value


def judge(task: Task, run: Run, used: set[Fact] | None = None) -> Decision | None:
    """The decision that holds in every world that fits what was seen; None when worlds differ.

    The facts it rests on are added to `used`.
    """
    goal = task.goal
    names = {**task.actors.names, "request": task.disclosed(run.session)}
    reader = Interpreter(run.knowledge, names, goal.lets, used)
    facts = {name: reader.evaluate(expression.node) for name, expression in goal.table.inputs.items()}
    if not any(isinstance(fact, Hidden) for fact in facts.values()):
        decision = decide(goal.table, facts)
        return decision if isinstance(decision, Decision) else None
    rules = Interpreter(run.knowledge, facts, used=used)
    verdicts = [(rule, _fires(rules, condition.node)) for rule, condition in goal.table.rules]
    sure = [rule for rule, verdict in verdicts if verdict is True]
    maybe = [rule for rule, verdict in verdicts if verdict is None]
    return _determined(goal.table, sure, maybe, facts)


def unwarranted(task: Task, run: Run, step: Step) -> str | None:
    """Why an agent could not yet know that this step is right, or None; reads are always warranted."""
    if isinstance(step, Call) and (step.tool not in task.world.tools or not task.world.tools[step.tool].writes):
        return None
    decision = judge(task, run)
    if decision is None:
        return "what was seen so far does not determine an outcome"
    if isinstance(step, Ask):
        return None if decision.outcome in QUESTIONS else f"what was seen says {decision.outcome}: nothing to ask"
    if isinstance(step, Respond) and step.outcome != decision.outcome:
        return f"what was seen so far says {decision.outcome}, not {step.outcome}"
    if isinstance(step, Call) and step.tool in task.goal.spec.guarded and decision.outcome != "fulfil":
        return f"what was seen so far says {decision.outcome}, and '{step.tool}' is for fulfil"
    return None


def _fires(rules: Interpreter, condition: Node) -> bool | None:
    """Whether a rule fires, None when what was not seen decides; one false or missing conjunct is enough to stop it."""
    verdicts = [rules.evaluate(part) for part in chain(condition, "_&&_")]
    if any(verdict is False or isinstance(verdict, Missing) for verdict in verdicts):
        return False
    return None if any(isinstance(verdict, Hidden) for verdict in verdicts) else True


def _determined(
    table: CompiledTable, sure: list[Rule], maybe: list[Rule], facts: Mapping[str, Value]
) -> Decision | None:
    """The decision of the sure hits, if no rule that might also hit could change it."""
    decision = settle(table, sure, facts)
    if not isinstance(decision, Decision):
        return None
    standing = {rule.id for rule in unbeaten(table, sure)}
    beaten = {loser for rule in standing for loser in table.losers[rule]}
    for rule in maybe:
        same = (rule.then, rule.reason) == (decision.outcome, decision.reason) and table.hit_policy != "unique"
        if table.losers[rule.id] & standing or not (same or rule.id in beaten):
            return None
    return decision
