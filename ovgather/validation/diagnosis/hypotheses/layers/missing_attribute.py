"""What: an attribute of a layer is missing.
Why: with one value of it the layer is what its ports, and the layers behind it, declare.
Bad::
    <layer type="Parameter"><data shape="2,3"/>
Good::
    <layer type="Parameter"><data shape="2,3" element_type="f32"/>
"""

from collections.abc import Iterator

from ovgather.forward.records import find_layer
from ovgather.ir.edit.layer_text import dims_text
from ovgather.ir.graph import Layer
from ovgather.tensor import element_type
from ovgather.validation.diagnosis.case import Case, called
from ovgather.validation.diagnosis.hypotheses.layers.attribute import values_of
from ovgather.validation.diagnosis.hypothesis import Hypothesis

ORDER = 27
_MOST_VALUES = 64


def propose(case: Case) -> Iterator[Hypothesis]:
    for layer in case.nearby:
        declaration = find_layer(layer.signature)
        if declaration is None:
            continue
        absent = [
            each for each in declaration.attributes if each.name not in layer.data
        ]
        kind = None
        if layer.outputs:
            kind = element_type.from_port(layer.outputs[0].precision or "")
        if layer.type in ("Parameter", "Const"):
            if kind is not None and "element_type" not in layer.data:
                yield from _hypothesis(case, layer, "element_type", kind.name, 0)
            if layer.outputs and "shape" not in layer.data:
                dims = dims_text(layer.outputs[0].dims)
                yield from _hypothesis(case, layer, "shape", dims, 0)
            continue
        if not case.is_wrong(
            layer
        ):  # the default is compatible with what ports declare, but may not be meant
            absent = [each for each in absent if each.required]
        if absent:
            inputs = case.inputs_of(layer)
        else:
            inputs = []
        if inputs:
            for attribute in absent:
                values = values_of(attribute, "", layer)[:_MOST_VALUES]
                fitting = [
                    each
                    for each in values
                    if case.agrees(layer, inputs, {**layer.data, attribute.name: each})
                ]
                # -1 and 1 may be one axis
                fitting = [each for each in fitting if each[:1] != "-"] or fitting
                for text in fitting[:2]:
                    yield from _hypothesis(
                        case, layer, attribute.name, text, len(fitting)
                    )


def _hypothesis(
    case: Case, layer: Layer, name: str, text: str, count: int
) -> Iterator[Hypothesis]:
    what = f'{name}="{text}" is added'
    fix = case.file.fixes.attribute(layer, name, text, what)
    if fix is not None:
        message = f'{called(layer)} has no {name}, but its ports need {name}="{text}"'
        price = 1.0 + 0.1 * max(0, count - 1)
        help = f'add {name}="{text}"'
        yield Hypothesis(
            "missing_attribute",
            message,
            layer,
            "data/",
            fix.edits,
            what,
            price,
            many=f"{{count}} layers have no {name}",
            part=name,
            help=help,
        )
