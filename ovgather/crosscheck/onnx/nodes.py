"""The Gather nodes of an ONNX file, as ``Check`` runs them: alone, and in the whole model."""

from collections.abc import Sequence

from ovgather.crosscheck.confirm import Ask, Run
from ovgather.crosscheck.onnx.alone import plan_alone
from ovgather.crosscheck.onnx.in_model import ModelRun, narrowed, plan_in_model
from ovgather.crosscheck.onnx.inputs import chosen_inputs, wanted_inputs
from ovgather.crosscheck.options import CrosscheckOptions
from ovgather.crosscheck.report import ALONE
from ovgather.layers.onnx_node import ConstantError, find_node, gather_nodes
from ovgather.onnx_file.model import OnnxModel
from ovgather.runtimes.onnx_model import UNSUPPORTED
from ovgather.runtimes.outcome import Evidence, Outcome, Skip

RUNTIMES = ("onnxruntime", "onnx-reference")


class OnnxNodes:
    def __init__(self, model: OnnxModel, options: CrosscheckOptions) -> None:
        self.model = model
        self.options = options
        self.nodes = gather_nodes(model) if options.layer is None else [find_node(model, options.layer)]
        self.path = model.path
        self.references = [node.reference for node in self.nodes]
        self.variants: list[str] = []
        self.whole_in = options.against

    def alone(self, position: int) -> dict[str, list[Run]]:
        try:
            return {ALONE: [plan_alone(self.nodes[position], self.options)]}
        except ConstantError as error:
            raise Skip(str(error), "error") from error

    def alone_on(self, position: int, evidence: Evidence) -> list[Run]:
        return []

    def in_model(self) -> tuple[Sequence[ModelRun], dict[int, Outcome]]:
        try:
            inputs = chosen_inputs(self.model, wanted_inputs(self.model), self.options)
        except Skip as skip:
            return [], dict.fromkeys(range(len(self.nodes)), skip.outcome)
        random = self.options.inputs is None
        return plan_in_model(
            self.model, dict(enumerate(self.nodes)), inputs, random, self.options.against[0], self.options.tolerance
        )

    def narrowed(self, run: ModelRun, outcomes: list[Outcome], ask: Ask) -> list[Outcome]:
        if outcomes[0].verdict in ("crash", "error", "timeout") or outcomes[0].cause == UNSUPPORTED:
            return narrowed(run, outcomes[0], ask)
        return outcomes
