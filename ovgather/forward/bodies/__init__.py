"""If, Loop and TensorIterator: the tensors that flow into their bodies, and out of them.

- May know: the rest of ``forward`` but ``run``, which it knows as a ``LayerEngine``.
- A new file: a type of layer with bodies, or what several of them have in common.
- Enters: the tensors of a layer's inputs. Leaves: those of its outputs, and what ``LayerEngine`` notes of the bodies.
"""

from __future__ import annotations

from ovgather.forward.bodies.body import Unfollowed
from ovgather.forward.bodies.branches import infer_if
from ovgather.forward.bodies.engine import LayerEngine
from ovgather.forward.bodies.layer_subgraph import LayerSubgraph
from ovgather.forward.bodies.loop import infer_iterator, infer_loop
from ovgather.forward.bodies.subgraph import Rule
from ovgather.ir.graph import Layer
from ovgather.tensor.tensor import Basis, Tensor

MOST_DEPTH = 24
_RULES: dict[str, Rule] = {
    "if": infer_if,
    "loop": infer_loop,
    "tensoriterator": infer_iterator,
}


def infer(
    forward: LayerEngine, layer: Layer, inputs: tuple[Tensor, ...]
) -> list[Tensor]:
    """The outputs of a layer with bodies."""
    subgraph = forward.subgraphs.get(layer.offset)
    if subgraph is None:
        if layer.graph.depth >= MOST_DEPTH:
            _pass_over(forward, layer)
            return _declared_outputs(forward, layer)
        parent = layer.graph.parent
        around = None
        if parent is not None:
            around = forward.subgraphs.get(parent.offset)
        subgraph = forward.subgraphs[layer.offset] = LayerSubgraph(
            layer, _RULES[layer.type.lower()], around
        )
    try:
        return subgraph.infer(forward, inputs)
    except Unfollowed:
        if not subgraph.is_left:
            subgraph.is_left = True
            _pass_over(forward, layer)
        return _declared_outputs(forward, layer)
    finally:
        if not layer.graph.depth:
            _report(forward, layer)


def _declared_outputs(forward: LayerEngine, layer: Layer) -> list[Tensor]:
    tensors = [forward.port_tensor(port) for port in layer.outputs]
    return [
        forward.tensors.one(each.shape, each.element_type, None, Basis.UNCHECKED)
        for each in tensors
    ]


def _pass_over(forward: LayerEngine, layer: Layer) -> None:
    """Give the layers of bodies that are not followed what their ports declare."""
    for body in layer.bodies:
        for graph in body.graphs():
            for inner in graph.layers:
                forward.outputs[inner.offset] = tuple(_declared_outputs(forward, inner))


def _report(forward: LayerEngine, layer: Layer) -> None:
    """Note what is unusual about the bodies of a layer, as they have last been computed."""
    for graph in [graph for body in layer.bodies for graph in body.graphs()]:
        subgraph = None
        if graph.parent is not None:
            subgraph = forward.subgraphs.get(graph.parent.offset)
        if subgraph is not None:
            for body in subgraph.bodies:
                if body.graph is graph:
                    forward.deviating += body.deviating
                    forward.unchecked.update(body.unchecked)
