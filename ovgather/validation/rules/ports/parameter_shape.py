"""What: the ``shape`` of a Parameter is not a list of dims such as ``2,1..7,?`` (a dynamic rank is ``...``), or has a
dim that OpenVINO reads as another: a negative one, an interval with swapped ends, one beyond 63 bits. A Parameter
without ``<data>`` is an error, and so is one with an empty ``<data>``. One without ``shape`` is a scalar, which is a
warning.
Why: all shapes of the model follow from it.
OpenVINO: rejects text such as ``2,,3`` and ``+2``. It silently reads ``-2`` as 0, ``5..1`` as an empty interval
(printed as ``?``, but no length fits it), 2^63 - 1 as ``?``, and 2^63 as 0. It reads an empty ``<data>`` as a scalar of
dynamic type, even if another ``<data>`` follows: it rejects the file if that does not fit a layer, and does not compile
it for the CPU otherwise.
Bad::
    <data shape="-2,7,5" element_type="f32"/>
Good::
    <data shape="?,7,5" element_type="f32"/>
"""

import re

from ovgather.forward.parameter_shape import LARGEST, shape_as_read
from ovgather.validation.context import (
    Diagnostic,
    File,
    Findings,
    Layer,
    PartialShape,
    Place,
    Rule,
)
from ovgather.validation.facts.flow import refused_behind

RULE = Rule(
    "OVG210",
    "shape of a Parameter that is invalid or read as another",
    "error warning",
    "rejects rejects_on_compile accepts undefined",
)
_UNFIT = ', which does not fit layer {0.id} "{0.name}"'


def check(file: File) -> Findings:
    for layer in file.layers_of(["Parameter"]):
        text = layer.data.get("shape")
        if text is None:
            yield _absent(file, layer)
        elif (message := _problem(text)) is not None:
            verdict = "rejects"
            effect = "rejects it"
            shape = shape_as_read(text)
            if shape is not None:
                verdict = "accepts"
                effect = f"reads it as {shape}"
                wrong = refused_behind(file, layer)
                if not shape.endswith(
                    "]"
                ):  # an empty interval fits some layers and not others
                    verdict = "undefined"
                elif wrong is not None:
                    verdict = "rejects"
                    effect = effect + _UNFIT.format(wrong)
            yield file.report(RULE, message, "data/shape", layer, verdict, effect)


def _absent(file: File, layer: Layer) -> Diagnostic:
    data = file.element(layer).first("data")
    if data is None:
        return file.report(RULE, "Parameter without <data>", "type", layer)
    if not layer.data:
        return _untyped(file, layer, data.name_span)
    message = "Parameter without shape: it is a scalar"
    return file.report(
        RULE,
        message,
        "type",
        layer,
        "accepts",
        "takes it for a scalar",
        severity="warning",
    )


def _untyped(file: File, layer: Layer, place: Place) -> Diagnostic:
    """An empty <data>: what a body makes of the scalar is not known."""
    message = "Parameter with an empty <data>"
    effect = "takes it for a scalar of dynamic type"
    wrong = refused_behind(file, layer)
    verdict = "rejects"
    if wrong is not None:
        effect += _UNFIT.format(wrong)
    elif layer.graph.parent is None:
        verdict = "rejects_on_compile"
        effect += ", which the CPU rejects"
    else:
        verdict = "undefined"
        effect += ", which layers of the body or the CPU may reject"
    return file.report(RULE, message, place, layer, verdict, effect, needs=wrong)


def _problem(text: str) -> str | None:
    for dim in text.split(","):
        for number in re.findall(r"-?[0-9]+", dim):
            # As the end of an interval, the largest number stands for no end.
            plain = dim.strip(" \t[]") == number
            if int(number[:40]) > LARGEST - plain:
                return f"shape {text!r}: dim {number} is too large"
    try:
        PartialShape.parse(text)
    except ValueError as error:
        return str(error)
    return None
