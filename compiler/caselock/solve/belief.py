"""What an agent knows - records, complete listings, single facts - and how a result adds to it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from caselock.expr.ast import Call, Has, Index, Literal, Macro, Node, Select, Variable, free_variables, walk
from caselock.expr.compile import Expression
from caselock.expr.types import Record
from caselock.oracles.task import Task
from caselock.rules.patterns import records_in
from caselock.solve.interpret import Interpreter
from caselock.solve.knowledge import Knowledge
from caselock.solve.terms import Hidden, canonical
from caselock.spec.tools import ENVIRONMENT_ERRORS
from caselock.world.environment import Session
from caselock.world.events import ResultEvent
from caselock.world.expressions import Tree
from caselock.world.model import CompiledTool
from caselock.world.state import State, find


def observe(task: Task, knowledge: Knowledge, session: Session, result: ResultEvent) -> Knowledge:
    """Knowledge after a result, given the session that answered it.

    Records are remembered as they are in `before`: an agent can set its own effects aside, and the table never reads
    them. For the same reason conditions and listings over collections that the agent has changed teach nothing.
    """
    tool = task.world.tools.get(result.tool)
    if tool is None or result.error in ENVIRONMENT_ERRORS:
        return knowledge
    own = {name for name, records in session.state.items() if records is not session.before[name]}
    knowledge = _learn_conditions(task, knowledge, tool, result, own)
    if result.error is not None:
        return knowledge
    return _learn_listings(task, _learn_records(knowledge, session.before, result), tool, result, own)


def settled(knowledge: Knowledge, session: Session) -> Knowledge:
    """What is still known once a request is answered, and its work is part of what the next one starts from.

    Of collections that changed, only records are known whose present form a result has shown.
    """
    changed = [name for name, records in session.state.items() if records is not session.before[name]]
    shown = [record for event in session.log if isinstance(event, ResultEvent) for record in records_in(event.value)]
    records = {place: record for place, record in knowledge.records.items() if place[0] not in changed}
    for record in shown:
        if record.collection in changed and find(session.state, record.collection, record.key) == record:
            records[record.collection, record.key] = record
    return replace(
        knowledge,
        records=records,
        listings=frozenset(
            (name, conditions)
            for name, conditions in knowledge.listings
            if not any(other in text for other in changed for text in (name, *conditions))
        ),
        atoms={text: truth for text, truth in knowledge.atoms.items() if not any(name in text for name in changed)},
    )


def _learn_records(knowledge: Knowledge, before: State, result: ResultEvent) -> Knowledge:
    fresh = {
        (record.collection, record.key): before[record.collection][record.key]
        for record in records_in(result.value)
        if record.key in before[record.collection]
    }
    return replace(knowledge, records={**knowledge.records, **fresh}) if fresh else knowledge


def _interpreter(task: Task, knowledge: Knowledge, tool: CompiledTool, result: ResultEvent) -> Interpreter:
    names = {"user": task.setup.user, "agent": task.setup.agent, "now": task.setup.now, "args": result.args}
    return Interpreter(knowledge, names, tool.lets)


def _learn_conditions(
    task: Task, knowledge: Knowledge, tool: CompiledTool, result: ResultEvent, own: set[str]
) -> Knowledge:
    """The first error whose condition holds is answered: the ones before it, or all on success, do not hold."""
    codes = [code for code, _ in tool.errors]
    for code, condition in tool.errors:
        answered = code == result.error
        if answered and codes.count(code) > 1:
            break  # one of several conditions holds, and nobody said which
        knowledge = _learn(_interpreter(task, knowledge, tool, result), knowledge, condition.node, answered, own)
        if answered:
            break
    return knowledge


def _learn(interpreter: Interpreter, knowledge: Knowledge, node: Node, truth: bool, own: set[str]) -> Knowledge:
    atoms = dict(knowledge.atoms)
    for term, holds in _facts(interpreter, node, truth):
        relevant = interpreter.is_ground(term) and not own & free_variables(term)
        if relevant and (truth or _has_value(term, atoms, knowledge)):
            text, stated = canonical(term)
            atoms[text] = stated == holds
    return replace(knowledge, atoms=atoms)


def _facts(interpreter: Interpreter, node: Node, truth: bool) -> Iterator[tuple[Node, bool]]:
    """The atomic facts that follow from a condition known to be true, or not to be true."""
    match node:
        case Call(function="!_", args=(inner,)):
            yield from _facts(interpreter, inner, not truth)
        case Call(function="_&&_" | "_||_" as function, args=args):
            if truth == (function == "_&&_"):
                for arg in args:
                    yield from _facts(interpreter, arg, truth)
        case _:
            value = interpreter.evaluate(node)
            if isinstance(value, Hidden):
                yield value.term, truth


def _has_value(term: Node, atoms: Mapping[str, bool], knowledge: Knowledge) -> bool:
    """True when nothing in a term can be missing: a condition that is not true is false only then."""
    if isinstance(term, Has) or (isinstance(term, Call) and term.function in ("known", "present")):
        return True
    for node in walk(term):
        match node:
            case Has() | Call(function="known" | "present" | "only" | "min" | "max"):
                return False
            case Index(operand=Variable(name=name), key=Literal(value=key)):
                there = atoms.get(canonical(Call(function="known", args=(node,)))[0])
                if there is not True and (name, key) not in knowledge.records:
                    return False
            case Index() | Macro():
                return False
            case Select(operand=operand, field=field):
                fields = operand.type.fields if isinstance(operand.type, Record) else {}
                if field not in fields or fields[field].optional:
                    return False
    return True


def _learn_listings(
    task: Task, knowledge: Knowledge, tool: CompiledTool, result: ResultEvent, own: set[str]
) -> Knowledge:
    """A result that is a filter over a collection shows every record that satisfies the filter."""
    interpreter = _interpreter(task, knowledge, tool, result)
    listings = (listing_of(interpreter, node) for node in _listed(tool.returns))
    found = {listing for listing in listings if listing is not None and listing[0] not in own}
    return replace(knowledge, listings=knowledge.listings | found) if found else knowledge


def _listed(tree: Tree) -> Iterator[Node]:
    if isinstance(tree, Expression):
        yield tree.node
    elif isinstance(tree, dict):
        for item in tree.values():
            yield from _listed(item)


def listing_of(interpreter: Interpreter, node: Node) -> tuple[str, frozenset[str]] | None:
    """(collection, conditions) of a filter over a whole collection, or of the collection itself."""
    match node:
        case Variable(name=name) if name in interpreter.collections:
            return name, frozenset()
        case Macro(kind="filter", range=Variable(name=name)) if name in interpreter.collections:
            return name, interpreter.scan_conditions(node)
        case _:
            return None
