"""The file stage of `caselock check` (read, parse, validate) against check-jsonschema on the same files and schemas.

Both sides are whole processes, interpreter start included. check-jsonschema takes one schema a process, so it runs once
per kind.
Run: python benchmarks/check_files.py [--sizes 50,1000,5000]
"""

import argparse
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
TARGETS = {50: 4, 1000: 8, 5000: 8}
OURS = "import sys; from pathlib import Path; from caselock.spec.load import read_files, validate_files; " + (
    "_, documents, found = read_files(Path(sys.argv[1])); entries, more = validate_files(documents); "
    "assert not found and not more, (found, more); print(len(entries))"
)


def spread(folder: Path, size: int) -> dict[str, list[Path]]:
    """Copies of the repository's own workspace files in their real proportions, `size` in all, by kind."""
    sys.path.insert(0, str(ROOT / "compiler"))
    from caselock.spec.load import kind_of, read_files

    _, documents, _ = read_files(ROOT)
    kinds = {path: kind_of(path, document)[0] for path, document in documents.items()}
    many = [path for path, kind in kinds.items() if kind is not None and kind.folder.endswith("/")]
    made: dict[str, list[Path]] = {}
    for number in range(size):
        path = many[number % len(many)]
        copy = folder / f"{path.removesuffix('.yaml')}_{number}.yaml"
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(ROOT / path, copy)
        made.setdefault(kinds[path].name, []).append(copy)
    return made


def seconds(command: list[str]) -> float:
    start = time.perf_counter()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return time.perf_counter() - start


def theirs(made: dict[str, list[Path]]) -> float:
    total = 0.0
    for kind, paths in made.items():
        schema = ROOT / "schemas" / f"{kind}.schema.json"
        total += seconds(["check-jsonschema", "--schemafile", str(schema), *map(str, paths)])
    return total


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--sizes", default="50,1000,5000")
    parser.add_argument("--runs", type=int, default=3)
    arguments = parser.parse_args()
    print(f"{'files':>6} {'kinds':>6} {'caselock s':>11} {'check-jsonschema s':>19} {'ratio':>7}  target")
    for size in map(int, arguments.sizes.split(",")):
        with tempfile.TemporaryDirectory() as name:
            made = spread(Path(name), size)
            ours = [seconds([sys.executable, "-c", OURS, name]) for _ in range(arguments.runs)]
            other = [theirs(made) for _ in range(arguments.runs if size <= 1000 else 1)]
            a, b = sorted(ours)[len(ours) // 2], sorted(other)[len(other) // 2]
            target = f"at least {TARGETS[size]}x" if size in TARGETS else ""
            print(f"{size:>6} {len(made):>6} {a:>11.3f} {b:>19.3f} {b / a:>6.1f}x  {target}")


if __name__ == "__main__":
    main()
