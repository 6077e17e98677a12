"""What: ``<data>`` of a layer other than Const has ``offset``, ``size`` and ``element_type``, one of them invalid. A
Parameter with all three, which is a warning, was probably meant to be a Const.
Why: OpenVINO looks for these three attributes on every layer (its cache of models without weights writes them).
OpenVINO: rejects the file with the message ``stoll`` or "Unsupported element type". Here ``element_type`` uses the
names of port precisions: ``f32`` and ``FP32``, not ``F32``. A Parameter is an input of the model, whatever it has.
Bad::
    <data axis="1" offset="x" size="y" element_type="z" />
Good::
    <data axis="1" />
"""

from ovgather.ir.numbers import read_id
from ovgather.tensor import element_type
from ovgather.validation.context import File, Findings, Rule

RULE = Rule(
    "OVG110",
    "weight attributes on a layer without weights",
    "error warning",
    "rejects accepts",
)
_NAMES = dict.fromkeys(("offset", "size", "element_type")).keys()


def check(file: File) -> Findings:
    for layer in file.layers_where(
        lambda form: form.type != "Const" and form.data.keys() >= _NAMES
    ):
        readers = [
            (name, element_type.from_port if name == "element_type" else read_id)
            for name in _NAMES
        ]
        unread = [name for name, read in readers if read(layer.data[name]) is None]
        for name in unread:
            message = f"{name} {layer.data[name]!r} cannot be read, and {layer.type} has no weights"
            yield file.report(RULE, message, f"data/{name}", layer)
        if layer.type == "Parameter" and not unread:
            message = "Parameter with offset and size, as a Const has them"
            help = "did you mean type Const?"
            yield file.report(
                RULE, message, "type", layer, "accepts", severity="warning", help=help
            )
