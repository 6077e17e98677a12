"""What OpenVINO does with a file as a whole."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, NamedTuple

FileBehaviour = Literal[
    "accepts", "rejects", "rejects_on_compile", "crashes", "unknown"
]
REFUSALS = ("crashes", "rejects", "rejects_on_compile")
"""The verdicts of a finding that make OpenVINO refuse the file, the first one first."""


class OnnxVerdict(NamedTuple):
    """What else is known of an ONNX file as a whole.

    Attributes:
        is_valid: onnx's checker accepts it.
        invalid: what the checker says against it.
        onnxruntime: ``accepts`` (it loads the model), ``rejects``, ``rejects_on_run`` or ``unknown``. It is not asked.
        onnxruntime_reason: the message of the finding that says so.
        differences: how many findings tell of something that OpenVINO and ONNX Runtime do differently.
    """

    is_valid: bool
    invalid: str
    onnxruntime: str
    onnxruntime_reason: str
    differences: int


class Verdict(NamedTuple):
    """What OpenVINO does with a file.

    Attributes:
        openvino: a ``FileBehaviour``.
        reason: the message of the finding that explains a refusal, or why nothing is known; empty where it accepts.
        layer: the layer that is refused, as messages call it.
        line: the line of that finding; 0: none.
        unchecked: how many layers there are of each type that is not checked.
        measured: OpenVINO itself says so.
    """

    openvino: FileBehaviour = "unknown"
    reason: str = ""
    layer: str = ""
    line: int = 0
    unchecked: Mapping[str, int] = {}
    measured: bool = False

    def __hash__(self) -> int:
        return hash((self.openvino, self.layer, self.line))

    @property
    def is_refusal(self) -> bool:
        return self.openvino in REFUSALS
