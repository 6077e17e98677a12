"""What: ``size`` of a Const is not the number of bytes that ``shape`` and ``element_type`` need.
Why: if it is too small, some elements have no value. If it is too large, the shape may be wrong.
OpenVINO: rejects a ``size`` that is too small and accepts one that is too large. A shape whose length in bits overflows
64 bits passes the check. Then 64-bit values kill the process when the model compiles; others fail, hang or kill it.
Bad::
    <data element_type="f32" shape="10" offset="0" size="8"/>
Good::
    <data element_type="f32" shape="10" offset="0" size="40"/>
"""

from ovgather.validation.context import Effect, File, Findings, Rule

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
    if file.all_constants_fit:
        return
    for layer, const in file.constants_where(
        lambda const: not const.fits and bool(const.element_type.bits)
    ):
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
