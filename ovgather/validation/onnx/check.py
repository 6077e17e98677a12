"""ONNX model -> diagnostics: every problem of its Gather family, in the order of the file."""

from collections.abc import Callable

from ovgather.layers.onnx_node import gather_nodes
from ovgather.onnx_file.model import OnnxModel
from ovgather.targets.purpose import ANY, Purpose
from ovgather.validation.checked import Checked, first
from ovgather.validation.diagnostic import Diagnostic
from ovgather.validation.onnx.context import OnnxFile
from ovgather.validation.rules import onnx_rules
from ovgather.validation.selection.severities import Severities, with_severities


def check(model: OnnxModel, keeps: Callable[[str], bool], purpose: Purpose = ANY) -> list[Diagnostic]:
    """The findings of the rules that ``keeps`` asks for, those of the file before those of its nodes."""
    fatal = model.problem is not None
    file = OnnxFile(model, purpose)
    findings = [finding for rule in onnx_rules() if fatal or keeps(rule.RULE.code) for finding in rule.check(file)]
    order = {node.reference: index for index, node in enumerate(file.nodes)}
    return sorted(findings, key=lambda item: (order[item.layer] if item.layer is not None else -1, item.code))


def check_model(
    model: OnnxModel,
    keeps: Callable[[str], bool],
    most: int = 0,
    severities: Severities | None = None,
    purpose: Purpose = ANY,
) -> Checked:
    """Check a model by the rules that ``keeps`` selects; ``most`` findings of a code are reported (0: all)."""
    fatal = model.problem is not None
    findings, more = first(with_severities(check(model, keeps, purpose), severities or {}), most)
    return Checked(model.path, None, model.nodes, len(gather_nodes(model)), findings, fatal, [], more)
