"""What: the ``precision`` of the output port of a Gather layer is not the element type of its ``data``.
Why: Gather does not convert values. Tools that trust the port are misled. The model runs, so the finding is a
warning.
OpenVINO: requires a known precision there, and ignores which one.
Bad::
    <output><port id="2" precision="I32"/></output>   <!-- data f32 -->
Good::
    <output><port id="2" precision="FP32"/></output>
"""

from collections.abc import Sequence

from ovgather.tensor.element_type import ElementType, contradiction, from_port
from ovgather.validation.context import File, Findings, GatherLayer, Rule

RULE = Rule(
    "OVG205",
    "declared output precision that differs from data",
    "warning",
    "accepts",
    needs="alike",
)
_EFFECT = "ignores which precision an output port names"


def check(file: File) -> Findings:
    for gather in file.unusual_gathers_where(lambda gather: bool(_differing(gather))):
        layer, (expected, declared) = gather.layer, _differing(gather)
        message = f"the output is declared {declared.port}, but data is {expected.port}"
        message += " and Gather does not convert element types"
        yield file.report(
            RULE,
            message,
            "output/0/precision",
            layer,
            effect=_EFFECT,
            help=f"should be {expected.port}",
        )


def _differing(gather: GatherLayer) -> Sequence[ElementType]:
    text = None
    if gather.layer.outputs:
        text = gather.layer.outputs[0].precision
    return contradiction(gather.output_type, from_port(text or "")) or ()
