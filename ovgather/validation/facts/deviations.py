"""Layers whose computed outputs differ from what their ports declare."""

from collections.abc import Iterable

from ovgather.forward.order import rows_in_order
from ovgather.forward.run import Forward
from ovgather.ir.graph import Graph, Layer
from ovgather.layers.tensors import dims_shape, is_exact

_MOST_ROOTS = 4
_MOST_LOOKED_AT = 200


class Deviations:
    """The layers of which an output contradicts its port; a root computes that from inputs that do not.

    Lengths of such an output also flow on as values, by way of ShapeOf: ports do not show them.
    """

    def __init__(self, forward: Forward, graphs: Iterable[Graph]) -> None:
        self._outputs = forward.outputs
        self._deviating = {layer.offset for layer in forward.deviating}
        self._roots: dict[int, tuple[Layer, ...]] = {}
        if self._deviating:
            for graph in graphs:
                self._follow(forward, graph)
        self.roots = [
            layer
            for layer in forward.deviating
            if self._roots[layer.offset][0] is layer
        ]

    def _follow(self, forward: Forward, graph: Graph) -> None:
        """Note the roots of the layers of a graph in the order of the data, of those alone that may have some."""
        behind: set[int] = set()
        for row in rows_in_order(graph):
            if (
                graph.ids[row] not in behind
                and graph.offsets[row] not in self._deviating
            ):
                continue  # to look at every layer took 2 % of the time of a file
            layer = graph.layer(row)
            roots = self._of_inputs(layer)
            if layer.offset in self._deviating:
                self._roots[layer.offset] = roots or (layer,)
            elif roots and any(
                [
                    tensor.value is not None
                    for tensor in forward.outputs.get(layer.offset, ())
                ]
            ):
                self._roots[layer.offset] = roots
            if layer.offset in self._roots:
                behind.update(graph.readers.get(layer.id, ()))

    def roots_of(self, layer: Layer) -> tuple[Layer, ...]:
        """The layers from which on the inputs of ``layer``, or its own outputs, are not those of its ports."""
        return (
            self._roots.get(layer.offset)
            or self._of_inputs(layer)
            or self._first_inexact(layer)
        )

    def _first_inexact(self, layer: Layer) -> tuple[Layer, ...]:
        """The layers from which on a computed shape is not as OpenVINO writes it: open where the port is not."""
        roots: dict[int, Layer] = {}
        waiting = [layer]
        seen = {layer.offset}
        while waiting and len(seen) < _MOST_LOOKED_AT:
            current = waiting.pop()
            sources = [
                source[0]
                for source in current.graph.producers(current)
                if source is not None
            ]
            inexact = [source for source in sources if self._is_inexact(source)]
            if not inexact and current is not layer:
                roots[current.offset] = current
            waiting += [source for source in inexact if source.offset not in seen]
            seen.update([source.offset for source in inexact])
        return tuple(roots.values())[:_MOST_ROOTS]

    def _is_inexact(self, layer: Layer) -> bool:
        pairs = zip(self._outputs.get(layer.offset, ()), layer.outputs, strict=False)
        return any(
            [
                port.dims and not is_exact(tensor.shape, dims_shape(port.dims))
                for tensor, port in pairs
            ]
        )

    def is_behind(self, layer: Layer) -> bool:
        """Whether something flows into ``layer`` that is not what ports declare."""
        return bool(self._roots) and bool(self._of_inputs(layer))

    def _of_inputs(self, layer: Layer) -> tuple[Layer, ...]:
        roots: dict[int, Layer] = {}
        ends = [
            layer,
            *(
                end
                for body in layer.bodies
                for end in body.layers
                if end.type == "Result"
            ),
        ]
        for source in [source for end in ends for source in end.graph.producers(end)]:
            if source is not None:
                for root in self._roots.get(source[0].offset, ()):
                    roots[root.offset] = root
        return tuple(roots.values())[:_MOST_ROOTS]
