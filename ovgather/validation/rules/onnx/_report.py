"""Findings in ONNX files: they name nodes, for protobuf has no lines."""

from collections.abc import Iterator

from ovgather.layers.onnx_node import GatherNode, gather_nodes
from ovgather.onnx_file.model import OnnxModel
from ovgather.validation.diagnostic import NO_LINES, Diagnostic

Findings = Iterator[Diagnostic]


def report(
    model: OnnxModel, code: str, severity: str, message: str, node: GatherNode | None = None, help: str | None = None
) -> Diagnostic:
    """A finding in a model, or in a node of it."""
    reference = node.reference if node is not None else None
    return Diagnostic(code, severity, message, path=model.path, position=NO_LINES, layer=reference, help=help)


def misfits(model: OnnxModel, code: str, *kinds: str) -> Findings:
    """The errors of shape inference of one of ``kinds``."""
    for node in gather_nodes(model):
        for error in node.errors:
            if error.kind in kinds:
                yield report(model, code, "error", str(error), node)
