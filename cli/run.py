"""``ovgather run``: one layer, executed by the reference."""

from __future__ import annotations

import click

from ovgather.cli import _files, _options
from ovgather.cli._arrays import load_arrays
from ovgather.report import render


@click.command()
@_options.path
@click.argument("arrays", metavar="[NAME=FILE.npy]...", nargs=-1)
@_options.layer
@_options.weights
@click.option("--inputs", metavar="FILE.npz", type=click.Path(exists=True, dir_okay=False), help="Arrays by name.")
@click.option("--axis", type=int, help="For a layer whose axis the file does not tell.")
@click.option("--seed", type=click.IntRange(0), default=0, show_default=True, help="Of what is random.")
@click.option("--strict", is_flag=True, help="Refuse every index outside the range that the specification states.")
@_options.output
@_options.color
def command(
    path: str,
    arrays: tuple[str, ...],
    layer: str | None,
    weights: str | None,
    inputs: str | None,
    axis: int | None,
    seed: int,
    strict: bool,
    output: str | None,
    color: str,
) -> int:
    """Run one Gather layer of the IR file PATH by the specification.

    Inputs are named data and indices (data=x.npy indices=i.npy); what is not given comes from the file's
    constants, or is random. With -o FILE.npy the output is written there, else it is printed.
    """
    from ovgather.ir.read import read
    from ovgather.run import run_layer
    from ovgather.validate import check

    model = read(path, weights)
    if model.fatal:
        click.echo(f"ovgather: {check(model)[0]}", err=True)
        return 4
    ran = run_layer(model, layer, load_arrays(arrays, inputs), axis=axis, seed=seed, strict=strict)
    if output is not None:
        import io

        import numpy

        buffer = io.BytesIO()
        numpy.save(buffer, ran.output, allow_pickle=False)
        _files.write_bytes(buffer.getvalue(), output)
    click.echo(render("run", "text", [ran], color=_files.wants_color(color, None), written=output), nl=False)
    return 0
