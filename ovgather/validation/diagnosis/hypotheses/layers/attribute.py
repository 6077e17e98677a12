"""What: an attribute of a layer has a wrong value, or is missing.
Why: with one other value the layer computes what its ports, and the layers behind it, declare.
Bad::
    data [2,3], [2,5] -> Concat, axis 0 -> port [2,8]
Good::
    data [2,3], [2,5] -> Concat, axis 1 -> port [2,8]
"""

from collections import Counter
from collections.abc import Iterator
from functools import partial

from ovgather.forward.attributes import value_read
from ovgather.forward.records import find_layer
from ovgather.ir.edit.layer_text import dims_text
from ovgather.ir.graph import Layer
from ovgather.layers.tensors import dims_shape
from ovgather.ops.declaration import Attribute
from ovgather.tensor import element_type
from ovgather.tensor.tensor import Tensor
from ovgather.text import closest
from ovgather.validation.diagnosis.case import Case, called
from ovgather.validation.diagnosis.fitting import fitting, numbers
from ovgather.validation.diagnosis.hypothesis import Hypothesis

ORDER = 12
_MANY = "{name} of {{count}} layers of type {type} is wrong"
_LEAST_ALIKE = 0.4
_OF_ANOTHER = 0.8
"""What it costs to blame another attribute than the one that OpenVINO refuses."""
_MOST_PIECES = 8
_MOST_VALUES = 64
_PORTS = "its ports need"
_MOST_SHARING = 16
_VARIABLE = "variable_id"


def propose(case: Case) -> Iterator[Hypothesis]:
    of_variables = _of_variables(case)
    for layer in dict.fromkeys((*case.nearby, *of_variables)):
        declaration = find_layer(layer.signature)
        if declaration is None or not layer.outputs:
            continue
        if layer.type in ("Parameter", "Const"):
            yield from _of_port(case, layer)
            continue
        inputs = case.inputs_of(layer)
        named = _refused_attributes(case, layer)
        for attribute in declaration.attributes:
            blame = _OF_ANOTHER if named and attribute.name not in named else 0.0
            written = layer.data.get(attribute.name)
            # A default that is compatible with the ports may still not be meant.
            is_lacking = written is None and attribute.required
            alike = None
            if written and attribute.values and value_read(written, attribute) is None:
                lower = {each.lower(): each for each in attribute.values}
                near = closest(written.lower(), lower, _LEAST_ALIKE)
                alike = lower[near] if near is not None else None
            if alike is not None:
                yield from _hypothesis(case, layer, attribute, alike, 1.0 + blame)
            elif (
                is_lacking
                or (case.is_wrong(layer) and _is_declared(layer))
                or (attribute.name == _VARIABLE and layer in of_variables)
            ):
                values = _values(case, attribute, written or "", layer)[:_MOST_VALUES]
                agrees = partial(_agrees, case, layer, inputs, attribute.name)
                for text, more in fitting(values, agrees):
                    price = 1.0 + more + blame
                    yield from _hypothesis(case, layer, attribute, text, price)


def _of_variables(case: Case) -> list[Layer]:
    """The layers of the variables that findings concern."""
    names = {layer.data.get(_VARIABLE) for layer in case.subjects} - {None}
    if not names:
        return []
    layers = [each for each in case.file.layers if each.data.get(_VARIABLE) in names]
    return layers[:_MOST_SHARING]


def _refused_attributes(case: Case, layer: Layer) -> set[str]:
    """The attributes of ``layer`` that OpenVINO refuses."""
    return {
        refusal.error.argument
        for refusal in case.file.forward.refusals
        if refusal.layer == layer and refusal.error.argument in layer.data
    }


def _is_declared(layer: Layer) -> bool:
    """Whether the port says what a value must give: any value agrees with a port of dynamic rank."""
    return dims_shape(layer.outputs[0].dims).rank is not None


