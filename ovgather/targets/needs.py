"""What an IR needs of the release that reads it: its IR version, its opsets, its element types."""

from collections.abc import Iterator
from typing import NamedTuple

from ovgather.ir.graph import Layer, LayerSignature
from ovgather.ir.model import Model
from ovgather.targets.reading import Reading, reading
from ovgather.targets.release import Release
from ovgather.tensor.element_type import find_data, from_port


class Need(NamedTuple):
    """One need: the datum, and the layers that have it (none for the IR version), the first ones first.

    ``kind`` is ``ir``, ``opset`` or ``element type``.
    """

    kind: str
    reading: Reading
    layers: tuple[Layer, ...] = ()


class Readers(NamedTuple):
    """The releases that read a file: from ``since`` to ``until`` (None: to this day), for want of ``highest``."""

    since: Release
    until: Release | None
    highest: Need


def needs(model: Model) -> list[Need]:
    """All that is known of what ``model`` needs, the IR version first.

    >>> from ovgather.ir.read import read
    >>> pool = b'<layer id="8" name="p" type="MaxPool" version="opset14"/>'
    >>> model = read(b'<net version="11"><layers>' + pool + b'</layers></net>')
    >>> [(need.reading.name, str(need.reading.since)) for need in needs(model)]
    [('11', '2022.1'), ('opset14', '2024.0')]
    """
    results: list[Need] = []
    version = reading(str(model.ir_version)) if model.ir_version is not None else None
    if version is not None:
        results.append(Need("ir", version))
    users: dict[tuple[str, str], list[Layer]] = {}
    answers: dict[LayerSignature, tuple[tuple[str, str], ...]] = {}
    for layer in model.layers():
        signature = layer.signature
        if signature not in answers:
            answers[signature] = tuple(_asked_by(signature))
        for need in answers[signature]:
            users.setdefault(need, []).append(layer)
    for (kind, name), layers in users.items():
        datum = reading(name)
        if datum is not None:
            results.append(Need(kind, datum, tuple(layers)))
    return results


def readers(model: Model) -> Readers | None:
    """The releases that read ``model``, as far as the file tells; None: of nothing in it a release is known.

    >>> from ovgather.ir.read import read
    >>> found = readers(read(b'<net version="10"><layers/></net>'))
    >>> str(found.since), found.until, found.highest.kind
    ('2020.1', None, 'ir')
    """
    all_needs = needs(model)
    if not all_needs:
        return None
    highest = max(all_needs, key=lambda need: (need.reading.since, need.kind != "ir"))
    ends = [need.reading.until for need in all_needs if need.reading.until is not None]
    return Readers(highest.reading.since, min(ends, default=None), highest)


def _asked_by(signature: LayerSignature) -> Iterator[tuple[str, str]]:
    if signature.version.startswith("opset"):
        yield "opset", signature.version
    names = set()
    kind = find_data(signature.data.get("element_type") or signature.data.get("destination_type") or "")
    if kind is not None:
        names.add(kind.name)
    for port in signature.outputs:
        kind = from_port(port.precision) if port.precision else None
        if kind is not None:
            names.add(kind.name)
    for name in sorted(names):
        yield "element type", name
