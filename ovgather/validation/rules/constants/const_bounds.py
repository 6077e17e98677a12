"""What: ``offset`` and ``size`` of a Const reach past the end of the ``.bin``. If there are more than three such
constants, only the first is reported, with the number of the others.

Why: the ``.bin`` is truncated, or belongs to another file.

OpenVINO: rejects the file: "Incorrect weights in bin file!".

Bad::

    <data element_type="f32" shape="10" offset="100" size="40"/>   <!-- m.bin has 120 bytes -->

Good::

    <data element_type="f32" shape="10" offset="80" size="40"/>
"""

from ovgather.validation.context import File, Findings

CODE = "OVG402"
TITLE = "constant beyond the end of the weights"
SEVERITIES = ("error",)
VERDICTS = ("rejects",)
_MOST = 3


def check(file: File) -> Findings:
    """Every Const against the length of the ``.bin``."""
    weights = file.model.weights
    if weights is None:
        return
    outside = file.constants_where(lambda held: held.offset + held.size > weights.size)
    # Of many it is the .bin that is wrong, which needs to be said once.
    others = len(outside) - 1 if len(outside) > _MOST else 0
    for layer, held in outside[:1] if others else outside:
        offset, size = held.offset, held.size
        beyond = offset + size - weights.size
        message = f"bytes {offset} to {offset + size} are beyond the .bin, which has {weights.size}: {beyond} too many"
        if others:
            message += f"; so are {others} more constants"
        span = file.data_span(layer, "offset" if offset >= weights.size else "size")
        effect = '"Incorrect weights in bin file!"'
        help = "the .bin is cut off, or that of another file" if others else None
        yield file.report(CODE, "error", message, span, layer=layer, openvino="rejects", effect=effect, help=help)
