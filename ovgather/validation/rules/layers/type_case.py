"""What: the ``type`` of a layer differs from the operation's name only in upper and lower case.
Why: other readers of IR do not accept it.
OpenVINO: accepts any case of most types; OVG107 reports the others, such as ``const``. Its interface has the names
``Relu``, ``PRelu`` and ``Softmax`` for types that files spell ``ReLU``, ``PReLU`` and ``SoftMax``: these are a note.
Bad::
    <layer id="2" name="g" type="GATHERELEMENTS" version="opset6">
Good::
    <layer id="2" name="g" type="GatherElements" version="opset6">
"""

from functools import partial

from ovgather.ir import opsets
from ovgather.ir.positions import tag_at
from ovgather.validation.context import File, Findings, Fix, Layer, Rule

RULE = Rule("OVG108", "type in another case", "warning note", "accepts", "safe")
# Of types that files spell otherwise, in OpenVINO's own interface.
_API_NAMES = (
    "PRelu",
    "Relu",
    "Softmax",
)


def check(file: File) -> Findings:
    names = {name: opsets.spelling(name) for name in file.types}
    odd = {
        name: right
        for name, right in names.items()
        if right is not None and right != name
    }
    for layer in file.layers_of(odd):
        right = odd[layer.type]
        if opsets.known(right, layer.version) and not opsets.known(
            layer.type, layer.version
        ):
            continue  # OpenVINO compares the case of this one: OVG107 reports it
        message = f"type {layer.type!r} is spelt {right!r}"
        help = f"write {right!r}"
        fix = partial(_fix, file, layer, right)
        effect = "takes any case; other readers of IR do not"
        severity = "note" if layer.type in _API_NAMES else "warning"
        yield file.report(
            RULE,
            message,
            "type",
            layer,
            effect=effect,
            severity=severity,
            help=help,
            fix=fix,
        )


def _fix(file: File, layer: Layer, right: str) -> Fix | None:
    return file.fixes.value(
        tag_at(file.source, layer.offset), "type", right, f"the type is spelt {right!r}"
    )
