"""What: the indices or the axis have an element type that the operation does not allow: GatherElements needs ``i32`` or
``i64`` indices, Gather-7 and -8 and GatherND any integer. Or OpenVINO cannot read the values of a constant axis:
``u1``, ``u2``, ``u3``, ``u6``, and for Gather-1 ``boolean`` and floats of 8 bits or less.
Why: an index is a whole number.
OpenVINO: rejects it. In Gather-7 and -8 it treats ``string`` and ``nf4`` as integers: the first does not compile for
the CPU, the second fails when it runs. For Gather-1 it checks no type when it reads the file; OVG705 reports types that
the CPU then rejects.
Bad::
    <port id="1" precision="FP16">   <!-- indices of a Gather-8 -->
Good::
    <port id="1" precision="I32">
"""

from functools import partial

from ovgather.tensor.element_type import find_data, from_port
from ovgather.validation.context import File, Findings, GatherLayer, Layer, Place, Rule
from ovgather.validation.facts.flow import rests_on_ports

RULE = Rule(
    "OVG204",
    "invalid element type of an input",
    "error",
    "rejects rejects_on_compile undefined",
    needs="alike",
)
_HOLES = {
    "string": (
        "rejects_on_compile",
        "reads it as if it were an integer type, and cannot compile it for the CPU",
    ),
    "nf4": (
        "undefined",
        "reads and compiles it as if it were an integer type; it fails when it runs on the CPU",
    ),
}
_EFFECT = "ignores the precisions of ports, which contradict each other here: rejects the layer if this one is right"
_UNREAD = frozenset(
    {"u1", "u2", "u3", "u6", "boolean", "f8e4m3", "f8e5m2", "f8e8m0", "f4e2m1"}
)
"""A constant axis of these is "Element not supported"."""


def check(file: File) -> Findings:
    for gather in file.unusual_gathers_where(_may_be_wrong):
        operation = gather.operation
        kinds = gather.element_types
        errors = operation.check(gather.shapes, axis=gather.axis, element_types=kinds)
        for error in (error for error in errors if error.kind == "element_type"):
            index = [item.name for item in operation.inputs].index(error.argument)
            verdict = "rejects"
            effect = ""
            kind = str(kinds[index])
            if rests_on_ports(file, gather, index):
                verdict = "undefined"
                effect = _EFFECT
            if kind in _HOLES and not operation.indices_have_rank_of_data:
                is_gather_indices = index == 1 and operation.indices_replace_axis
                verdict, effect = _HOLES[kind if is_gather_indices else "string"]
            place = f"input/{index}"
            related = _converted(file, gather.layer, index)
            about = file.deviations.roots_of(gather.layer)
            report = partial(
                file.report, RULE, str(error), place, gather.layer, verdict, effect
            )
            yield report(related=related, about=about)
    for gather in file.unusual_gathers_where(_axis_is_unread):
        message = f"the axis is {gather.element_types[2]}, whose values OpenVINO does not read"
        yield file.report(RULE, message, "input/2", gather.layer)


def _converted(file: File, layer: Layer, index: int) -> list[tuple[str, Place]]:
    """Where a Convert says the type of an input, unless the input port says the same."""
    source = layer.producer(index)
    precision = layer.inputs[index].precision
    text = None
    if source is not None and source[0].type == "Convert":
        text = source[0].data.get("destination_type")
    if (
        source is None
        or text is None
        or precision is None
        or find_data(text) == from_port(precision)
    ):
        return []
    message = f'layer {source[0].id} "{source[0].name}" converts to {text}'
    return [(message, file.place(source[0], "data/destination_type"))]


def _axis_is_unread(gather: GatherLayer) -> bool:
    if not gather.operation.takes_axis or len(gather.element_types) != 3:
        return False
    kind = gather.element_types[2]
    types = gather.operation.inputs[2].types
    source = gather.layer.producer(2)
    reported = kind is None or (types is not None and kind.name not in types)
    return (
        not reported
        and str(kind) in _UNREAD
        and source is not None
        and source[0].type == "Const"
    )


def _may_be_wrong(gather: GatherLayer) -> bool:
    inputs = gather.operation.inputs
    kinds = gather.element_types
    return len(inputs) == len(kinds) and any(
        kind is not None and item.types is not None and kind.name not in item.types
        for item, kind in zip(inputs, kinds, strict=True)
    )
