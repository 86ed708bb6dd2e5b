"""The content of a bundle -> its dataset card, README.md, in which authored text says and never formats."""

from __future__ import annotations

import json
import re

from caselock.bundle.content import BundleContent
from caselock.bundle.merkle import inputs_root

_MARKUP = re.compile(r"([\\`*_{}\[\]<>#|!&~$])")
_BLOCK_START = re.compile(r"^(\d*)([-+=.)])")


def dataset_card(content: BundleContent) -> str:
    """Return the card as markdown with the metadata block that dataset hosts read, ending in a line feed."""
    from importlib.resources import files

    from jinja2 import StrictUndefined
    from jinja2.sandbox import SandboxedEnvironment

    environment = SandboxedEnvironment(
        undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True, keep_trailing_newline=True
    )
    source = files("caselock").joinpath("templates", "dataset_card.md.j2").read_text(encoding="utf-8")
    # Escaped here, once and for each place, because what is safe in YAML, a code span and prose differs.
    return environment.from_string(source).render(
        metadata={"license": _yaml(content.license.lower()), "pretty_name": _yaml(content.title)},
        title=prose(content.title),
        description=paragraphs(content.description),
        notice=paragraphs(content.notice or ""),
        license=prose(content.license),
        owner=prose(content.owner),
        name=content.name,
        version=content.version,
        compiler=content.compiler,
        inputs=len(content.inputs),
        inputs_root=inputs_root(content.inputs),
        counts=content.counts(),
        tables=_tables(content),
    )


def _tables(content: BundleContent) -> dict[str, dict[str, int]]:
    """What else the card counts, by title: the strata, the outcomes and the packs."""
    by = content.coverage.get("by", {})
    counted = {
        "stratum": by.get("strata", {}),
        "outcome": by.get("outcomes", {}),
        "locale": by.get("locales", {}),
        "pack": {name: len(ids) for name, ids in content.packs.items()},
    }
    return {title: {prose(value): count for value, count in counts.items()} for title, counts in counted.items()}


def prose(text: str) -> str:
    """Return authored text as one line of markdown that shows it as it is: no markup, HTML or new block."""
    line = _MARKUP.sub(r"\\\1", " ".join(_printable(text).split()))
    return _BLOCK_START.sub(r"\1\\\2", line)


def paragraphs(text: str) -> list[str]:
    """Return the paragraphs of authored text, split at blank lines, each as `prose`."""
    return [prose(part) for part in re.split(r"\n\s*\n", text) if part.strip()]


def _printable(text: str) -> str:
    return "".join(character if character.isprintable() else " " for character in text)


def _yaml(text: str) -> str:
    # A JSON string in ASCII is a YAML double-quoted scalar too.
    return json.dumps(text)
