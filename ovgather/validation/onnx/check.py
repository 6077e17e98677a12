"""ONNX model -> diagnostics: every problem of its Gather family, in the order of the file."""

from collections.abc import Callable

from ovgather.layers.onnx_node import gather_nodes
from ovgather.onnx_file.model import OnnxModel
from ovgather.targets.purpose import ANY, Purpose
from ovgather.validation.checked import Checked, first
from ovgather.validation.diagnostic import Diagnostic
from ovgather.validation.rules.onnx import rules
from ovgather.validation.rules.onnx.portability import target_device, target_release
from ovgather.validation.selection.severities import Severities, with_severities


def check(model: OnnxModel, keeps: Callable[[str], bool], purpose: Purpose = ANY) -> list[Diagnostic]:
    """The findings of the rules that ``keeps`` asks for, those of the file before those of its nodes."""
    fatal = model.problem is not None
    findings = [finding for rule in rules() if fatal or keeps(rule.CODE) for finding in rule.check(model)]
    for rule in (target_release, target_device):
        findings += rule.check_for(model, purpose) if not fatal and keeps(rule.CODE) else ()
    order = {node.reference: index for index, node in enumerate(gather_nodes(model))}
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
