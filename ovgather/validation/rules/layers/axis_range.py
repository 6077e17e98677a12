"""What: the axis is not in ``[-r, r-1]``, where ``r`` is the rank of ``data``; or the axis input of a Gather is neither
a scalar nor ``[1]``.
Why: there is no such dimension to gather from.
OpenVINO: rejects it, but its message has a generated layer name. It accepts any axis of ``data`` of unknown rank.
Bad::
    <data axis="3" />   <!-- data [3,7,5] -->
Good::
    <data axis="2" />   <!-- data [3,7,5] -->
"""

from ovgather.validation.context import File, Findings, Rule
from ovgather.validation.facts.flow import outcome

RULE = Rule(
    "OVG104", "axis out of range", "error", "rejects accepts undefined", needs="unfit"
)
_ABSURD = 1_000


def check(file: File) -> Findings:
    for gather in file.unfit:
        for error in (
            error
            for error in gather.errors
            if error.kind in ("axis_range", "axis_shape")
        ):
            is_unknown = gather.shapes[0].rank is None and error.kind == "axis_range"
            layer = gather.layer
            verdict, effect = outcome(
                file, gather, "accepts" if is_unknown else "rejects"
            )
            absurd = gather.axis_source == "const" and abs(gather.axis or 0) > _ABSURD
            help = "does the .bin belong to this file?" if absurd else None
            place = "input/2" if gather.operation.takes_axis else "data/axis"
            yield file.report(
                RULE, str(error), place, layer, verdict, effect, help=help
            )
