"""Where what the layers compute parts from what their ports declare."""

from ovgather.forward.run import Forward
from ovgather.ir.graph import Layer

_MOST_ROOTS = 4


class Deviations:
    """The layers of which an output contradicts its port; a root computes that from inputs that do not."""

    def __init__(self, forward: Forward) -> None:
        self._roots: dict[int, tuple[Layer, ...]] = {}
        for layer in forward.deviating:
            self._roots[layer.offset] = self._of_inputs(layer) or (layer,)
        self.roots = [layer for layer in forward.deviating if self._roots[layer.offset][0] is layer]

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