def _of_port(case: Case, layer: Layer) -> Iterator[Hypothesis]:
    """What a Parameter or a Const lacks, as its port declares it."""
    port = layer.outputs[0]
    kind = element_type.from_port(port.precision or "")
    texts = {"shape": dims_text(port.dims)}
    if kind is not None:
        texts["element_type"] = kind.name
    lacking = {name: texts[name] for name in texts if name not in layer.data}
    if lacking:
        yield from _added(case, layer, lacking, 1.0)


def _agrees(
    case: Case, layer: Layer, inputs: list[Tensor], name: str, text: str
) -> bool:
    return case.agrees(layer, inputs, {**layer.data, name: text})


def _values(case: Case, attribute: Attribute, written: str, layer: Layer) -> list[str]:
    """Other texts for an attribute."""
    kind = attribute.kind
    texts: list[str] = []
    if kind == "boolean":
        texts = ["false" if written.lower() in ("true", "1") else "true"]
    elif attribute.values:
        texts = list(attribute.values)
    elif kind == "type":
        texts = [each.name for each in element_type.ALL if each.name != "dynamic"]
    elif kind == "shape":
        texts = [dims_text(layer.outputs[0].dims)]
    elif kind == "text":
        texts = _lone_names(case, attribute.name)
    elif kind == "integer":
        texts = [str(number) for number in numbers(layer)]
    elif kind == "integers":
        pieces = [piece.strip() for piece in written.split(",")]
        texts = [
            ",".join([*pieces[:at], str(other), *pieces[at + 1 :]])
            for at in range(min(len(pieces), _MOST_PIECES))
            for other in numbers(layer)[:_MOST_PIECES]
        ]
        counts = {_usual_count(layer), len(pieces) if written else 0} - {0}
        texts += [
            ",".join([str(other)] * count)
            for count in sorted(counts)
            for other in numbers(layer)[:_MOST_PIECES]
        ]
    return [each for each in texts if each != written]


def _lone_names(case: Case, name: str) -> list[str]:
    """What one other layer alone has as the attribute ``name``, which stands for one thing in several layers."""
    texts = [each.data[name] for each in case.file.layers if name in each.data]
    return [text for text, count in Counter(texts).items() if count == 1]


def _usual_count(layer: Layer) -> int:
    """How many items the lists of ``layer`` have: one of each spatial dim."""
    counts = Counter(text.count(",") + 1 for text in layer.data.values() if "," in text)
    return max(counts, key=counts.__getitem__, default=1)


def _hypothesis(
    case: Case, layer: Layer, attribute: Attribute, text: str, price: float
) -> Iterator[Hypothesis]:
    name = attribute.name
    if name not in layer.data:
        needs = "the rest of the file needs" if attribute.kind == "text" else _PORTS
        yield from _added(case, layer, {name: text}, price, needs)
        return
    what = f"{name} is {text}"
    data = case.element(layer).first("data")
    fix = case.file.fixes.value(data, name, text, what, False)
    if fix is not None:
        port = layer.outputs[0]
        declared = str(dims_shape(port.dims))
        if attribute.kind == "type":
            declared = str(port.precision)
        needs = f"the declared output {declared} needs"
        if attribute.kind == "text":
            needs = "the rest of the file needs"
        written = layer.data[name] or "empty"
        yield Hypothesis(
            f"{name} is {written}, but {needs} {text}",
            layer,
            f"data/{name}",
            fix.edits,
            what,
            price,
            help=f'set {name}="{text}"',
            many=_MANY.format(name=name, type=layer.type),
            is_value=True,
        )


def _added(
    case: Case, layer: Layer, texts: dict[str, str], price: float, needs: str = _PORTS
) -> Iterator[Hypothesis]:
    """Attributes that ``<data>`` lacks."""
    names = " and no ".join(texts)
    attributes = " ".join([f'{name}="{text}"' for name, text in texts.items()])
    what = f"{attributes} is added"
    fix = case.file.fixes.added(layer, attributes, what)
    if fix is not None:
        yield Hypothesis(
            f"{called(layer)} has no {names}, but {needs} {attributes}",
            layer,
            "data/",
            fix.edits,
            what,
            price,
            many=f"{{count}} layers have no {names}",
            part=next(iter(texts)),
            help=f"add {attributes}",
        )
