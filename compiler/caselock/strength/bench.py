"""What a wrong agent has to work with: the case, the plan it deviates from, and the values that are lying about."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from caselock.oracles.task import Task
from caselock.solve.steps import Ask, Call, Respond, Step
from caselock.spec.schemas import Schema
from caselock.strength.play import Played, Steps, play
from caselock.world.events import EffectEvent, ResultEvent
from caselock.world.state import Record


@dataclass(frozen=True)
class Bench:
    """One case on the bench: its reference, and the plan of the case it was mutated from (empty for a gold case)."""

    task: Task
    reference: Steps
    parent: Steps

    @cached_property
    def honest(self) -> Played:
        """The reference as it is played and graded."""
        return play(self.task, self.reference)

    @property
    def work(self) -> Steps:
        """The reference without its final answer."""
        return self.reference[:-1]

    @property
    def answer(self) -> Respond:
        """The reference's final answer."""
        return next(step for step in self.reference[-1:] if isinstance(step, Respond))

    def writes(self, *, whole: bool = False) -> Iterator[tuple[int, Call]]:
        """The calls of the reference that committed something, or did so in full, with their place in it."""
        committed = {event.call for event in self.honest.session.log if isinstance(event, EffectEvent)}
        if whole:
            committed -= {result.call for result in self.results() if result.partial}
        calls = [index for index, step in enumerate(self.reference) if isinstance(step, Call)]
        for number, index in enumerate(calls, start=1):
            step = self.reference[index]
            if number in committed and isinstance(step, Call):
                yield index, step

    def checks(self) -> Iterator[int]:
        """The places of reads and questions."""
        for index, step in enumerate(self.reference):
            if isinstance(step, Ask) or (isinstance(step, Call) and not self.is_write(step)):
                yield index

    def is_write(self, step: Step) -> bool:
        """True for a call of a tool that may change the world."""
        return isinstance(step, Call) and step.tool in self.task.world.tools and self.task.world.tools[step.tool].writes

    def schemas(self, call: Call) -> Mapping[str, Schema]:
        """The input schema of every argument that a call gives."""
        properties = self.task.world.tools[call.tool].spec.input.properties or {}
        return {name: properties[name] for name in call.args if name in properties}

    def fresh(self, call: Call, key: str) -> Call:
        """The call under another idempotency key, where its tool takes one."""
        name = self.task.world.tools[call.tool].spec.idempotency_key
        return call if name is None else Call(tool=call.tool, args={**call.args, name: key})

    def with_step(self, index: int, *steps: Step) -> Steps:
        """The reference with one step replaced."""
        return (*self.reference[:index], *steps, *self.reference[index + 1 :])

    def strangers(self) -> Iterator[Record]:
        """Records of somebody else: another than the user's own, or one that names another where the user is named."""
        mine = {value for value in self.task.setup.user.values() if isinstance(value, str)}
        owners = {
            schema.x_ref: self.task.setup.user.get(name)
            for name, schema in (self.task.world.user_schema.properties or {}).items()
            if schema.x_ref is not None
        }
        for name, collection in sorted(self.task.world.collections.items()):
            fields = [
                field for field, schema in (collection.schema_.properties or {}).items() if schema.x_ref in owners
            ]
            for _, record in sorted(self.task.setup.state[name].items()):
                other = name in owners and record.key != owners[name]
                if other or any(isinstance(record.get(field), str) and record[field] not in mine for field in fields):
                    yield record

    def results(self) -> list[ResultEvent]:
        """What the reference saw of its calls."""
        return [event for event in self.honest.session.log if isinstance(event, ResultEvent)]
