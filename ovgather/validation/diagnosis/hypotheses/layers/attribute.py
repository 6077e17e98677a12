"""What: an attribute of a layer has a wrong value.
Why: with exactly one other value the layer computes what its ports, and the layers behind it, declare.
Bad::
    data [2,3], [2,5] -> Concat, axis 0 -> port [2,8]
Good::
    data [2,3], [2,5] -> Concat, axis 1 -> port [2,8]
"""

from collections.abc import Iterator

from ovgather.forward.records import find_layer
from ovgather.ir.graph import Layer
from ovgather.ops.declaration import Attribute
from ovgather.tensor.element_type import ALL
from ovgather.text import shape_text
from ovgather.validation.diagnosis.case import Case
from ovgather.validation.diagnosis.hypothesis import Hypothesis

ORDER = 12
_MANY = "{name} of {{count}} layers of type {type} is wrong"
_MOST_RANK = 8
_MOST_VALUES = 64


def propose(case: Case) -> Iterator[Hypothesis]:
    for layer in case.nearby:
        declaration = find_layer(layer.signature)
        if (
            declaration is None
            or not case.is_wrong(layer)
            or layer.type in ("Const", "Parameter")
            or not layer.outputs
        ):
            continue
        inputs = case.inputs_of(layer)
        for attribute in declaration.attributes:
            written = layer.data.get(attribute.name)
            if written is None:
                continue
            values = [
                each for each in values_of(attribute, written, layer) if each != written
            ]
            fitting = [
                each
                for each in values[:_MOST_VALUES]
                if case.agrees(layer, inputs, _with(layer, attribute, each))
            ]
            # -1 and 1 may be one axis
            fitting = [each for each in fitting if each[:1] != "-"] or fitting
            for text in fitting[:2]:
                yield from _hypothesis(
                    case, layer, attribute, written, text, len(fitting)
                )


def _with(layer: Layer, attribute: Attribute, text: str) -> dict[str, str]:
    return {**layer.data, attribute.name: text}


def values_of(attribute: Attribute, written: str, layer: Layer) -> list[str]:
    """Other texts for an attribute."""
    kind = attribute.kind
    if kind == "boolean":
        return ["false" if written.lower() in ("true", "1") else "true"]
    if kind == "enum":
        return list(attribute.values)
    if kind == "type":
        return [item.name for item in ALL if item.name != "dynamic"]
    lengths = sorted({dim for port in layer.outputs for dim in port.dims if dim >= 0})
    near = [str(each) for each in (*range(-1, _MOST_RANK), *lengths)]
    if kind == "integer":
        return list(dict.fromkeys(near))
    if kind == "integers":
        pieces = [piece.strip() for piece in written.split(",")]
        return [
            ",".join([*pieces[:at], other, *pieces[at + 1 :]])
            for at in range(min(len(pieces), _MOST_RANK))
            for other in near[:8]
        ]
    return []


def _hypothesis(
    case: Case, layer: Layer, attribute: Attribute, written: str, text: str, count: int
) -> Iterator[Hypothesis]:
    name = attribute.name
    what = f"{name} is {text}"
    fix = case.file.fixes.value(
        case.element(layer).first("data"), name, text, what, False
    )
    if fix is not None:
        port = layer.outputs[0]
        declared = shape_text(port.dims)
        if attribute.kind == "type":
            declared = str(port.precision)
        message = f"{name} is {written or 'empty'}, but the declared output {declared} needs {text}"
        price = 1.0 + 0.1 * (count - 1)
        yield Hypothesis(
            "attribute",
            message,
            layer,
            f"data/{name}",
            fix.edits,
            what,
            price,
            help=f'set {name}="{text}"',
            many=_MANY.format(name=name, type=layer.type),
            is_value=True,
        )
