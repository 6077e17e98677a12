"""What: a Gather of static shapes has a dim of length 0 in ``indices``, or in ``data`` before or after the axis.
Why: the layer is valid and its output is empty. The CPU divides by the number of elements when it plans the work.
(Empty axis: OVG502.)
OpenVINO: reads the file. The process dies when the model compiles for the CPU (SIGFPE), except for string data, more
than 16 elements after the axis, or a dynamic dim. GatherElements and GatherND are not affected.
Bad::
    data [3], indices [2,0], axis 0
Good::
    data [3], indices [2,?], axis 0
"""

from ovgather.validation.context import Effect, File, Findings, GatherLayer, Rule
from ovgather.validation.facts.hazards import LANES, sizes

RULE = Rule(
    "OVG702",
    "Gather without elements that kills the process",
    "warning",
    "crashes",
    stage="chance",
    needs="alike",
)
_EFFECT = Effect("the process dies when it compiles the model for the CPU", "empty-dim")
_HELP = "leave the layer out, or give the dim as ? in the Parameter"


def check(file: File) -> Findings:
    for gather in file.unusual_gathers_where(_crashes):
        data, indices = gather.shapes[:2]
        places = (
            (index, dim)
            for index, shape in enumerate((data, indices))
            for dim in enumerate(shape)
        )
        place = next(
            f"input/{index}/dim/{number}"
            for index, (number, dim) in places
            if dim.max == 0
        )
        message = f"a static Gather with a dim of length 0: data {data}, indices {indices}, axis {gather.axis}"
        yield file.report(
            RULE, message, place, gather.layer, effect=_EFFECT, help=_HELP
        )


def _crashes(gather: GatherLayer) -> bool:
    if not any(
        shape.rank is not None and any(dim.max == 0 for dim in shape)
        for shape in gather.shapes[:2]
    ):
        return False  # as for most layers
    size = sizes(gather)
    return (
        size is not None
        and size.after <= LANES
        and 0 in (size.between, size.after, size.picked)
    )
