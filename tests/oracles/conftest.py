"""The engine rooms share the refund program of the world room."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "world"))
