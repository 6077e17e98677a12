"""What: neighbouring inputs of a Concat are Gathers with ``batch_dims`` of the same data, and have one dim each; a
Gather twice is an example.
Why: the file is valid. OpenVINO makes one Gather of them when it compiles, and forgets ``batch_dims``.
OpenVINO: gathers whole rows, so that the output has another rank than the model says. Where the Concat has other
inputs, their rank differs, and OpenVINO does not compile the file.
Bad::
    data [4,7], indices [4], batch_dims 1 -> Concat of the output [4] with itself
Good::
    data [4,7], indices [4,1], batch_dims 1 -> Concat of the output [4,1] with itself -> Reshape
"""

from ovgather.validation.context import Effect, File, Findings, Layer, Rule

RULE = Rule(
    "OVG714",
    "Gathers over batches that OpenVINO joins",
    "warning",
    "accepts rejects_on_compile",
    needs="Gather",
)
_EFFECT = Effect(
    "makes one Gather of them, without batch_dims: the output has whole rows", "joined"
)
_REFUSED = Effect(
    "makes one Gather of them, without batch_dims, to which the other inputs do not fit",
    "joined",
)
_HELP = "give indices one dim more, and reshape the output of the Concat"


def check(file: File) -> Findings:
    for layer in file.layers_of(["Concat"]):
        sources = [_data_of(file, layer, index) for index in range(len(layer.inputs))]
        pairs = [
            index
            for index, source in enumerate(sources[1:], 1)
            if source is not None and source == sources[index - 1]
        ]
        if not pairs:
            continue
        joined = {*pairs, *(index - 1 for index in pairs)}
        verdict, effect = "accepts", _EFFECT
        if len(joined) < len(sources):
            verdict, effect = "rejects_on_compile", _REFUSED
        message = f"inputs {pairs[0] - 1} and {pairs[0]} are Gathers with batch_dims of the same data, of one dim each"
        place = f"input/{pairs[0]}"
        yield file.report(RULE, message, place, layer, verdict, effect, help=_HELP)


def _data_of(file: File, concat: Layer, index: int) -> tuple[int, int] | None:
    """Which output is the data of the Gather with ``batch_dims`` that feeds an input of a Concat; it gives a list."""
    source = concat.producer(index)
    gather = None
    if source is not None and source[0].type == "Gather":
        gather = file.gathers.get(source[0].offset)
    if gather is None or not gather.batch_dims:
        return None
    data = gather.layer.producer(0)
    outputs = file.forward.outputs.get(gather.layer.offset, ())
    if data is None or not outputs or outputs[0].shape.rank != 1:
        return None
    return data[0].offset, data[1]
