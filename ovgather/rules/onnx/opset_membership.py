"""operation that the opset does not hold (OVG803)

What: the model imports no opset of the domain ``ai.onnx``, or one that has no such operation yet.

Why: nobody can tell what the node means. GatherElements and GatherND came with opset 11.

Runtimes: ONNX Runtime does not load the model.

Bad::

    opset_import: 10   GatherElements(data, indices)

Good::

    opset_import: 11   GatherElements(data, indices)
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ovgather.diagnostics import Diagnostic
from ovgather.ops import onnx
from ovgather.rules.onnx._report import report

if TYPE_CHECKING:
    from ovgather.onnx_file.model import OnnxModel

CODE = "OVG803"
TITLE = "operation that the opset does not hold"


def check(model: OnnxModel) -> Iterator[Diagnostic]:
    """Nodes without an operation."""
    for node in model.gather_nodes:
        if node.operation is None:
            kind, opset = node.proto.op_type, node.graph.opset
            first = min(operation.version for operation in onnx.operations() if operation.type == kind)
            message = f"opset {opset} has no {kind}: opset {first} is the first that has one"
            if opset is None:
                message = f"no opset of the domain ai.onnx is imported, so {kind} has no version"
            yield report(model, CODE, "error", message, node)
