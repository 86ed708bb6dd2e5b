"""Mutated copies of the real workspace through check and compile: no exception, no hang, nothing run, nothing written.

Run: python benchmarks/fuzz.py [--files 10000] [--seed 1]
A copy that fails is made again, with its traceback, by: python benchmarks/fuzz.py --seed 1 --only 17 [--keep FOLDER]
"""

import argparse
import faulthandler
import os
import shutil
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests" / "fuzz"))


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--files", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", type=int)
    parser.add_argument("--keep", type=Path)
    parser.add_argument("--bound", type=float, default=60, help="seconds after which a copy counts as hanging")
    arguments = parser.parse_args()
    if arguments.only is not None:
        os.environ["FUZZ_DEBUG"] = "1"
    from campaign import campaign

    started = time.perf_counter()
    with tempfile.TemporaryDirectory() as folder:
        for figures in campaign(arguments.files, arguments.seed, Path(folder), arguments.only):
            # Also stops code in C, which no exception could.
            faulthandler.dump_traceback_later(arguments.bound, exit=True)
            if figures.copies % 100 == 0:
                print(f"  {figures.files} files, {len(figures.exceptions)} exceptions", file=sys.stderr, flush=True)
        faulthandler.cancel_dump_traceback_later()
        if arguments.keep:
            shutil.copytree(folder, arguments.keep)
    for problem in (*figures.exceptions, *figures.effects):
        print(problem)
    seconds, name = figures.slowest
    print(
        f"files={figures.files} copies={figures.copies} findings={figures.findings} codes={len(figures.codes)} "
        f"compiled={figures.compiled} cases={figures.cases} slowest={seconds:.2f}s ({name}) "
        f"seconds={time.perf_counter() - started:.0f} exceptions={len(figures.exceptions)} "
        f"effects={len(figures.effects)}"
    )
    return int(bool(figures.exceptions or figures.effects))


if __name__ == "__main__":
    sys.exit(main())
