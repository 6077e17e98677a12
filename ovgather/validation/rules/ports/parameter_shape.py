"""What: the ``shape`` of a Parameter is not a list of dims such as ``2,1..7,?`` (a dynamic rank is ``...``), or has a
dim that OpenVINO reads as another: a negative one, an interval with swapped ends, one beyond 63 bits. A Parameter
without ``<data>`` is an error. One without ``shape`` is a scalar, which is a warning. An empty ``<data>`` is a warning
too, or an error if the Parameter feeds a Gather layer.

Why: all shapes of the model follow from it.

OpenVINO: rejects text such as ``2,,3`` and ``+2``. It silently reads ``-2`` as 0, ``5..1`` as an empty interval
(printed as ``?``, but no length fits it), 2^63 - 1 as ``?``, and 2^63 as 0. It reads an empty ``<data>`` as a scalar of
dynamic type, even if another ``<data>`` follows, and rejects the file if that does not fit a layer.

Bad::
    <data shape="-2,7,5" element_type="f32"/>
Good::
    <data shape="?,7,5" element_type="f32"/>
"""

import re
from collections.abc import Callable
from functools import cache, partial

from ovgather.ir.graph import Layer
from ovgather.layers.gather_layer import GatherLayer
from ovgather.layers.tensors import SCALAR
from ovgather.tensor import element_type
from ovgather.tensor.element_type import ElementType
from ovgather.tensor.shape import PartialShape
from ovgather.validation.context import Diagnostic, File, Findings, Rule
from ovgather.validation.facts.by_ports import verdict_on_inputs

RULE = Rule(
    "OVG210", "shape of a Parameter that is invalid or read as another", ("error", "warning"), ("rejects", "accepts")
)
_DIM = r"\s*(?:-?[0-9]+|-?[0-9]*\.\.-?[0-9]*|-|\?)\s*"
_TAKEN = re.compile(rf"\s*(\[)?{_DIM}(?:,{_DIM})*(?(1)\])\s*", re.ASCII)
_LARGEST = (1 << 63) - 1


def check(file: File) -> Findings:
    takers = cache(partial(_takers, file))
    for layer in file.layers_of(["Parameter"]):
        text = layer.data.get("shape")
        message = _problem(text) if text is not None else None
        if text is None:
            yield _absent(file, layer, takers)
        elif message is not None:
            verdict, effect, span = "rejects", "rejects it", file.data_span(layer, "shape")
            if _TAKEN.fullmatch(text):
                shape = _as_read(text)
                verdict, effect = "accepts", f"reads it as {shape}"
                # An empty interval fits some layers and not others.
                parsed = PartialShape.parse(shape) if shape.endswith("]") else None
                unfit = _unfit(file, layer, parsed, None, takers()) if parsed is not None else None
                if unfit is not None:
                    verdict, effect = "rejects", effect + _does_not_fit(unfit)
            yield file.report(RULE, message, span, layer, verdict, effect)


def _absent(file: File, layer: Layer, takers: Callable[[], dict[Layer, list[GatherLayer]]]) -> Diagnostic:
    span, data = file.layer_span(layer, "type"), file.element(layer).first("data")
    if data is None:
        return file.report(RULE, "Parameter without <data>", span, layer)
    unfit = None if layer.data else _unfit(file, layer, SCALAR, element_type.find("dynamic"), takers())
    if unfit is not None:
        effect, span = "takes it for a scalar of dynamic type" + _does_not_fit(unfit), data.name_span
        message = "Parameter with an empty <data>"
        return file.report(RULE, message, span, layer, effect=effect, needs=unfit)
    message = "Parameter without shape: it is a scalar"
    return file.report(RULE, message, span, layer, "accepts", "takes it for a scalar", severity="warning")


def _does_not_fit(unfit: Layer) -> str:
    return f', which does not fit layer {unfit.id} "{unfit.name}"'


def _problem(text: str) -> str | None:
    for dim in text.split(","):
        for number in re.findall(r"-?[0-9]+", dim):
            plain = dim.strip(" \t[]") == number  # as the end of an interval, the largest number stands for no end
            if int(number[:40]) > _LARGEST - plain:
                return f"shape {text!r}: dim {number} is too large"
    try:
        PartialShape.parse(text)
    except ValueError as error:
        return str(error)
    return None


def _as_read(text: str) -> str:
    """The shape that OpenVINO makes of dims that it takes.

    >>> _as_read("-2,7,9223372036854775808"), _as_read("[-3..4, 5..1, 1..9223372036854775808]")
    ('[0,7,0]', '[..4,?,1..], where no length fits the ? of 5..1')
    """
    dims = [piece.strip() for piece in text.strip().strip("[]").split(",")]
    empty = [dim for dim in dims if _is_empty(dim)]
    shape = ",".join("?" if dim in empty else _dim_as_read(dim) for dim in dims)
    return f"[{shape}]" + (f", where no length fits the ? of {empty[0]}" if empty else "")


def _takers(file: File) -> dict[Layer, list[GatherLayer]]:
    """The Gather layers that each Parameter feeds."""
    takers: dict[Layer, list[GatherLayer]] = {}
    for gather in file.gather_layers:
        sources = [gather.layer.producer(index) for index in range(len(gather.layer.inputs))]
        for parameter in dict.fromkeys(source[0] for source in sources if source is not None):
            takers.setdefault(parameter, []).append(gather)
    return takers


def _unfit(
    file: File, parameter: Layer, shape: PartialShape, kind: ElementType | None, takers: dict[Layer, list[GatherLayer]]
) -> Layer | None:
    """The first Gather layer that cannot take ``parameter`` with ``shape`` and, if given, element type."""
    for gather in takers.get(parameter, ()):
        shapes, kinds = list(gather.shapes), list(gather.element_types)
        for index in range(len(shapes)):
            source = gather.layer.producer(index)
            if source is not None and source[0] is parameter:
                shapes[index], kinds[index] = shape, kind
        changed = kind is not None or shapes != gather.shapes
        if (
            changed
            and len(shapes) > 1
            and file.is_built(gather.layer)
            and _rejects(gather, shapes, kinds if kind else None)
        ):
            return gather.layer
    return None


def _rejects(gather: GatherLayer, shapes: list[PartialShape], kinds: list[ElementType | None] | None) -> bool:
    errors = gather.operation.check(shapes, axis=gather.axis, batch_dims=gather.batch_dims, element_types=kinds)
    if kinds is None:
        return bool(errors)
    return any(verdict_on_inputs(gather, error.kind) == "rejects" for error in errors)


def _dim_as_read(dim: str) -> str:
    low, interval, high = dim.partition("..")
    if not interval:
        unknown = dim in ("?", "-1", str(_LARGEST))
        return "?" if unknown else str(_number(dim) if 0 <= _number(dim) < _LARGEST else 0)
    least = max(0, _number(low))
    most = high if high and _number(high) < _LARGEST else ""
    return f"{least or ''}..{most}" if least or most else "?"


def _is_empty(dim: str) -> bool:
    low, interval, high = dim.partition("..")
    return bool(interval and high) and _number(high) < max(0, _number(low))


def _number(text: str) -> int:
    return int(text[:40]) if text.strip("-") else 0
