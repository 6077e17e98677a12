"""Findings with those that are attached to them, and those of the rules alone, for tests of a single rule."""

from __future__ import annotations

import os
from collections.abc import Iterable
from unittest import mock

from ovgather.validation import check
from ovgather.validation.api import validate
from ovgather.validation.diagnostic import Diagnostic


def flattened(findings: Iterable[Diagnostic]) -> list[Diagnostic]:
    """All findings in the order of the text, whether they are reported by themselves or as a consequence."""
    every = [each for finding in findings for each in (finding, *finding.consequences)]
    return sorted(
        every, key=lambda finding: (finding.line, finding.column, finding.code)
    )


def of_rules(
    source: bytes | str | os.PathLike[str], weights: bytes | None = None
) -> list[Diagnostic]:
    """What the rules report, nothing of which is explained by anything else."""
    with mock.patch.object(check, "_explain"):
        return validate(source, weights)
