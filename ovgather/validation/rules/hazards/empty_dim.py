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

from ovgather.validation.context import SEEN, File, Findings, GatherLayer, Rule
from ovgather.validation.facts.hazards import LANES, sizes

RULE = Rule("OVG702", "Gather without elements that kills the process", "warning", "crashes")
_EFFECT = f"the process dies when it compiles the model for the CPU ({SEEN['empty-dim'].on})"
_HELP = "leave the layer out, or give the dim as ? in the Parameter"


def check(file: File) -> Findings:
    for gathers in file.alike:
        shapes = gathers[0].shapes[:2]
        empty = [
            index for index, shape in enumerate(shapes) if shape.rank is not None and any(dim.max == 0 for dim in shape)
        ]
        if len(shapes) < 2 or not empty:
            continue
        (data, indices), index = shapes, empty[0]
        position = [dim.max for dim in shapes[index]].index(0)
        for gather in filter(_crashes, gathers):
            message = f"a static Gather with a dim of length 0: data {data}, indices {indices}, axis {gather.axis}"
            span, layer = file.port_span(gather.layer, "input", index, position), gather.layer
            yield file.report(RULE, message, span, layer, effect=_EFFECT, help=_HELP)


def _crashes(gather: GatherLayer) -> bool:
    size = sizes(gather)
    return size is not None and size.after <= LANES and 0 in (size.between, size.after, size.picked)
