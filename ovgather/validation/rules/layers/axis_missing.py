"""What: a GatherElements without ``axis``.
Why: the current specification requires it; earlier text gave it the default 0. If the ports contradict axis 0, this is
an error: OpenVINO computes something else than they declare.
OpenVINO: uses 0.
Bad::
    <data />
Good::
    <data axis="0" />
"""

from ovgather.ops.operation import OperationAttribute
from ovgather.validation.context import File, Findings, GatherLayer, Rule

RULE = Rule("OVG106", "axis left to its default", "warning error", "accepts")


def check(file: File) -> Findings:
    for gather in file.gather_layers_where(lambda gather: bool(_missing(gather))):
        for attribute in _missing(gather):
            message = f"{gather.operation.name} without {attribute.name}: the specification requires it"
            effect, layer = f"takes the default, {attribute.name} {attribute.default}", gather.layer
            yield file.report(RULE, message, "type", layer, effect=effect)


def _missing(gather: GatherLayer) -> list[OperationAttribute]:
    names = {name.lower() for name in gather.layer.data}  # OVG102 reports one in another case
    return [item for item in gather.operation.attributes if item.required and item.name not in names]
