"""What: a Gather has ``batch_dims``, indices of a dynamic shape, and a table that is stored as u8, i8, u4 or i4.
Why: the layer is valid. The CPU plugin runs it as if ``batch_dims`` were 0.
OpenVINO: reads and compiles the file. On the CPU, each inference raises an error. The layer runs with indices of a
static shape, or with a table of f32.
Bad::
    data u8 [4,8] -> Convert -> Multiply, indices [?,?], batch_dims 1
Good::
    data u8 [4,8] -> Convert -> Multiply, indices [4,5], batch_dims 1
"""

from ovgather.layers.compression import compression, is_refused_on_cpu
from ovgather.validation.context import File, Findings, Rule

RULE = Rule(
    "OVG711",
    "batch_dims over a compressed table, with dynamic indices",
    "warning",
    "rejects_on_run",
    stage="run",
    needs="alike",
)
_EFFECT = "throws when run on the CPU (2024.3 to 2026.4.1)"
_HELP = "give the Parameter of the indices a static shape"


def check(file: File) -> Findings:
    for gathers in file.alike:
        if not gathers[0].batch_dims:
            continue
        for gather in filter(is_refused_on_cpu, gathers):
            data, indices = gather.shapes[:2]
            message = (
                f"batch_dims {gather.batch_dims} over a table that is {compression(gather)},"
                f" with indices of a dynamic shape: data {data}, indices {indices}"
            )
            yield file.report(
                RULE,
                message,
                "data/batch_dims",
                gather.layer,
                effect=_EFFECT,
                help=_HELP,
            )
