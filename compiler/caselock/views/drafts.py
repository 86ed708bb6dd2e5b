"""The document of a drafted seed -> YAML that our own reader takes."""

from __future__ import annotations

from typing import Any

import yaml


class _Plain(yaml.SafeDumper):
    """No anchors: a value that occurs twice is written twice."""

    def ignore_aliases(self, data: Any) -> bool:
        """Return True."""
        return True


def draft_yaml(document: dict[str, Any]) -> str:
    """The file of a seed, keys in the order given."""
    text: str = yaml.dump(document, Dumper=_Plain, sort_keys=False, allow_unicode=True, width=100)
    return text
