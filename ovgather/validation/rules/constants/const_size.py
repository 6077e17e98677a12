"""What: ``size`` of a Const is not the number of bytes that ``shape`` and ``element_type`` need.
Why: if it is too small, some elements have no value. If it is too large, the shape may be wrong.
OpenVINO: rejects a ``size`` that is too small and accepts one that is too large. A shape whose length in bits overflows
64 bits passes the check. Then 64-bit values kill the process when the model compiles; others fail, hang or kill it.
Bad::
    <data element_type="f32" shape="10" offset="0" size="8"/>
Good::
    <data element_type="f32" shape="10" offset="0" size="40"/>
"""

from collections.abc import Iterator

from ovgather.ir.constants import Constant, sized
from ovgather.validation.context import Effect, File, Findings, Layer, Rule

RULE = Rule(
    "OVG403",
    "constant whose size does not match its shape",
    "error warning",
    "rejects accepts crashes undefined",
)
_KILLS = Effect(
    "its check wraps round 64 bits; compiling kills the process", "size-wraps"
)
_WRAPS = "its check wraps round 64 bits; what follows fails, hangs or kills the process"


def check(file: File) -> Findings:
    for layer, const in _unfit(file):
        size = const.bytes_needed
        bits = const.element_type.bits
        shape = ",".join(map(str, const.shape))
        total = f"{size}" if size < 1 << 100 else "more than 2^100"
        message = f"size is {const.size}, but [{shape}] of {const.element_type.name} needs {total} bytes"
        severity = "error"
        verdict = "rejects"
        effect: str | Effect = ""
        if const.size > size:
            severity = "warning"
            verdict = "accepts"
            effect = "accepts it and ignores the rest"
        elif const.elements * bits % (1 << 64) <= const.size * 8:
            if bits == 64:
                verdict = "crashes"
                effect = _KILLS
            else:
                verdict = "undefined"
                effect = _WRAPS
        yield file.report(
            RULE, message, "data/size", layer, verdict, effect, severity=severity
        )


def _unfit(file: File) -> Iterator[tuple[Layer, Constant]]:
    def is_odd(const: Constant | None) -> bool:
        return const is not None and not const.fits and bool(const.element_type.bits)

    if not file.all_constants_fit:
        yield from file.constants_where(is_odd)
    forms = file.forms_of(["Const"])
    if len(forms) > len(file.declared):  # those whose offset cannot be read
        lacking = {each for each in forms if each not in file.declared}
        odd = {each for each in lacking if is_odd(sized(each.data))}
        for layer in file.layers_where(odd.__contains__, ["Const"]):
            const = sized(layer.data)
            if const is not None:
                yield layer, const
