"""What an IR needs of the release that reads it: its IR version, its opsets, its element types."""

from collections.abc import Iterator
from typing import NamedTuple

from ovgather.ir.graph import Layer, LayerSignature
from ovgather.ir.model import Model
from ovgather.targets.release import Reading, Release, reading
from ovgather.tensor.element_type import find_data, from_port


class Need(NamedTuple):
    kind: str  # "ir", "opset" or "element type"
    reading: Reading
    # those that have it, the first ones first; none for the IR version
    layers: tuple[Layer, ...] = ()


class Readers(NamedTuple):
    """The releases that read a file: from ``since`` to ``until`` (None: to this day).

    ``highest`` is the name of what asks for the first of them, and ``reason`` names its layer as well.
    """

    since: Release
    until: Release | None
    highest: str
    reason: str

    @property
    def span(self) -> str:
        """The releases in words: ``2021.4 and later``."""
        if self.until is None:
            return f"{self.since} and later"
        return f"{self.since} to {self.until}"


def needs(model: Model) -> list[Need]:
    """All that is known of what ``model`` needs, the IR version first.

    >>> from ovgather.ir.read import read
    >>> pool = b'<layer id="8" name="p" type="MaxPool" version="opset14"/>'
    >>> model = read(b'<net version="11"><layers>' + pool + b'</layers></net>')
    >>> [(need.reading.name, str(need.reading.since)) for need in needs(model)]
    [('11', '2022.1'), ('opset14', '2024.0')]
    """
    version = reading(str(model.ir_version))
    users: dict[tuple[str, str], list[Layer]] = {}
    answers: dict[LayerSignature, tuple[tuple[str, str], ...]] = {}
    for layer in model.layers():
        signature = layer.signature
        if signature not in answers:
            answers[signature] = tuple(_asked_by(signature))
        for need in answers[signature]:
            users.setdefault(need, []).append(layer)
    of_layers = (
        (kind, reading(name), tuple(layers)) for (kind, name), layers in users.items()
    )
    known = (
        Need(kind, datum, layers)
        for kind, datum, layers in of_layers
        if datum is not None
    )
    return [*([Need("ir", version)] if version is not None else []), *known]


def readers(model: Model) -> Readers | None:
    """The releases that read ``model``, as far as the file tells; None: of nothing in it a release is known.

    >>> from ovgather.ir.read import read
    >>> since, until, highest, reason = readers(read(b'<net version="10"><layers/></net>'))
    >>> str(since), until, highest, reason
    ('2020.1', None, '10', 'IR version 10')
    """
    all_needs = needs(model)
    if not all_needs:
        return None
    highest = max(all_needs, key=lambda need: (need.reading.since, need.kind != "ir"))
    ends = [need.reading.until for need in all_needs if need.reading.until is not None]
    return Readers(
        highest.reading.since,
        min(ends, default=None),
        highest.reading.name,
        _reason(highest),
    )


def _reason(need: Need) -> str:
    name = need.reading.name
    if need.kind == "ir":
        return f"IR version {name}"
    layer = need.layers[0]
    if need.kind == "opset":
        return f"{layer.type} {name} (layer {layer.id})"
    return f"element type {name} (layer {layer.id}, {layer.type})"


def _asked_by(signature: LayerSignature) -> Iterator[tuple[str, str]]:
    if signature.version.startswith("opset"):
        yield "opset", signature.version
    kinds = [
        find_data(
            signature.data.get("element_type")
            or signature.data.get("destination_type")
            or ""
        )
    ]
    kinds += [from_port(port.precision) for port in signature.outputs if port.precision]
    for name in sorted({kind.name for kind in kinds if kind is not None}):
        yield "element type", name
