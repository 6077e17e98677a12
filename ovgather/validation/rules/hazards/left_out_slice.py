"""What: a GatherElements takes its data from a Slice that begins at the first element, and does not fit without it.
Why: the file is valid. OpenVINO leaves out such a Slice when it compiles, since no index reaches what it cuts off; it
cuts other dims than the axis as well, and then the dims of data and indices differ.
OpenVINO: reads the file, and refuses to compile it. With open dims it compiles.
Bad::
    data [4,6] -> Slice to [3,6] -> GatherElements along axis 1, indices [3,2]
Good::
    data [4,6] -> StridedSlice to [3,6] -> GatherElements along axis 1, indices [3,2]
"""

from ovgather.forward.left_out import error_without_slice
from ovgather.tensor.tensor import Basis
from ovgather.validation.context import File, Findings, Rule

RULE = Rule(
    "OVG710",
    "Slice that OpenVINO leaves out before a GatherElements",
    "error",
    "rejects_on_compile",
    needs="Slice",
)


def check(file: File) -> Findings:
    inputs_by_offset = file.forward.inputs
    for layer in file.layers_of(["GatherElements"]):
        source = layer.producer(0)
        gather = file.gathers.get(layer.offset)
        if source is None or source[0].type != "Slice" or gather is None:
            continue
        axis = gather.axis
        # Bodies that are not followed have no inputs.
        sliced = inputs_by_offset.get(source[0].offset, ())
        gathered = inputs_by_offset.get(layer.offset, ())
        if axis is None or len(sliced) < 4 or len(gathered) < 2:
            continue
        data, start, _, step = sliced[:4]
        indices = gathered[1]
        if max(data.basis, indices.basis) is not Basis.COMPUTED:
            continue
        error = error_without_slice(data, start, step, indices, axis)
        if error is not None and not gather.errors:
            help = "use a StridedSlice, or give a dim as ? in the Parameter"
            yield file.report(RULE, str(error), "input/0", layer, help=help)
