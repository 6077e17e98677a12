"""What: ``batch_dims``, counted from the rank of ``indices`` when negative, is below 0, above the rank of ``indices``,
or above the axis.
Why: the inputs do not share that many leading dimensions.
OpenVINO: does not check whether a negative value is still negative after it counts from the end: it accepts such a
layer and runs it with a wrong shape. It rejects the other cases.
Bad::
    <data batch_dims="-3" />   <!-- indices [2,3] -->
Good::
    <data batch_dims="-1" />   <!-- indices [2,3] -->
"""

from ovgather.validation.context import File, Findings, GatherLayer, Rule
from ovgather.validation.facts.flow import outcome

RULE = Rule(
    "OVG105",
    "batch_dims out of range",
    "error",
    "rejects accepts undefined",
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
            verdict, effect = outcome(file, gather, _verdict(gather))
            yield file.report(
                RULE, str(error), "data/batch_dims", gather.layer, verdict, effect
            )


def _verdict(gather: GatherLayer) -> str:
    data = gather.shapes[0].rank
    indices = gather.shapes[1].rank
    if not gather.operation.indices_replace_axis:
        accepts = data is None and indices is None
    elif data is None or indices is None:
        accepts = gather.batch_dims < 0
    else:
        accepts = 0 < -gather.batch_dims - indices <= min(data, indices)
    return "accepts" if accepts else "rejects"
