"""What: a Const input holds indices outside ``[-s, s-1]``, where ``s`` is the length of the axis, or of the dim that a
position in a GatherND tuple indexes. For Gather-1, Gather-7 and GatherND-5 the specified range is ``[0, s-1]``.
Why: Gather-8 gives zeros for them, which is rarely intended (a warning). For the other operations they are an error.
OpenVINO: GatherElements throws when it runs, without naming the index. On one thread (``INFERENCE_NUM_THREADS`` 1) it
returns, and elements are uninitialised memory; early releases do not check the index at all. GatherND reads
outside its memory: the result is arbitrary, or the process dies. So does Gather on few integers in one dimension
(OVG704). Gather-1 and -7 give zeros for negative indices on the CPU, but count from the end for a single index, or when
the layer is folded into a constant. A Gather on a compressed table (u8, i8, u4, i4 with scales) leaves the rows of such
indices uninitialised on the CPU (2024.3 to 2026.4.1). GatherND-5 counts from the end; early releases read memory before
the data.
Bad::
    <dim>5</dim>   <!-- data [5,2], axis 0, and the constant holds 0, 7 -->
Good::
    <dim>5</dim>   <!-- data [5,2], axis 0, and the constant holds 0, 4 -->
"""

from ovgather.layers.compression import compression
from ovgather.layers.elimination import ELIMINATED_ON, becomes_reshape
from ovgather.validation.context import Effect, File, Findings, Rule
from ovgather.validation.facts.index_bounds import (
    OutOfRange,
    counts_from_the_end,
    describe,
    reads_outside,
)

RULE = Rule(
    "OVG501",
    "constant indices out of range",
    "error warning",
    "rejects_on_run accepts undefined",
    stage="run",
    needs="out_of_range",
)
_ZEROS = "gives zeros for them"
_READS = ("reads outside its memory", "undefined")
_LEAVES = "it returns uninitialised memory"
_UNWRITTEN = "leaves their rows uninitialised on the CPU, since the table is compressed"
_ELIMINATED = (
    "gives elements of data for them: the first index is 0 and the axis has length 1, so that the layer becomes a"
    f" Reshape ({ELIMINATED_ON})"
)
_OUTSIDE = Effect(
    "may read outside its memory: the result is anything, or the process ends",
    "tuple-outside",
)


def check(file: File) -> Findings:
    for wrong in file.out_of_range:
        if not reads_outside(wrong):  # otherwise OVG704 reports it
            (verdict, effect), layer = _outcome(wrong), wrong.gather.layer
            if wrong.gather.operation.out_of_range == "zeros":
                severity = "warning"
            else:
                severity = "error"
            message = describe(wrong)
            yield file.report(
                RULE, message, "input/1", layer, verdict, effect, severity=severity
            )


def _is_eliminated(wrong: OutOfRange) -> bool:
    """Whether OpenVINO replaces the layer before it looks at its indices."""
    shape = wrong.gather.shapes[0]
    first = (wrong.held.integers() or [1])[0]
    rank = len(wrong.held.shape)
    length = wrong.range.high + 1
    return bool(shape.is_static) and becomes_reshape(
        length, wrong.gather.batch_dims, rank, first
    )


def _outcome(wrong: OutOfRange) -> tuple[str, str | Effect]:
    operation = wrong.gather.operation
    from_the_end = -wrong.range.high - 1 <= wrong.value < 0
    if operation.out_of_range == "error":
        return (
            "rejects_on_run",
            Effect(
                f"throws when run; on one thread {_LEAVES}", "elements-outside", *_READS
            ),
        )
    if operation.indexes_by_tuples:
        if from_the_end:
            return (
                "accepts",
                Effect("counts them from the end", "tuple-negative", *_READS),
            )
        return "undefined", _OUTSIDE
    if counts_from_the_end(wrong):
        return "accepts", "counts it from the end"
    if from_the_end:
        return (
            "accepts",
            f"{_ZEROS} on the CPU; counts from the end when it folds the layer as a constant",
        )
    if _is_eliminated(wrong):
        return "accepts", _ELIMINATED
    if compression(wrong.gather) is not None:
        return "undefined", _UNWRITTEN
    return "accepts", _ZEROS + (
        ", as the specification says" if operation.out_of_range == "zeros" else ""
    )
