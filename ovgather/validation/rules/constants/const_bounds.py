"""What: ``offset`` and ``size`` of a Const reach past the end of the ``.bin``. If there are more than three such
constants, only the first is reported, with the number of the others.
Why: the ``.bin`` is truncated, or belongs to another file.
OpenVINO: rejects the file: "Incorrect weights in bin file!".
Bad::
    <data element_type="f32" shape="10" offset="100" size="40"/>   <!-- m.bin has 120 bytes -->
Good::
    <data element_type="f32" shape="10" offset="80" size="40"/>
"""

from ovgather.validation.context import File, Findings, Rule

RULE = Rule("OVG402", "constant beyond the end of the weights", "error", "rejects")
_MOST = 3


def check(file: File) -> Findings:
    weights = file.model.weights
    if weights is None or file.weights_needed <= weights.size:
        return
    outside = file.constants_where(
        lambda const: const.offset + const.size > weights.size
    )
    # If there are many, the .bin is wrong, which one finding says.
    if len(outside) > _MOST:
        others = len(outside) - 1
    else:
        others = 0
    for layer, const in outside[:1] if others else outside:
        offset = const.offset
        end = const.offset + const.size
        missing = min(end - offset, end - weights.size)
        message = f"the constant is bytes {offset} to {end} of the .bin,"
        message += f" which has {weights.size}: {missing} {'is' if missing == 1 else 'are'} missing"
        if others:
            message += f", and bytes of {others} more constants"
        place = "data/offset" if offset >= weights.size else "data/size"
        help = None
        if others:
            help = "the .bin is truncated, or belongs to another file"
        yield file.report(
            RULE,
            message,
            place,
            layer,
            effect='"Incorrect weights in bin file!"',
            help=help,
        )
