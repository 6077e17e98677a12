"""The operations of ONNX that OpenVINO converts, by release: measured, see ``docs/releases.md``."""

from __future__ import annotations

import json
from pathlib import Path

from ovgather.targets.release import Reading, parse

AI_ONNX = ("", "ai.onnx")
_SOURCE = "measured: docs/releases.md"
_TABLE: dict[str, list[str]] = json.loads(
    Path(__file__).with_suffix(".json").read_text(encoding="utf-8")
)
"""The first of the measured releases that converts each operation, and the last one where a later one does not."""


def conversion_of(domain: str, type: str) -> Reading | None:
    """The releases that convert an operation; None: none of those that were measured does.

    >>> conversion_of("", "Gather").span, conversion_of("", "Bernoulli").until
    ('2023.3 and later', Release('2025.4'))
    >>> conversion_of("", "Gathr"), conversion_of("ai.onnx", "Gather")
    (None, None)
    """
    name = f"{domain}.{type}" if domain else type
    releases = [parse(each) for each in _TABLE.get(name, ())]
    if not releases:
        return None
    return Reading(name, releases[0], _SOURCE, releases[1] if releases[1:] else None)


def converted_types() -> list[str]:
    """The operations of the domain ``ai.onnx`` that some release converts.

    >>> "Gather" in converted_types(), "com.microsoft.Gelu" in converted_types()
    (True, False)
    """
    return [name for name in _TABLE if "." not in name]
