"""What: the axis of ``data`` has length 0, but there are indices.
Why: no index can be in range.
OpenVINO: accepts it and returns arbitrary memory, or the result of the last inference. A static Gather may crash.
Bad::
    data [3,0,5], indices [3,10,5], axis 1
Good::
    data [3,0,5], indices [3,0,5], axis 1
"""

from ovgather.validation.context import Effect, File, Findings, GatherLayer, Rule

RULE = Rule(
    "OVG502",
    "gather from an empty axis",
    "error warning",
    "accepts",
    stage="run",
    needs="alike",
)


def check(file: File) -> Findings:
    for gather in file.unusual_gathers_where(_is_empty):
        data, indices = gather.shapes[:2]
        if indices.rank is None or any(dim.min == 0 for dim in indices):
            continue
        severity = "warning" if gather.operation.out_of_range == "zeros" else "error"
        layer = gather.layer
        message = f"data {data} has no elements along axis {gather.axis}, but indices {indices} ask for some"
        effect = Effect("returns arbitrary memory", "empty-axis")
        yield file.report(
            RULE, message, "input/0", layer, effect=effect, severity=severity
        )


def _is_empty(gather: GatherLayer) -> bool:
    if (
        gather.errors
        or len(gather.tensors) < 2
        or gather.axis is None
        or not gather.operation.has_axis
    ):
        return False
    data = gather.shapes[0]
    return data.rank is not None and data[gather.axis].max == 0
