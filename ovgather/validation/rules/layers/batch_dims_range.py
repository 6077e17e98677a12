"""What: ``batch_dims``, counted from the rank of ``indices`` when negative, is below 0, above the rank of ``indices``,
or above the axis.
Why: the inputs do not share that many leading dimensions.
OpenVINO: does not check whether a negative value is still negative after it counts from the end: it accepts such a
layer and runs it with a wrong shape. The CPU counts from the end once more, and does not compile a layer of which the
result is above the axis. It rejects the other cases.
Bad::
    <data batch_dims="-3" />   <!-- indices [2,3] -->
Good::
    <data batch_dims="-1" />   <!-- indices [2,3] -->
"""

from ovgather.validation.context import File, Findings, GatherLayer, Rule
from ovgather.validation.facts.flow import outcome, rests_on_ports

RULE = Rule(
    "OVG105",
    "batch_dims out of range",
    "error",
    "rejects rejects_on_compile accepts undefined",
    needs="unfit",
)


def check(file: File) -> Findings:
    for gather in file.unfit:
        # A value above the rank of indices is usually above the axis as well: the first error is enough.
        error = next(
            (
                error
                for error in gather.errors
                if error.kind in ("batch_dims_range", "batch_dims_axis")
            ),
            None,
        )
        if error is not None:
            verdict, effect = outcome(file, gather, _verdict(file, gather))
            yield file.report(
                RULE, str(error), "data/batch_dims", gather.layer, verdict, effect
            )


def _verdict(file: File, gather: GatherLayer) -> str:
    data = gather.shapes[0].rank
    indices = gather.shapes[1].rank
    if not gather.operation.indices_replace_axis:
        accepts = data is None and indices is None
    elif data is None or indices is None:
        accepts = gather.batch_dims < 0
    else:
        accepts = 0 < -gather.batch_dims - indices <= min(data, indices)
    if not accepts:
        return "rejects"
    is_compiled = file.is_built(gather.layer) and not any(
        rests_on_ports(file, gather, index) for index in (0, 1)
    )
    if is_compiled and data and indices and gather.axis is not None:
        twice = gather.batch_dims + 2 * indices
        if gather.operation.takes_axis and twice > gather.axis % data:
            return "rejects_on_compile"
    return "accepts"
