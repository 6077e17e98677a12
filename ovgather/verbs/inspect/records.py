"""What ``inspect`` tells of a file, as plain records, and what two files differ in."""

from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

from ovgather.layers.reference import LayerReference, called
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


def most_first(counted: Counter[str]) -> tuple[tuple[str, int], ...]:
    """Counts, the most frequent first.

    >>> most_first(Counter("abb"))
    (('b', 2), ('a', 1))
    """
    return tuple(sorted(counted.items(), key=lambda item: (-item[1], item[0])))


class FileDifference(NamedTuple):
    """A line that two files differ in: what it is of, and what each says (empty: nothing)."""

    what: str
    left: str
    right: str


def differences(left: Inspected, right: Inspected) -> list[FileDifference]:
    """What two files differ in, line by line of what they are.

    >>> one = Inspected("m.xml", "IR", version=11)
    >>> differences(one, one), differences(one, one._replace(version=10))
    ([], [FileDifference(what='version', left='11', right='10')])
    """
    sides = dict(_lines(left)), dict(_lines(right))
    names = [*sides[0], *(name for name in sides[1] if name not in sides[0])]
    both = ((name, sides[0].get(name, ""), sides[1].get(name, "")) for name in names)
    return [FileDifference(*entry) for entry in both if entry[1] != entry[2]]


def _lines(file: Inspected) -> Iterator[tuple[str, str]]:
    yield "format", file.format
    yield "version", str(file.version)
    for name, version in file.producer:
        yield f"written by {name}", version
    if file.readers is not None:
        yield "read since", f"{file.readers.since} ({file.readers.reason})"
    yield "layers", str(file.layers)
    for operation, number in file.operations:
        yield f"layers {operation}", str(number)
    for side, tensors in (("input", file.inputs), ("output", file.outputs)):
        for tensor in tensors:
            yield f"{side} {tensor.name}", f"{tensor.shape} {tensor.element_type}"
    for origin in file.dynamic:
        yield f"dynamic from {called(origin.layer)}", origin.shape
    if file.weights is not None:
        yield "weights", f"{file.weights.state}, {count(file.weights.needed, 'byte')} needed"
    for name, number in file.element_types:
        yield f"tensors {name}", str(number)
    for name, facts in file.gathers:
        yield name, facts
