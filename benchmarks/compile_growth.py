"""Compile time at 1x, 10x and 100x of the repository's own seeds, and how it grows.

Every family is copied with new ids, so that cases, files and rows grow together while rules and world stay as they are.
Run: python benchmarks/compile_growth.py [--scales 1,10,100]
"""

import argparse
import re
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def scaled(folder: Path, scale: int) -> None:
    for name in ("spec", "rules", "capabilities"):
        shutil.copytree(ROOT / name, folder / name)
    for number in range(scale):
        for path in sorted((ROOT / "seeds").rglob("*.yaml")):
            text = path.read_text("utf-8")
            if number:
                text = re.sub(r"^(seed|case_id|family|phrasings): (.*)$", rf"\1: \2_{number}", text, flags=re.M)
            family = f"{path.parent.name}_{number}" if number else path.parent.name
            copy = folder / "seeds" / family / path.name
            copy.parent.mkdir(parents=True, exist_ok=True)
            copy.write_text(text, "utf-8")


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--scales", default="1,10,100")
    arguments = parser.parse_args()
    first: tuple[float, int] | None = None
    print(f"{'scale':>6} {'cases':>7} {'seconds':>9} {'ms/case':>8} {'growth':>8}")
    for scale in map(int, arguments.scales.split(",")):
        with tempfile.TemporaryDirectory() as name:
            scaled(Path(name), scale)
            start = time.perf_counter()
            command = [sys.executable, "-m", "caselock", "--workspace", name, "compile"]
            done = subprocess.run(command, check=True, capture_output=True, text=True)
            took = time.perf_counter() - start
            cases = int(re.search(r"(\d+) cases from", done.stdout).group(1))
            first = first or (took, cases)
            growth = (took / first[0]) / (cases / first[1])
            print(f"{scale:>6} {cases:>7} {took:>9.2f} {1000 * took / cases:>8.1f} {growth:>7.2f}x")
    print("growth: time over cases, against the first row; 1.00x is linear")


if __name__ == "__main__":
    main()
