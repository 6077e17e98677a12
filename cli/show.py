"""``ovgather show``: one Gather layer, drawn."""

from __future__ import annotations

import sys
from shutil import get_terminal_size

import click

from ovgather.cli import _files, _options
from ovgather.cli._arrays import load_arrays


@click.command()
@_options.path
@click.argument("arrays", metavar="[NAME=FILE.npy]...", nargs=-1)
@_options.layer
@_options.weights
@click.option("--inputs", metavar="FILE.npz", type=click.Path(exists=True, dir_okay=False), help="Arrays by name.")
@click.option("--axis", type=int, help="For a layer whose axis the file does not tell.")
@click.option("--seed", type=click.IntRange(0), default=0, show_default=True, help="Of the example indices.")
@_options.format_of("show")
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
    format: str,
    output: str | None,
    color: str,
) -> int:
    """Draw one Gather layer of the IR file PATH; without --layer, list those that it has.

    Small ones are drawn cell by cell, with the cell of data that each cell of the output takes; of large ones, how
    often each part of the axis is pointed to. Inputs are named data and indices; what is not given comes from the
    file's constants, or is an example.

    \b
    ovgather show model.xml
    ovgather show model.xml --layer word_embedding indices=i.npy
    ovgather show model.xml --layer loop/body/pick --format svg -o pick.svg
    """
    from ovgather.ir.read import read
    from ovgather.report._words import printable, width
    from ovgather.show import listing, show
    from ovgather.validate import check

    model = read(path, weights)
    if model.fatal:
        click.echo(f"ovgather: {check(model)[0]}", err=True)
        return 4
    if layer is None:
        asked = ["--format svg"] if format == "svg" else ["--inputs"] if inputs else list(arrays)
        if asked:
            raise click.UsageError(f"{asked[0]} needs --layer, which says what to draw")
        found = list(listing(model))
        wide = max((width(name) for name, _ in found), default=0)
        lines = [f"{name}{' ' * (wide - width(name))}  {words}" for name, words in found]
        _files.write_text("\n".join(lines or [f"{printable(path)}: no Gather layer"]) + "\n", output)
        return 0
    shown = show(model, layer, load_arrays(arrays, inputs), axis=axis, seed=seed)
    fits = {}
    if format == "text" and output is None and sys.stdout.isatty():
        fits = {"columns": get_terminal_size().columns}
    _files.show("show", format, [shown], color, output, **fits)
    return 0
