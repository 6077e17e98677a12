"""What: an entry of the port map of a layer with a body leads the wrong way: it is called ``<input>`` and names a
Result, or ``<output>`` and names a Parameter; or a back edge leads from a Parameter to a Result.
Why: a Parameter of a body takes a value, and a Result gives one.
Bad::
    <output external_port_id="0" internal_layer_id="0"/>, and layer 0 of the body is a Parameter
Good::
    <input external_port_id="0" internal_layer_id="0"/>
"""

from collections.abc import Iterator

from ovgather.ir.elements import INNER_TYPES
from ovgather.ir.graph import Layer, Mapping, inner_layer
from ovgather.ir.positions import element_at, tag_at
from ovgather.validation.diagnosis.case import Case, called
from ovgather.validation.diagnosis.hypothesis import Hypothesis

ORDER = 24
_OTHER = {"input": "output", "output": "input"}
_ENDS = ("from-layer", "to-layer")


def propose(case: Case) -> Iterator[Hypothesis]:
    for layer in [each for each in case.subjects if each.bodies]:
        for entry in case.file.model.mappings.get(layer.offset, []):
            if entry.name in _OTHER:
                yield from _called_otherwise(case, layer, entry)
            else:
                yield from _reversed(case, layer, entry)


def _called_otherwise(case: Case, layer: Layer, entry: Mapping) -> Iterator[Hypothesis]:
    side = _OTHER[entry.name]
    type = INNER_TYPES[side]
    element = element_at(case.source, entry.offset)
    fix = case.file.fixes.renamed_element(element, side)
    if fix is not None and _inner_type(layer, entry, "internal_layer_id") == type:
        message = f"<{entry.name}> of the port map of {called(layer)} names a {type}, so it is an {side}"
        yield Hypothesis(
            message,
            layer,
            element.name_span,
            fix.edits,
            fix.what,
            help=f"call it <{side}>",
        )


def _reversed(case: Case, layer: Layer, entry: Mapping) -> Iterator[Hypothesis]:
    if [_inner_type(layer, entry, name) for name in _ENDS] == ["Parameter", "Result"]:
        tag = tag_at(case.source, entry.offset)
        spans = [tag.attribute_span(name) for name in _ENDS]
        numbers = [entry.attributes[name] for name in reversed(_ENDS)]
        yield case.repair(
            f"a back edge of {called(layer)} leads from a Parameter to a Result",
            layer,
            spans[0],
            [*zip(spans, numbers, strict=True)],
            "from-layer and to-layer change places",
            help="swap from-layer and to-layer",
        )


def _inner_type(layer: Layer, entry: Mapping, name: str) -> str:
    inner = inner_layer(layer, entry, name)
    return "" if inner is None else inner.type
