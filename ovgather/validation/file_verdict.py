"""What OpenVINO does with a file as a whole."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

FILE_VERDICTS = ("accepts", "rejects", "rejects_on_compile", "crashes", "unknown")
REFUSALS = ("crashes", "rejects", "rejects_on_compile")
"""The verdicts of a finding that make OpenVINO refuse the file, the first one first."""


class Verdict(NamedTuple):
    """What OpenVINO does with a file.

    Attributes:
        openvino: one of ``FILE_VERDICTS``.
        reason: the message of the finding that explains a refusal, or why nothing is known; empty where it accepts.
        layer: the layer that is refused, as messages call it.
        line: the line of that finding; 0: none.
        unchecked: how many layers there are of each type that is not checked.
        measured: OpenVINO itself says so.
    """

    openvino: str = "unknown"
    reason: str = ""
    layer: str = ""
    line: int = 0
    unchecked: Mapping[str, int] = {}
    measured: bool = False

    @property
    def is_refusal(self) -> bool:
        return self.openvino in REFUSALS
