"""What: a layer lacks an attribute that its operation's specification requires, such as ``axis`` of GatherElements.
Why: the default is OpenVINO's own; other readers of IR refuse the layer, or take another value. If the ports
contradict the default, this is an error: OpenVINO computes something else than they declare.
OpenVINO: uses its default, and rejects a layer that this does not fit, on compile where the CPU refuses it.
Bad::
    <data />
Good::
    <data axis="0" />
"""

from ovgather.ops.declaration import Attribute, attribute_text
from ovgather.validation.context import File, Findings, Rule

RULE = Rule(
    "OVG106",
    "required attribute left to its default",
    "warning error",
    "accepts rejects rejects_on_compile undefined",
)


def check(file: File) -> Findings:
    for layer, data in file.layers_with(lambda data: data.missing):
        refusals = [
            each
            for each in file.forward.refusals
            if each.layer == layer and each.error.argument not in layer.data
        ]
        names = ", ".join(attribute.name for attribute in data.missing)
        pronoun = "it" if len(data.missing) == 1 else "them"
        message = f"{data.declaration.name} without {names}: the specification requires {pronoun}"
        if refusals:
            verdict = refusals[0].verdict
            yield file.report(RULE, message, "type", layer, verdict, severity="error")
        else:
            effect = "; ".join(map(_takes, data.missing))
            yield file.report(RULE, message, "type", layer, effect=effect)


def _takes(attribute: Attribute) -> str:
    """What OpenVINO does; some defaults follow from the rank of the input."""
    value = attribute_text(attribute.default)
    if value:
        return f"takes the default, {attribute.name} {value}"
    return f"takes its default {attribute.name}"
