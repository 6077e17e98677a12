"""Two files -> what they differ in."""

from collections.abc import Iterator
from typing import NamedTuple

from ovgather.layers.reference import called
from ovgather.text import count
from ovgather.verbs.inspect.records import Inspected


class Difference(NamedTuple):
    """A line that two files differ in: what it is of, and what each says (empty: nothing)."""

    what: str
    left: str
    right: str


def differences(left: Inspected, right: Inspected) -> list[Difference]:
    """What two files differ in, line by line of what they are.

    >>> one = Inspected("m.xml", "IR", version=11)
    >>> differences(one, one), differences(one, one._replace(version=10))
    ([], [Difference(what='version', left='11', right='10')])
    """
    sides = dict(_lines(left)), dict(_lines(right))
    names = [*sides[0], *(name for name in sides[1] if name not in sides[0])]
    both = ((name, sides[0].get(name, ""), sides[1].get(name, "")) for name in names)
    return [Difference(*entry) for entry in both if entry[1] != entry[2]]


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
