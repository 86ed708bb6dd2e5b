"""Plans do not depend on the order in which Python walks its sets."""

import os
import subprocess
import sys
from pathlib import Path

PROGRAM = """
import sys
sys.path[:0] = sys.argv[1:]
from test_solve_plans import SOLVED, CASES, task
from caselock.cases.contract import step_document
from caselock.cases.derive import derive
for name in SOLVED:
    derived = derive(task(**CASES[name][0]))
    plan = [step_document(step) for step in derived.plan.steps]
    print(name, derived.label, [stage.hits for stage in derived.stages], derived.requests[0].state, plan)
"""


def plans(hash_seed):
    folders = [str(Path(__file__).parent), str(Path(__file__).parents[1] / "world")]
    environment = {**os.environ, "PYTHONHASHSEED": hash_seed}
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, *folders], capture_output=True, text=True, check=True, env=environment
    )
    return done.stdout.splitlines()


def test_plans_are_the_same_under_every_hash_seed():
    first, *others = (plans(seed) for seed in ("0", "1", "4711"))
    assert len(first) > 20
    assert all(other == first for other in others)
