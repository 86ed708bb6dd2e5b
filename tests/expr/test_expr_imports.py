import subprocess
import sys
from pathlib import Path

import caselock.expr
from caselock.expr import parse


def test_one_module_names_the_cel_library():
    room = Path(caselock.expr.__file__).parent
    naming = [path for path in sorted(room.glob("*.py")) if "cel_expr_python" in path.read_text(encoding="utf-8")]
    assert naming == [Path(parse.__file__)]


def test_the_cel_library_is_loaded_when_a_text_is_parsed():
    code = (
        "import sys, caselock.expr.compile, caselock.expr.parse as p\n"
        "assert 'cel_expr_python' not in sys.modules\n"
        "p.parse('a')\n"
        "assert 'cel_expr_python' in sys.modules\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
