"""What: a Gather-7 or -8 of static shapes has ``batch_dims``, all dims of ``data`` before the axis are 1, and it
gathers little: fewer than 16 indices of single elements, or slices of 2 to 16 elements.
Why: the layer is valid. The CPU kernel for so few elements reads from an invalid address.
OpenVINO: reads and compiles the file. On the CPU, the process usually dies when the layer runs (SIGSEGV, seen with
AVX-512). The layer runs with a dynamic dim or with ``ONEDNN_MAX_CPU_ISA=SSE41``.
Bad::
    data [1,50], indices [1,8], axis 1, batch_dims 1
Good::
    data [1,50], indices [1,8], axis 1, batch_dims 0 and a Squeeze, or data [?,50]
"""

from ovgather.validation.context import Effect, File, Findings, Rule
from ovgather.validation.facts.hazards import LANES, sizes

RULE = Rule(
    "OVG701",
    "Gather over a batch of one that kills the process",
    "warning",
    "crashes",
    stage="run",
    needs="alike",
)
_EFFECT = Effect("the process dies when it runs the layer on the CPU", "batch-of-one")
_HELP = "give the batch dim as ? in the Parameter, or run with ONEDNN_MAX_CPU_ISA=SSE41"


def check(file: File) -> Findings:
    for gather in (
        gather for gathers in file.alike if gathers[0].batch_dims for gather in gathers
    ):
        size = sizes(gather)
        if size is None or size.batch_dims == 0 or size.before != 1:
            continue
        if 1 < size.after <= LANES or (size.after == 1 and 0 < size.picked < LANES):
            data, indices = gather.shapes[:2]
            if size.picked == 1:
                picked = "1 index"
            else:
                picked = f"{size.picked} indices"
            if size.after == 1:
                few = picked
            else:
                few = f"slices of {size.after} elements"
            message = f"batch_dims {gather.batch_dims} over a batch of one, static, with {few}"
            message += f": data {data}, indices {indices}"
            yield file.report(
                RULE,
                message,
                "data/batch_dims",
                gather.layer,
                effect=_EFFECT,
                help=_HELP,
            )
