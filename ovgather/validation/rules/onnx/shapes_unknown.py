"""shapes that onnx does not infer (OVG811)

What: onnx's shape inference, which gives the shapes that the file does not declare, fails or crashes on this model.

Why: the input shapes of some nodes remain unknown, so less can be checked.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ovgather.layers.onnx_node import inferred_shapes
from ovgather.validation.diagnostic import Diagnostic
from ovgather.validation.rules.onnx._report import report

if TYPE_CHECKING:
    from ovgather.onnx_file.model import OnnxModel

CODE = "OVG811"
TITLE = "shapes that onnx does not infer"
SEVERITIES = ("note",)
VERDICTS = ()


def check(model: OnnxModel) -> Iterator[Diagnostic]:
    """Why there are none."""
    problem = inferred_shapes(model).problem
    if problem is not None:
        help = "where the file does not tell shapes, they are not known"
        yield report(model, CODE, "note", problem, help=help)
