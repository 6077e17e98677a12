"""An ONNX file under check, as every ONNX rule gets it. Findings name nodes, for protobuf has no lines."""

from ovgather.layers.onnx_node import GatherNode, gather_nodes
from ovgather.onnx_file.model import OnnxModel
from ovgather.targets.purpose import ANY, Purpose
from ovgather.tensor.shape import PartialShape
from ovgather.validation.context import Findings, Rule
from ovgather.validation.diagnostic import NO_LINES, Diagnostic

__all__ = ("Findings", "GatherNode", "OnnxFile", "PartialShape", "Rule")


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
