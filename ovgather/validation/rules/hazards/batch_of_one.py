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

from ovgather.validation.context import File, Findings
from ovgather.validation.facts.hazards import LANES, holds, sizes
from ovgather.validation.releases import SEEN

CODE = "OVG701"
TITLE = "Gather over a batch of one that kills the process"
SEVERITIES = ("warning",)
VERDICTS = ("crashes",)
_EFFECT = f"the process dies when it runs the layer on the CPU ({SEEN['batch-of-one'].on})"


def check(file: File) -> Findings:
    """Every Gather with batch dims."""
    for gather in (gather for gathers in file.alike if gathers[0].batch_dims for gather in gathers):
        found = sizes(gather)
        if found is None or found.batch_dims == 0 or found.before != 1 or holds(gather, "string"):
            continue
        if 1 < found.after <= LANES or (found.after == 1 and 0 < found.picked < LANES):
            data, indices = gather.shapes[:2]
            few = f"slices of {found.after} elements"
            if found.after == 1:
                few = "1 index" if found.picked == 1 else f"{found.picked} indices"
            yield file.report(
                CODE,
                "warning",
                f"batch_dims {gather.batch_dims} over a batch of one, static, with {few}: "
                f"data {data}, indices {indices}",
                file.data_span(gather.layer, "batch_dims"),
                layer=gather.layer,
                openvino="crashes",
                effect=_EFFECT,
                help="give the batch dim as ? in the Parameter, or run with ONEDNN_MAX_CPU_ISA=SSE41",
            )
