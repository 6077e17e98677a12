"""The Gather nodes of an ONNX file, as ``Check`` runs them: alone, and in the whole model."""

from __future__ import annotations

from collections.abc import Sequence

from ovgather.crosscheck.check import Run
from ovgather.crosscheck.confirm import Ask
from ovgather.crosscheck.in_model.inputs import given_inputs
from ovgather.crosscheck.onnx.alone import plan_alone
from ovgather.crosscheck.onnx.in_model import ModelRun, narrowed, plan_in_model
from ovgather.crosscheck.onnx.inputs import random_inputs, wanted_inputs
from ovgather.crosscheck.options import CrosscheckOptions
from ovgather.crosscheck.report import ALONE
from ovgather.layers.onnx_node import ConstantError, find_node, gather_nodes
from ovgather.onnx_file.model import OnnxModel
from ovgather.ops.sampling.values import generator
from ovgather.runtimes import pool
from ovgather.runtimes.onnx_model import UNSUPPORTED, require_external_data
from ovgather.runtimes.outcome import Outcome
from ovgather.runtimes.request import Skip

RUNTIMES = ("onnxruntime", "onnx-reference")


class OnnxNodes:
    """See ``check.Layers``."""

    def __init__(self, model: OnnxModel, options: CrosscheckOptions) -> None:
        self.model = model
        self.options = options
        self.nodes = gather_nodes(model) if options.layer is None else [find_node(model, options.layer)]
        self.path = model.path
        self.references = [node.reference for node in self.nodes]
        self.variants: list[str] = []
        self.whole_in = options.against

    def command(self, runtime: str) -> Sequence[str]:
        """See ``check.Layers``."""
        return pool.command(runtime)

    def alone(self, position: int) -> dict[str, Run]:
        """See ``check.Layers``."""
        try:
            return {ALONE: plan_alone(self.nodes[position], self.options)}
        except ConstantError as error:
            raise Skip(str(error), "error") from error

    def in_model(self) -> tuple[Sequence[ModelRun], dict[int, Outcome]]:
        """See ``check.Layers``."""
        given = self.options.inputs
        try:
            wanted = wanted_inputs(self.model)
            require_external_data(self.model)
            if given is not None:
                arrays = given_inputs(self.path, wanted, given)
                inputs = {want.name: array for want, array in zip(wanted, arrays, strict=True)}
            else:
                inputs = random_inputs(self.model, wanted, generator(self.options.seed))
        except Skip as skip:
            return [], dict.fromkeys(range(len(self.nodes)), skip.outcome)
        return plan_in_model(self.model, self.nodes, inputs, given is None, self.options.against[0])

    def narrowed(self, run: ModelRun, outcomes: list[Outcome], ask: Ask) -> list[Outcome]:
        """See ``check.Layers``."""
        if outcomes[0].verdict in ("crash", "error") or outcomes[0].cause == UNSUPPORTED:
            return narrowed(run, outcomes[0], ask)
        return outcomes
