"""Settings all tests share."""

import os

from hypothesis import settings

# A slow machine is not a failing test; in CI the same examples are tried every time.
settings.register_profile("local", deadline=None)
settings.register_profile("ci", deadline=None, derandomize=True)
settings.load_profile("ci" if os.environ.get("CI") else "local")


def pytest_addoption(parser):
    parser.addoption("--update-golden", action="store_true", help="write golden files anew instead of comparing")
