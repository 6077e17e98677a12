"""An ONNX file under check, as every ONNX rule gets it. Findings name nodes, for protobuf has no lines."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, NamedTuple

from ovgather.layers.onnx_node import ConstantError, GatherNode, gather_nodes
from ovgather.onnx_file.model import OnnxModel
from ovgather.targets.purpose import ANY, Purpose
from ovgather.tensor.shape import Dimension, PartialShape
from ovgather.validation.context import Findings, Rule
from ovgather.validation.diagnostic import NO_LINES, Diagnostic

if TYPE_CHECKING:
    from ovgather.tensor.arrays import Array

__all__ = ("Findings", "GatherNode", "OnnxFile", "PartialShape", "Rule")


class Indexed(NamedTuple):
    """Constant indices in one dimension, of an array of ``shape``, and the dim of data that they index."""

    values: Array
    shape: tuple[int, ...]
    size: Dimension


def indexed(node: GatherNode) -> list[Indexed]:
    """The constant indices of a node without errors, of tuples each place by itself; none where they are not known."""
    (data, indices), operation = node.shapes[:2], node.operation
    is_tuple = operation is not None and not operation.has_axis
    if data.dims is None or operation is None or (is_tuple and (indices.dims is None or indices[-1].is_dynamic)):
        return []
    lengths = [indices[-1].min] if is_tuple else []
    sizes = [data[dim] for dim in operation.indexed_dims(len(data), lengths, node.axis, node.batch_dims)]
    array = None
    if any(size.max is not None for size in sizes):
        with suppress(ConstantError):  # OVG802 or OVG813 reports the reason
            array = node.values(1)
    if array is None or array.dtype.kind not in "iu":
        return []
    if is_tuple:
        places = zip(array.reshape(-1, len(sizes)).T, sizes, strict=True)
        return [Indexed(values, array.shape[:-1], size) for values, size in places]
    return [Indexed(array.reshape(-1), array.shape, size) for size in sizes]


class OnnxFile:
    """The argument of every ONNX rule's ``check``."""

    def __init__(self, model: OnnxModel, purpose: Purpose = ANY) -> None:
        self.model, self.purpose = model, purpose
        self.nodes = gather_nodes(model)

    def report(
        self, rule: Rule, message: str, node: GatherNode | None = None, help: str | None = None, severity: str = ""
    ) -> Diagnostic:
        """A finding in the model, or in a node of it, of the usual severity of ``rule`` where none is named."""
        severity, layer = severity or rule.severities[0], node.reference if node is not None else None
        path = self.model.path
        return Diagnostic(rule.code, severity, message, path=path, position=NO_LINES, layer=layer, help=help)

    def misfits(self, rule: Rule, *kinds: str) -> Findings:
        """The errors of shape inference of one of ``kinds``."""
        for node in self.nodes:
            yield from [self.report(rule, str(error), node) for error in node.errors if error.kind in kinds]
