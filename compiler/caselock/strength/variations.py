"""What an agent may do otherwise than the reference and still be right: every grader must accept these."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from decimal import Decimal
from itertools import pairwise

from caselock.oracles.seen import derivable, seen_in
from caselock.solve.candidates import permitted
from caselock.solve.steps import Call, Step
from caselock.strength.bench import Bench
from caselock.strength.play import Steps, play

Variation = Callable[[Bench], Iterator[Steps]]


def extra_reads(bench: Bench) -> Iterator[Steps]:
    """Every permitted read of the reference is made twice more before the answer."""
    again = [step for step in bench.work if isinstance(step, Call) and _is_read(bench, step)]
    if again:
        yield (*bench.work, *_once(again), *_once(again), bench.answer)


def reordered_reads(bench: Bench) -> Iterator[Steps]:
    """Two reads that follow each other and do not depend on each other change places."""
    steps = bench.reference
    for index, (first, second) in enumerate(pairwise(steps)):
        if _is_read(bench, first) and _is_read(bench, second) and _known(bench, steps[:index], second):
            swapped = (*steps[:index], second, first, *steps[index + 2 :])
            if first != second and _same_results(bench, swapped):
                yield swapped


def other_spellings(bench: Bench) -> Iterator[Steps]:
    """80, 80.0 and 80.00 are one amount, as a number or as text."""
    for spell in (_shortest, _one_place, _in_full):
        steps = tuple(_spelt(step, spell) for step in bench.reference)
        if steps != bench.reference:
            yield steps


def other_keys(bench: Bench) -> Iterator[Steps]:
    """Idempotency keys are the caller's own: another name for each is as good."""
    steps = tuple(_renamed(bench, step) for step in bench.reference)
    if steps != bench.reference:
        yield steps


def other_prose(bench: Bench) -> Iterator[Steps]:
    """Free text is worded otherwise."""
    steps = tuple(_reworded(bench, step) for step in bench.reference)
    if steps != bench.reference:
        yield steps


VARIATIONS: Mapping[str, Variation] = {
    "extra_reads": extra_reads,
    "reordered_reads": reordered_reads,
    "other_spellings": other_spellings,
    "other_keys": other_keys,
    "other_prose": other_prose,
}


def _once(calls: list[Call]) -> tuple[Call, ...]:
    kept: list[Call] = []
    for call in calls:
        if call not in kept:
            kept.append(call)
    return tuple(kept)


def _is_read(bench: Bench, step: Step) -> bool:
    known = isinstance(step, Call) and step.tool in bench.task.world.tools
    return known and not bench.is_write(step) and isinstance(step, Call) and permitted(bench.task, step.tool)


def _known(bench: Bench, before: Steps, step: Step) -> bool:
    """True when the agent has every argument of a call once it has made the steps before."""
    if not isinstance(step, Call):
        return False
    tool, seen = bench.task.world.tools[step.tool].spec, seen_in(bench.task, play(bench.task, before).session.log)
    return all(derivable(tool, name, value, seen) for name, value in step.args.items())


def _same_results(bench: Bench, steps: Steps) -> bool:
    """True when every call still sees what it saw: a fault that counts calls may strike another one otherwise."""
    seen = [(event.tool, event.args, event.value, event.error) for event in bench.results()]
    played = Bench(bench.task, steps, ()).results()
    now = [(event.tool, event.args, event.value, event.error) for event in played]
    return len(seen) == len(now) and all(item in now for item in seen)


def _spelt(step: Step, spell: Callable[[Decimal], str]) -> Step:
    if not isinstance(step, Call):
        return step
    args = {name: spell(value) if isinstance(value, Decimal) else value for name, value in step.args.items()}
    return Call(tool=step.tool, args=args)


def _shortest(value: Decimal) -> str:
    return format(value.normalize(), "f")


def _one_place(value: Decimal) -> str:
    text = _shortest(value)
    return text if "." in text else f"{text}.0"


def _in_full(value: Decimal) -> str:
    text = _one_place(value)
    return text if len(text.partition(".")[2]) > 1 else f"{text}0"


def _renamed(bench: Bench, step: Step) -> Step:
    if not isinstance(step, Call) or step.tool not in bench.task.world.tools:
        return step
    key = bench.task.world.tools[step.tool].spec.idempotency_key
    if key is None or key not in step.args:
        return step
    return Call(tool=step.tool, args={**step.args, key: f"other-{step.args[key]}"[:64]})


def _reworded(bench: Bench, step: Step) -> Step:
    if not isinstance(step, Call) or step.tool not in bench.task.world.tools:
        return step
    prose = [name for name, schema in bench.schemas(step).items() if schema.x_free_text]
    return Call(tool=step.tool, args={**step.args, **dict.fromkeys(prose, "In other words.")})
