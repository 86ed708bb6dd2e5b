"""Reviews, status and open rulings of a seed: whether people have done their part."""

from __future__ import annotations

from collections.abc import Iterator

from caselock.diagnostics.diagnostic import Diagnostic
from caselock.rules.program import Program
from caselock.spec.seeds import Imported, Seed
from caselock.spec.workspace import Entry, Workspace

REVIEWS_NEEDED = 2


def check_reviews(entry: Entry[Seed]) -> Iterator[Diagnostic]:
    """Two reviewers, neither of them the author, passed the seed at its present version."""
    seed = entry.value
    if seed.status != "active":
        if not seed.status_reason:
            yield entry.finding(
                "CL0620", f"a {seed.status} seed gives its reason in 'status_reason'", "status", found=seed.status
            )
        return
    seen: set[str] = set()
    for index, review in enumerate(seed.reviews):
        if review.reviewer == seed.author:
            yield entry.finding(
                "CL0619",
                f"'{review.reviewer}' is the author of the seed",
                "reviews",
                index,
                "reviewer",
                found=review.reviewer,
            )
        if review.reviewer in seen:
            yield entry.finding(
                "CL0619", f"'{review.reviewer}' reviewed twice", "reviews", index, "reviewer", found=review.reviewer
            )
        if review.seed_version != seed.version:
            yield entry.finding(
                "CL0619",
                f"the review is of version {review.seed_version}, the seed is at {seed.version}",
                "reviews",
                index,
                "seed_version",
                found=review.seed_version,
                allowed=(seed.version,),
            )
        if review.verdict != "pass":
            yield entry.finding(
                "CL0619",
                f"'{review.reviewer}' did not pass the seed",
                "reviews",
                index,
                "verdict",
                found=review.verdict,
            )
        seen.add(review.reviewer)
    if len(seen) < REVIEWS_NEEDED and not isinstance(seed.provenance, Imported):
        where = ("reviews",) if seed.reviews else ("seed",)
        yield entry.finding(
            "CL0619", f"{len(seen)} of {REVIEWS_NEEDED} independent reviews", *where, found=str(len(seen))
        )


def blocked_by(workspace: Workspace, seed: Seed) -> Iterator[str]:
    """The open rulings that a seed depends on: through a source it cites or a rule that decides a request of it."""
    decides = {seed.expected.rule, *(later.rule for later in seed.expected.then)}
    for name, entry in workspace.rulings.items():
        ruling = entry.value
        if ruling.status == "open" and (set(ruling.between) & set(seed.source) or decides & set(ruling.rules)):
            yield name


def check_rulings(program: Program, entry: Entry[Seed]) -> Iterator[Diagnostic]:
    """A finding for every open ruling that blocks the seed."""
    for name in blocked_by(program.workspace, entry.value):
        yield entry.finding("CL0621", f"the open ruling '{name}' blocks this seed", "seed", found=name)
