"""``ovgather run``: one layer, executed by the reference."""

from typing import Any

import click

from ovgather.cli._shared import options as _options
from ovgather.cli._shared.outputs import ReportOptions, reserve, write_out


@click.command()
@_options.one_layer
@_options.seed_of("random inputs")
@click.option(
    "--strict",
    is_flag=True,
    help="Reject every index out of the range of the specification.",
)
@click.option(
    "--engine",
    type=click.Choice(["auto", "numpy", "numba"]),
    default="auto",
    show_default=True,
    help="Implementation; all give the same result. numba needs ovgather[fast].",
)
@_options.option(
    "--threads N", "At most 16; by default as many as pay off.", type=click.IntRange(1)
)
@_options.output
@_options.color
def command(
    source: _options.OneLayer,
    output: str | None,
    color: str,
    axis: int | None,
    seed: int,
    **how: Any,
) -> int:
    """Run one Gather layer of the IR file PATH by the specification, or a node of an ONNX file (.onnx) by ONNX's.

    Inputs are named data and indices (data=x.npy indices=i.npy). Missing inputs come from the file's constants, or
    are random. -o FILE.npy writes the output instead of printing it.

    \b
    ovgather run model.xml --layer pick data=x.npy indices=i.npy -o out.npy
    ovgather run model.xml --layer pick --seed 7
    """
    from ovgather.verbs.run import prepare

    reserve((output,), (source.path,), source.others)
    arrays = source.arrays_by_name()
    ran = prepare(source.model(), source.layer, arrays, axis=axis, seed=seed).run(**how)
    if output is not None:
        from ovgather.files.arrays import to_npy

        write_out([to_npy(ran.evidence.got)], output)
    ReportOptions("run", "text", color).show([ran], written=output)
    return 0
