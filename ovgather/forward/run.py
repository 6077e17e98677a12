"""One pass over a model, in the order of the data: the tensor of every output of every layer.

Layers with equal declarations and equal inputs are computed once: tensors that say the same are one object, so the
signature of a layer and its input tensors are a key. The time is linear in the file.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ovgather.errors import ArgumentError
from ovgather.forward import evaluate, sources
from ovgather.forward.kernels import is_only_measured, is_refused
from ovgather.forward.nodes import Nodes
from ovgather.forward.order import rows_in_order
from ovgather.forward.ports import OutputTensors, deviates, with_value
from ovgather.forward.records import LayerResult, Outputs, Refusal, find_layer
from ovgather.forward.sinking import Sunk, sunk_reshapes
from ovgather.forward.variables import (
    is_compared_on_read,
    refused_first_values,
    refused_new_values,
)
from ovgather.forward.wiring import (
    accepted_inputs,
    built_layers,
    fed_inputs,
    is_built,
    surplus_output,
    without_repeats,
)
from ovgather.ir.constants import Constant
from ovgather.ir.elements import bodies_of
from ovgather.ir.graph import Graph, Layer, LayerSignature, Port, port_with_id
from ovgather.ir.model import Model
from ovgather.ops.declaration import Declaration, Refused
from ovgather.tensor.interval import Items
from ovgather.tensor.shape import PartialShape
from ovgather.tensor.tensor import Basis, Tensor

if TYPE_CHECKING:
    from ovgather.forward.bodies.layer_subgraph import LayerSubgraph

__all__ = ["Forward", "Refusal", "forward_of"]

ASSUMED = "ovgather-unknown"
"""The type of a layer that a trial puts in the place of another: it computes what its ports declare, so that what is
behind it is checked as before."""


class Forward:
    """The tensors of a model.

    Args:
        input_shapes: other shapes of Parameters, by the offset of the layer.
        values: elements of outputs that the file lacks, or that are to be others, by the offset of the layer.
        before: the pass over the same model without other shapes, or edits, of which this one takes what stays.

    Attributes:
        outputs: the tensors of the outputs of each layer, by the offset of the layer.
        inputs: those of its inputs, if it is neither a Const nor a Parameter.
        refusals: the layers that OpenVINO refuses, in the order of the data.
        deviating: the layers that compute what their ports contradict, in the order of the data.
        tensors: those that are computed; equal ones are one object.
        agreeing: how many inputs of each graph say what the output says that feeds them, word for word.
        unchecked: how many layers that OpenVINO builds there are of each type that nobody declares.
    """

    def __init__(
        self,
        model: Model,
        input_shapes: Mapping[int, PartialShape] | None = None,
        values: Mapping[int, Items] | None = None,
        before: Forward | None = None,
    ) -> None:
        self.model = model
        self.weights = model.weights
        self.input_shapes = input_shapes or {}
        self._symbols = model.symbols
        self.values = values or {}
        self.outputs: dict[int, Outputs] = {}
        self.inputs: dict[int, list[Tensor]] = {}
        self.agreeing: dict[Graph, int] = {}
        self.refusals: list[Refusal] = []
        self.deviating: list[Layer] = []
        self.subgraphs: dict[int, LayerSubgraph] = {}
        self.unchecked: Counter[str] = Counter()
        earlier: OutputTensors | None = None
        if before is not None:
            earlier = before._of_outputs
        self._of_outputs: OutputTensors = OutputTensors(
            earlier, bool(self.input_shapes)
        )
        self._of_consts = sources.ConstTensors(model.weights, self._of_outputs.of_port)
        self.tensors = self._of_outputs.tensors
        self._results: dict[tuple[Any, ...], LayerResult] = {}
        if before is not None:
            for key, result in before._results.items():
                if not (
                    self.input_shapes
                    and any([tensor.basis for tensor in result.outputs])
                ):
                    # ports hold for the shapes of the file
                    self._results[key] = result
        self._nodes = Nodes(model.graph.signatures)
        self._sunk: Mapping[int, Sunk] = {}
        if before is not None:
            self._of_consts.take(model, before._of_consts)
            is_other = any(
                [
                    shape != before.outputs[offset][0].shape
                    for offset, shape in self.input_shapes.items()
                ]
            )
            if is_other and not before.refusals:
                self._sunk = sunk_reshapes(model.graph, before.inputs)
        self._built = built_layers()
        self.run(model.graph)
        for graph in [*model.graph.graphs()][1:]:
            self._complete(graph)
        self.refusals += refused_new_values(model.graph, self.inputs, self.outputs)
        self.refusals = [
            refusal for refusal in self.refusals if is_built(refusal.layer, self._built)
        ]
        if self.refused_on_read is None:
            self.refusals += refused_first_values(
                model.graph,
                self.inputs,
                self.outputs,
                lambda layer: is_built(layer, self._built),
            )
        del self.model  # which keeps the pass: nothing is a circle

    @property
    def constants(self) -> dict[LayerSignature, Constant]:
        """The Consts that can be read, by their signature."""
        return self._of_consts.constants

    def port_tensor(self, port: Port) -> Tensor:
        """What a port declares."""
        return self._of_outputs.of_port(port)

    @property
    def refused_on_read(self) -> Refusal | None:
        """The first refusal when OpenVINO reads or reshapes the model; others come when it compiles it for the CPU."""
        return next(iter(self.blockers), None)

    @property
    def blockers(self) -> list[Refusal]:
        """``refused_on_read``, and the others that no refused layer and no port takes part in."""
        stages = ["read"]
        if self.input_shapes:
            stages.append("reshape")
        refusals = [
            refusal for refusal in self.refusals if refusal.error.stage in stages
        ]
        others = [
            refusal for refusal in refusals[1:] if refusal.basis == Basis.COMPUTED
        ]
        return [*refusals[:1], *others]

    @property
    def has_unusual_rank(self) -> bool:
        """Whether OpenVINO computes any tensor of dynamic rank, or of more dims than the CPU takes."""
        return any([tensor.is_of_unusual_rank for tensor in self.tensors.values()])

    def _complete(self, graph: Graph) -> None:
        """Give the layers of a body that no layer runs what their ports declare."""
        for offset, signature in zip(graph.offsets, graph.signatures, strict=True):
            if offset not in self.outputs:
                self.outputs[offset] = tuple(
                    map(self._of_outputs.unchecked, signature.outputs)
                )

    def run(
        self, graph: Graph, parameters: Mapping[int, Tensor] | None = None
    ) -> list[Outputs]:
        """Compute the layers of a graph; ``parameters`` are the tensors of Parameters of a body, by layer id.

        Returns:
            The outputs of each row.
        """
        parameters = parameters or {}
        results: list[Outputs] = [()] * len(graph.ids)
        fed, rows, signatures, ids, offsets = (
            graph.fed,
            graph.rows,
            graph.signatures,
            graph.ids,
            graph.offsets,
        )
        first_outputs = [
            signature.outputs[0] if signature.outputs else None
            for signature in signatures
        ]
        agreeing = 0
        known = self._results
        consts = self._of_consts
        constants = consts.outputs
        deviating_consts = consts.deviating
        inputs_by_offset = self.inputs
        outputs_by_offset = self.outputs
        for row in rows_in_order(graph):
            signature = signatures[row]
            number = ids[row]
            if signature.type == "Const":
                outputs = constants.get(signature)
                if outputs is None:
                    outputs = consts.add(signature)
                if signature in deviating_consts:
                    self.deviating.append(graph.layer(row))
            elif signature.type == "Parameter":
                outputs = self._parameter(graph, row, parameters.get(number))
                if not self.input_shapes and any(
                    map(deviates, outputs, signature.outputs)
                ):
                    self.deviating.append(graph.layer(row))
            else:
                inputs = []
                edge = None
                for port in signature.inputs:
                    edge = fed.get((number, port.id))
                    source = None
                    if edge is not None:
                        source = rows.get(edge[0])
                    if edge is None or source is None:
                        inputs.append(self.port_tensor(port))
                        continue
                    # Most edges leave a first output: a table of outputs by their ids takes 5 of 18 ms of this loop.
                    output = first_outputs[source]
                    index = 0
                    if output is None or output.id != edge[1]:
                        output = port_with_id(signatures[source].outputs, edge[1])
                        if output is not None:
                            index = signatures[source].outputs.index(output)
                        else:
                            index = 0
                    if output is None or index >= len(results[source]):
                        inputs.append(self.port_tensor(port))
                    else:
                        inputs.append(results[source][index])
                        if output.dims == port.dims and (
                            output.precision == port.precision or not port.precision
                        ):
                            agreeing += 1
                if edge is None and inputs:
                    inputs = fed_inputs(graph, row, inputs)
                if self._sunk and offsets[row] in self._sunk:
                    signature, inputs[1] = self._sunk[offsets[row]]
                inputs_by_offset[offsets[row]] = inputs
                key = signature, *inputs
                result = known.get(key)
                if result is None:
                    result = self._compute(graph, row, signature, tuple(inputs))
                    is_shared = signature not in self._nodes.of_variable
                    if is_shared and offsets[row] not in graph.bodies:
                        known[key] = result
                outputs = result.outputs
                if result.errors or result.deviates or not result.declared:
                    self._record(graph, row, result, inputs)
            if self.values and offsets[row] in self.values:
                outputs = with_value(outputs, self.values[offsets[row]])
            results[row] = outputs_by_offset[offsets[row]] = outputs
        self.agreeing[graph] = agreeing
        return results

    def _record(
        self, graph: Graph, row: int, result: LayerResult, inputs: Sequence[Tensor]
    ) -> None:
        """Note what is unusual about a layer."""
        layer = graph.layer(row)
        self.refusals += [
            Refusal(layer, error, tuple(inputs))
            for error in result.errors
            if (
                error.is_certain or is_refused(layer, error.argument, self._is_constant)
            )
            and not (
                error.stage in ("compile", "sometimes", "run")
                and is_only_measured(layer, result.outputs)
            )
        ]
        if result.deviates:
            self.deviating.append(layer)
        if not result.declared and is_built(layer, self._built):
            self.unchecked[layer.type] += 1

    def _is_constant(self, layer: Layer) -> bool:
        """Whether a layer that the pass has come to depends on no input of the model."""
        outputs = self.outputs.get(layer.offset, ())
        return bool(outputs) and all([tensor.is_constant for tensor in outputs])

    def _compute(
        self, graph: Graph, row: int, signature: LayerSignature, inputs: Outputs
    ) -> LayerResult:
        declaration = find_layer(signature)
        if declaration is None and not bodies_of(signature.type):
            return LayerResult(
                tuple(
                    [
                        self._of_outputs.unchecked(port, signature.type == ASSUMED)
                        for port in signature.outputs
                    ]
                ),
                declared=False,
            )
        # Ports of one id have the same edge; what no edge feeds says what its own port does.
        if len(inputs) > 1 and (inputs[-1].basis or inputs[-1] in inputs[:-1]):
            inputs = without_repeats(signature.inputs, inputs)
        accepted: Outputs = inputs
        node = None
        try:
            if declaration is not None:
                accepted = accepted_inputs(declaration, inputs, self.model.ir_version)
                node = self._nodes.make(declaration, signature, accepted)
                if declaration.of_variable:
                    node.is_compared_on_read = is_compared_on_read(graph.layer(row))
            if node is None:
                outputs = self._infer_bodies(graph.layer(row), inputs)
            else:
                outputs = evaluate.infer(node)
        except Refused as error:
            return self._refused(declaration, signature, accepted, error)
        except ArgumentError as error:  # a length beyond 64 bits
            refusal = Refused("inputs", str(error))
            return LayerResult(
                tuple([self.port_tensor(port) for port in signature.outputs]),
                (refusal,),
            )
        basis: Basis = Basis.COMPUTED
        is_constant = bool(inputs) and declaration is not None and declaration.is_pure
        for tensor in inputs:
            if tensor.basis:
                basis = max(basis, tensor.basis)
            if not tensor.is_constant:
                is_constant = False
        for tensor in outputs:
            if tensor.basis:
                basis = max(basis, tensor.basis)
        if is_constant and not basis and node is not None:
            outputs = evaluate.of_constants(node, outputs)
        problem = self.subgraphs.get(graph.offsets[row]) if node is None else node
        refused = None if problem is None else problem.compile_error
        if len(signature.outputs) > len(outputs):
            refused = (
                surplus_output(graph, row, len(outputs), self.model.ir_version)
                or refused
            )
        errors = () if refused is None else (refused,)
        if not basis and (node is None or not node.lacks_value):
            tensors, is_deviating = self._of_outputs.computed(
                outputs, signature.outputs, is_constant
            )
            return LayerResult(tensors, errors, is_deviating)
        tensors = self._of_outputs.with_ports(outputs, signature, basis, is_constant)
        return LayerResult(
            tensors, errors, any(map(deviates, tensors, signature.outputs))
        )

    def _refused(
        self,
        declaration: Declaration | None,
        signature: LayerSignature,
        inputs: Outputs,
        error: Refused,
    ) -> LayerResult:
        """All that is wrong with a refused layer; of its outputs its ports say what is not known without it."""
        error = error.without_frames()
        ports = signature.outputs
        outputs = tuple([self.port_tensor(port) for port in ports])
        if declaration is None:
            return LayerResult(outputs, (error,))
        from ovgather.forward import refused

        data = self._nodes.data(declaration, signature)
        rest = refused.looked_at(declaration, signature, data, inputs, error)
        if any(tensor.basis for tensor in inputs):
            return LayerResult(outputs, rest.errors)
        is_deviating = any(map(deviates, rest.outputs, ports))
        if is_deviating:
            outputs = self._of_outputs.with_ports(
                rest.outputs, signature, Basis.PORT, False
            )
        return LayerResult(outputs, rest.errors, is_deviating)

    def _infer_bodies(self, layer: Layer, inputs: Outputs) -> list[Tensor]:
        # few files have any, and the modules take 3 ms
        from ovgather.forward import bodies

        return bodies.infer(self, layer, inputs)

    def _parameter(self, graph: Graph, row: int, given: Tensor | None) -> Outputs:
        if given is not None:
            return (given,)
        offset = graph.offsets[row]
        shape, kind, basis = sources.declared_facts(graph.signatures[row])
        flowing = self.input_shapes.get(offset) or self._symbols.get(offset, shape)
        symbolic = sources.with_symbols(flowing, offset)
        return (self.tensors.one(symbolic, kind, None, basis, is_stored=True),)


def forward_of(model: Model, before: Forward | None = None) -> Forward:
    """The pass over a model as it stands; computed once for each model and ``.bin``."""
    known: Forward | None = vars(model).get("_forward")
    if known is None or known.weights is not model.weights:
        known = vars(model)["_forward"] = Forward(model, before=before)
    return known
