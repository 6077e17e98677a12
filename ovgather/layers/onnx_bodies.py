"""The bodies of nodes of ONNX, as the rules of layers with bodies compute them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from ovgather.forward.bodies.body import Body, Learned
from ovgather.forward.bodies.engine import Engine
from ovgather.forward.bodies.subgraph import Subgraph
from ovgather.layers.conversion.call import BodyForm, layer_output, scalar
from ovgather.onnx_file.graphs import (
    OnnxGraph,
    Values,
    names_of,
    names_read,
    needed_nodes,
    node_name,
)
from ovgather.tensor.tensor import Tensor


class NodeEngine(Engine, Protocol):
    """The pass through the nodes of a model."""

    def tensor(self, values: Values, name: str) -> Tensor:
        """What is known of a value."""

    def follow_body(
        self, graph: OnnxGraph, values: Values, given: Mapping[str, Tensor]
    ) -> None:
        """Compute the nodes of a body whose inputs are ``given``, and note what is unusual about them."""


class NodeBody(Body):
    """The body of a node; its Parameters and Results have the places of its inputs and outputs as ids."""

    def __init__(
        self,
        name: str,
        learned: Learned,
        graph: OnnxGraph,
        values: Values,
        form: BodyForm,
    ) -> None:
        super().__init__(name, learned)
        self.graph = graph
        self.values = values
        self.form = form
        self._captured = [
            name
            for name in sorted(names_of(graph.proto))
            if values.owner(name)[0] not in (None, values)
        ]
        self._parameters: dict[int, Tensor] = {}
        self._results: list[Tensor] = []

    def captured(self, forward: NodeEngine) -> Mapping[str, Tensor]:
        return {name: forward.tensor(self.values, name) for name in self._captured}

    def compute(self, forward: NodeEngine, given: Mapping[int, Tensor]) -> None:
        inputs = {}
        for place, item in enumerate(self.graph.proto.input):
            tensor = given.get(place)
            if tensor is None:
                tensor = forward.tensor(self.values, item.name)
                kind = self.form.kinds.get(place, tensor.element_type)
                self._parameters[place] = Tensor(tensor.shape, kind)
                continue
            self._parameters[place] = tensor
            axis = self.form.squeezed.get(place)
            if axis is not None:
                tensor = layer_output("Squeeze", tensor, scalar(axis))
            inputs[item.name] = tensor
        forward.follow_body(self.graph, self.values, inputs)
        self._results = [
            forward.tensor(self.values, item.name) for item in self.graph.proto.output
        ]
        if self.form.first_result is not None:
            self._results[0] = self.form.first_result
        for place, axis in self.form.unsqueezed.items():
            result = layer_output("Unsqueeze", self._results[place], scalar(axis))
            self._results[place] = result

    def parameter(self, id: int) -> Tensor:
        return self._parameters[id]

    def result(self, id: int) -> Tensor:
        return self._results[id]

    def passed(self, id: int) -> int | None:
        return None

    def takes_exact(self, forward: NodeEngine, id: int) -> bool:
        return True

    def used(self) -> set[int]:
        read = {name for node in self._needed() for name in names_read(node)}
        read.update(item.name for item in self.graph.proto.output)
        names = [item.name for item in self.graph.proto.input]
        return {place for place, name in enumerate(names) if name in read}

    def _needed(self) -> list[Any]:
        nodes = self.graph.proto.node
        return [nodes[place] for place in needed_nodes(self.graph.proto)]

    def nested_iterator(self) -> str | None:
        for node in self._needed():
            if node.op_type == "Scan":
                return node_name(node, 0)
        return None


class NodeSubgraph(Subgraph):
    """A node with bodies."""

    def __init__(
        self,
        form: BodyForm,
        number: int,
        bodies: Sequence[tuple[OnnxGraph, Values]],
        around: Subgraph | None,
    ) -> None:
        super().__init__(form.type, number, form.rule, around)
        self.form = form
        self.maps = [*form.maps]
        self._graphs = bodies
        self._captured: list[Mapping[str, Tensor]] = []

    def infer(self, forward: Any, inputs: tuple[Tensor, ...]) -> list[Tensor]:
        captured = [each.captured(forward) for each in self.bodies]
        if captured != self._captured:
            self._captured = captured
            self.forget()
        return super().infer(forward, inputs)

    def construct(self, forward: NodeEngine) -> None:
        for name, (graph, values) in zip(self.form.names, self._graphs, strict=True):
            body = NodeBody(name, self.learned, graph, values, self.form)
            self.bodies.append(body)
            body.run(forward, {})

    def takes_exact(self, forward: NodeEngine, index: int) -> bool:
        return True

    def require_outputs(self, forward: NodeEngine, count: int) -> None:
        """The pass itself looks for outputs that are not given."""
