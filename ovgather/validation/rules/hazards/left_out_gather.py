"""What: a Gather takes constant indices along the dim that an Unsqueeze adds, and two dims or more are open.
Why: the file is valid. OpenVINO leaves out both layers when it compiles, whatever the indices are. This is right for
one index without a dim of its own alone.
OpenVINO: computes the input of the Unsqueeze in place of the Gather: the output lacks the dims of the indices, and has
other values. With at most one open dim, or where something else reads the Unsqueeze, the output is right.
Bad::
    data [?,?] -> Unsqueeze to [1,?,?] -> Gather along axis 0, indices [0,0,0]
Good::
    data [?,?] -> Unsqueeze to [1,?,?] -> Broadcast to [3,?,?]
"""

from ovgather.validation.context import Effect, File, Findings, Layer, Rule

RULE = Rule(
    "OVG713",
    "Gather behind an Unsqueeze that OpenVINO leaves out",
    "warning",
    "accepts",
    needs="Gather",
)
_EFFECT = Effect(
    "leaves out both layers: the output is the input of the Unsqueeze", "unsqueezed"
)
_HELP = "repeat with a Broadcast or a Tile"


def check(file: File) -> Findings:
    for layer in file.layers_of(["Unsqueeze"]):
        consumers = [*layer.consumers(0)]
        if len(consumers) != 1:
            continue
        reader, place = consumers[0]
        if reader.type == "Gather" and place == 0 and _is_left_out(file, layer, reader):
            data, indices = file.forward.inputs[reader.offset][:2]
            message = (
                f"the indices {indices.shape} are constant, and the axis is the dim that layer {layer.id}"
                f' "{layer.name}" adds: data {data.shape}'
            )
            yield file.report(
                RULE, message, "input/1", reader, effect=_EFFECT, help=_HELP
            )


def _is_left_out(file: File, unsqueeze: Layer, gather: Layer) -> bool:
    axes = file.forward.inputs.get(unsqueeze.offset, ())[1:2]
    inputs = file.forward.inputs.get(gather.offset, ())
    if not axes or len(inputs) < 3:
        return False
    data, indices, axis = inputs[:3]
    open_dims = [dim for dim in data.shape.dims or () if not dim.is_static]
    return (
        len(open_dims) > 1
        and indices.is_constant
        and bool(indices.shape.rank)
        and axis.value is not None
        and axes[0].value == axis.value
    )
