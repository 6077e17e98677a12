"""Where what the layers compute parts from what their ports declare."""

from collections.abc import Iterable

from ovgather.forward.order import rows_in_order
from ovgather.forward.run import Forward
from ovgather.ir.graph import Graph, Layer

_MOST_ROOTS = 4


class Deviations:
    """The layers of which an output contradicts its port; a root computes that from inputs that do not.

    Lengths of such an output also flow on as values, by way of ShapeOf: ports do not show them.
    """

    def __init__(self, forward: Forward, graphs: Iterable[Graph]) -> None:
        self._deviating = {layer.offset for layer in forward.deviating}
        self._roots: dict[int, tuple[Layer, ...]] = {}
        for graph in graphs if self._deviating else ():
            self._follow(forward, graph)
        self.roots = [layer for layer in forward.deviating if self._roots[layer.offset][0] is layer]

    def _follow(self, forward: Forward, graph: Graph) -> None:
        """Note the roots of the layers of a graph in the order of the data, of those alone that may have some."""
        behind: set[int] = set()
        for row in rows_in_order(graph):
            if graph.ids[row] not in behind and graph.offsets[row] not in self._deviating:
                continue  # to look at every layer took 2 % of the time of a file
            layer = graph.layer(row)
            roots = self._of_inputs(layer)
            if layer.offset in self._deviating:
                self._roots[layer.offset] = roots or (layer,)
            elif roots and any([tensor.value is not None for tensor in forward.outputs.get(layer.offset, ())]):
                self._roots[layer.offset] = roots
            if layer.offset in self._roots:
                behind.update(graph.readers.get(layer.id, ()))

    def roots_of(self, layer: Layer) -> tuple[Layer, ...]:
        """The layers from which on the inputs of ``layer``, or its own outputs, are not those of its ports."""
        return self._roots.get(layer.offset) or self._of_inputs(layer)

    def is_behind(self, layer: Layer) -> bool:
        """Whether something flows into ``layer`` that is not what ports declare."""
        return bool(self._roots) and bool(self._of_inputs(layer))

    def _of_inputs(self, layer: Layer) -> tuple[Layer, ...]:
        roots: dict[int, Layer] = {}
        for source in layer.graph.producers(layer):
            for root in self._roots.get(source[0].offset, ()) if source is not None else ():
                roots[root.offset] = root
        return tuple(roots.values())[:_MOST_ROOTS]
