"""What: one length is replaced by another one in many ports, as a search and replace leaves it.
Why: with the old length in all of them the ports agree with what the layers compute.
Bad::
    <dim>321</dim> in 40 ports, where the layers compute 160
Good::
    <dim>160</dim>
"""

import re
from collections import Counter
from collections.abc import Iterator

from ovgather.forward.ports import port_type
from ovgather.ir.graph import Layer
from ovgather.tensor import element_type
from ovgather.validation.diagnosis.case import Case
from ovgather.validation.diagnosis.hypothesis import Hypothesis, edits_of

ORDER = 7
_LEAST = 3
_MOST = 2
_Place = tuple[Layer, str, int, int]
"""A dim: a layer, the side and the index of its port, and the index of the dim."""


def propose(case: Case) -> Iterator[Hypothesis]:
    places: dict[tuple[int, int], list[_Place]] = {}
    for layer in case.file.layers:
        for side, ports, tensors in (
            ("output", layer.outputs, case.file.forward.outputs.get(layer.offset, ())),
            ("input", layer.inputs, case.inputs_of(layer)),
        ):
            for index, (port, tensor) in enumerate(zip(ports, tensors, strict=False)):
                for at, (said, dim) in enumerate(
                    zip(port.dims, tensor.shape.dims or (), strict=False)
                ):
                    if said >= 0 and dim.is_static and dim.length != said:
                        places.setdefault((said, dim.length), []).append(
                            (layer, side, index, at)
                        )
    for pair in sorted(places, key=lambda pair: -len(places[pair]))[:_MOST]:
        if len(places[pair]) >= _LEAST:
            yield _hypothesis(case, *pair, places[pair])._replace(
                reach=len(places[pair])
            )
    for (written, right), count in _precisions(case).most_common(_MOST):
        if count >= _LEAST:
            yield _of_precision(case, written, right)._replace(reach=count)
            yield from _of_data(case, written, right, count)


def _precisions(case: Case) -> Counter[tuple[str, str]]:
    """The precisions of output ports, with those of what the layers compute, where these differ."""
    pairs = Counter[tuple[str, str]]()
    for layer in case.file.layers:
        for port, tensor in zip(
            layer.outputs, case.file.forward.outputs.get(layer.offset, ()), strict=False
        ):
            kind = element_type.find(tensor.element_type)
            if (
                port.precision
                and kind is not None
                and tensor.element_type != port_type(port) != "dynamic"
            ):
                pairs[port.precision, kind.port] += kind.name != "dynamic"
    return pairs


def _of_precision(case: Case, written: str, right: str) -> Hypothesis:
    pattern = rb"""precision\s*=\s*["'](%s)["']""" % re.escape(written.encode())
    places = [match.span(1) for match in re.finditer(pattern, case.source.data)]
    what = f"{len(places)} precisions are {right}, not {written}"
    message = f"{len(places)} precisions are {written} where layers compute {right}: all of them were probably replaced"
    edits = edits_of(case.source, [(place, right) for place in places], what)
    return Hypothesis(
        "replaced",
        message,
        None,
        places[0],
        edits,
        what,
        1.6,
        help=f"write {right} again",
        safe=True,
    )


def _of_data(case: Case, written: str, right: str, count: int) -> Iterator[Hypothesis]:
    """The ports are right, and the types in ``<data>`` were replaced."""
    meant = element_type.from_port(written)
    replaced = element_type.from_port(right)
    if meant is None or replaced is None:
        return
    pattern = (
        rb"""(?:element_type|destination_type)\s*=\s*["'](%s)["']"""
        % replaced.name.encode()
    )
    places = [match.span(1) for match in re.finditer(pattern, case.source.data)]
    if len(places) < _LEAST:
        return
    what = f"{len(places)} element types are {meant.name}, not {replaced.name}"
    message = f"{len(places)} element types in <data> are {replaced.name} where {count} ports say {written}"
    message += ": all of them were probably replaced"
    edits = edits_of(case.source, [(place, meant.name) for place in places], what)
    help = f"write {meant.name} again"
    yield Hypothesis(
        "replaced", message, None, places[0], edits, what, 1.6, help=help, reach=count
    )


def _hypothesis(case: Case, said: int, length: int, places: list[_Place]) -> Hypothesis:
    ports = [
        (case.element(layer).ports(side)[index].named("dim"), at)
        for layer, side, index, at in places
    ]
    spans = [dims[at].text_span for dims, at in ports if at < len(dims)]
    what = f"{len(spans)} dims are {length}, not {said}"
    message = f"{len(spans)} dims are {said} where the layers compute {length}: all of them were probably replaced"
    edits = edits_of(case.source, [(span, str(length)) for span in spans], what)
    return Hypothesis(
        "replaced",
        message,
        None,
        spans[0],
        edits,
        what,
        1.6,
        help=f"write {length} again",
        safe=True,
    )
