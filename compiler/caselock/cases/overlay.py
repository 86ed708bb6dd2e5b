"""Where the world of a case differs from its fixture: by whole fields, so that nothing has to be merged."""

from __future__ import annotations

from collections.abc import Mapping

from caselock.cases.paths import CLOCK, BadPath, whole_field
from caselock.cases.scenario import WorldPath
from caselock.world.model import FixtureWorld
from caselock.world.nested import NoPlace, placed
from caselock.world.state import Value


def overlay_of(
    fixture: FixtureWorld, overlay: Mapping[WorldPath, Value], path: WorldPath, value: Value
) -> dict[WorldPath, Value]:
    """The overlay that sets one place: of a nested field the whole field, as it is with the place changed.

    Raises:
        BadPath: when a nested field has no such place.
    """
    if path == (CLOCK,):
        return {path: value}
    field = whole_field(path)
    now = overlay[field] if field in overlay else of_fixture(fixture, field)
    try:
        return {field: placed(now, path[len(field) :], value)}
    except NoPlace as missing:
        raise BadPath(f"{'.'.join(path)}: {missing}") from missing


def of_fixture(fixture: FixtureWorld, path: WorldPath) -> Value:
    """What the fixture says of a field; None when it says nothing."""
    if path == (CLOCK,):
        return fixture.now
    if len(path) == 2:
        return (fixture.user if path[0] == "user" else fixture.agent).get(path[1])
    record = fixture.state[path[0]].get(path[1])
    return None if record is None else record.get(path[2])
