"""What: a Gather has up to 64 integers of 16 to 64 bits in one dimension as ``data``, and up to 64 constant indices of
rank 0 or 1, some of them out of range (for Gather-1 and -7 also negative).
Why: Gather-8 must give zeros for such indices (a warning). For Gather-1 and -7 they are an error. Other cases: OVG501.
OpenVINO: the CPU has a special path for few integers, mostly shapes, that does not check indices. The result is
whatever lies before or after the data in memory. An index far enough away kills the process.
Bad::
    <dim>5</dim>   <!-- data [5] of i32, axis 0, and the constant holds 0, 7 -->
Good::
    <dim>5</dim>   <!-- data [5] of i32, axis 0, and the constant holds 0, 4 -->
"""

from ovgather.validation.context import Effect, File, Findings, Rule
from ovgather.validation.facts.index_bounds import describe, reads_outside

_TITLE = "constant indices that make OpenVINO read outside its memory"
RULE = Rule(
    "OVG704",
    _TITLE,
    "error warning",
    "accepts crashes undefined",
    stage="run",
    needs="out_of_range",
)
_NEAR = 1 << 10
_FAR = 1 << 28
_EFFECTS = {
    "accepts": Effect("gives what lies beside data in memory on the CPU", "short-row"),
    "crashes": Effect(
        "the process dies when it runs the layer on the CPU", "short-row-far"
    ),
    "undefined": Effect(
        "gives what lies beside data in memory on the CPU, or the process dies",
        "short-row",
    ),
}


def check(file: File) -> Findings:
    for wrong in filter(reads_outside, file.out_of_range):
        farthest = max(map(abs, wrong.held.integers() or ()), default=0)
        if farthest <= _NEAR:
            verdict = "accepts"
        else:
            verdict = "crashes" if farthest >= _FAR else "undefined"
        if wrong.gather.operation.out_of_range == "zeros":
            severity = "warning"
        else:
            severity = "error"
        message = describe(wrong)
        layer = wrong.gather.layer
        yield file.report(
            RULE,
            message,
            "input/1",
            layer,
            verdict,
            _EFFECTS[verdict],
            severity=severity,
        )
