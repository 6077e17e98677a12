"""What ``inspect`` tells of a file, as plain records."""

from collections import Counter
from typing import NamedTuple

from ovgather.errors import short_repr
from ovgather.layers.reference import LayerReference
from ovgather.targets.needs import Readers
from ovgather.text import count


class TensorSummary(NamedTuple):
    """An input or output: its name, shape and element type, as the file declares them."""

    name: str
    shape: str
    element_type: str


class WeightsSummary(NamedTuple):
    """The ``.bin``: its path, its size, how much the file asks for, and its state in words.

    ``state`` is ``present``, ``absent``, ``too short``, ``not needed``, or what it is instead of weights.
    """

    path: str | None
    size: int | None
    needed: int
    state: str

    @property
    def words(self) -> str:
        """The same in a sentence."""
        if self.state in ("absent", "not needed") or self.size is None:
            needed = ""
            if self.needed:
                needed = f": {self.needed} bytes are needed"
            return f"weights: {self.state}{needed}"
        return f"weights: {self.path}: {self.state}, {self.size} bytes, {self.needed} needed"


class DynamicOrigin(NamedTuple):
    """A layer where dims become dynamic: its inputs have none, its output has."""

    layer: LayerReference
    shape: str


class Opset(NamedTuple):
    """An opset, how many layers ask for it, the types they have, and the release that reads it first."""

    name: str
    layers: int
    types: tuple[str, ...]
    since: str | None


class Foreign(NamedTuple):
    """Layers of one type whose version is no opset: what they belong to, and how that is loaded."""

    type: str
    layers: int
    owner: str
    load: str


class CompressedWeights(NamedTuple):
    """Weights of one form (see ``network.records.Form``): how many, their bytes with scales, those of their values."""

    stored: str
    computed: str
    group: int | None
    zero_points: str | None
    scales: str | None
    codebook: int | None
    number: int
    size: int
    plain_size: int


class TableSize(NamedTuple):
    """A constant that a Gather layer indexes: the layer, the name, the shape, how it is stored, and its bytes."""

    reader: LayerReference
    name: str
    shape: tuple[int, ...]
    form: str
    size: int


class Inspected(NamedTuple):
    """What a file is; ``error`` where it cannot be read. Of an ONNX file ``version`` is that of its format."""

    path: str
    format: str
    error: str = ""
    version: int | None = None
    producer: tuple[tuple[str, str], ...] = ()
    release: str | None = None
    readers: Readers | None = None
    opsets: tuple[Opset, ...] = ()
    foreign: tuple[Foreign, ...] = ()
    layers: int = 0
    operations: tuple[tuple[str, int], ...] = ()
    inputs: tuple[TensorSummary, ...] = ()
    outputs: tuple[TensorSummary, ...] = ()
    dynamic: tuple[DynamicOrigin, ...] = ()
    weights: WeightsSummary | None = None
    element_types: tuple[tuple[str, int], ...] = ()
    gathers: tuple[tuple[str, str], ...] = ()
    compressed: tuple[CompressedWeights, ...] = ()
    tables: tuple[TableSize, ...] = ()

    def __repr__(self) -> str:
        return f"<Inspected {short_repr(self.path)}: {self.format}, {count(self.layers, 'layer')}>"


def most_first(counted: Counter[str]) -> tuple[tuple[str, int], ...]:
    """Counts, the most frequent first.

    >>> most_first(Counter("abb"))
    (('b', 2), ('a', 1))
    """
    return tuple(sorted(counted.items(), key=lambda item: (-item[1], item[0])))
