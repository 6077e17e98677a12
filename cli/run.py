"""``ovgather run``: one layer, executed by the reference."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from ovgather.cli import _files, _options
from ovgather.cli._arrays import load_arrays
from ovgather.onnx_file.source import is_onnx
from ovgather.report import render
from ovgather.report._words import printable

if TYPE_CHECKING:
    from numpy import ndarray

    from ovgather.run import Ran

    Arrays = dict[str, ndarray[Any, Any]]


@click.command()
@_options.path
@click.argument("arrays", metavar="[NAME=FILE.npy]...", nargs=-1)
@_options.layer
@_options.weights
@click.option("--inputs", metavar="FILE.npz", type=click.Path(exists=True, dir_okay=False), help="Arrays by name.")
@click.option("--axis", type=int, help="For a layer whose axis the file does not tell.")
@click.option("--seed", type=click.IntRange(0), default=0, show_default=True, help="Of what is random.")
@click.option("--strict", is_flag=True, help="Refuse every index outside the range that the specification states.")
@click.option(
    "--engine",
    type=click.Choice(["auto", "numpy", "numba"]),
    default="auto",
    show_default=True,
    help="What moves the elements, with the same result; numba comes with ovgather[fast].",
)
@click.option("--threads", type=click.IntRange(1), metavar="N", help="At most 16; by default as many as pay.")
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
    engine: str,
    threads: int | None,
    output: str | None,
    color: str,
) -> int:
    """Run one Gather layer of the IR file PATH by the specification, or a node of an ONNX file (.onnx) by ONNX's.

    Inputs are named data and indices (data=x.npy indices=i.npy); what is not given comes from the file's
    constants, or is random. With -o FILE.npy the output is written there, else it is printed.
    """
    given = load_arrays(arrays, inputs)
    run = _run_onnx if is_onnx(path) else _run
    ran = run(path, weights, layer, given, axis=axis, seed=seed, strict=strict, engine=engine, threads=threads)
    if output is not None:
        import io

        import numpy

        buffer = io.BytesIO()
        numpy.save(buffer, ran.output, allow_pickle=False)
        _files.write_bytes(buffer.getvalue(), output)
    _files.write_text(render("run", "text", [ran], color=_files.wants_color(color, None), written=output), None)
    return 0


def _run(path: str, weights: str | None, layer: str | None, given: Arrays, **named: Any) -> Ran:
    from ovgather.ir.read import read
    from ovgather.run import run_layer
    from ovgather.validate import check

    model = read(path, weights)
    if model.fatal:
        click.echo(printable(f"ovgather: {check(model)[0]}"), err=True)
        raise click.exceptions.Exit(4)
    return run_layer(model, layer, given, **named)


def _run_onnx(path: str, weights: str | None, layer: str | None, given: Arrays, **named: Any) -> Ran:
    from ovgather.cli._onnx import open_model
    from ovgather.onnx_file.run import run_node

    return run_node(open_model(path, weights), layer, given, **named)
