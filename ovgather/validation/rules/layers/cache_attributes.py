"""What: ``<data>`` of a layer other than Const has ``offset``, ``size`` and ``element_type``, one of them invalid.
Why: OpenVINO looks for these three attributes on every layer (its cache of models without weights writes them).
OpenVINO: rejects the file with the message ``stoll`` or "Unsupported element type". Here ``element_type`` uses the
names of port precisions: ``f32`` and ``FP32``, not ``F32``.
Bad::
    <data axis="1" offset="x" size="y" element_type="z" />
Good::
    <data axis="1" />
"""

from ovgather.ir.numbers import read_id
from ovgather.tensor import element_type
from ovgather.validation.context import File, Findings, Rule

RULE = Rule("OVG110", "weight attributes on a layer without weights", "error", "rejects")
_NAMES = dict.fromkeys(("offset", "size", "element_type")).keys()


def check(file: File) -> Findings:
    for layer in file.layers_where(lambda form: form.type != "Const" and form.data.keys() >= _NAMES):
        data = layer.data
        for name in _NAMES:
            kind = element_type.from_port(data[name]) if name == "element_type" else None
            if kind is None and (name == "element_type" or read_id(data[name]) is None):
                message = f"{name} {data[name]!r} cannot be read, and {layer.type} has no weights"
                yield file.report(RULE, message, f"data/{name}", layer)
