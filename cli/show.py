"""``ovgather show``: one Gather layer, drawn."""

import sys
from shutil import get_terminal_size
from typing import Any

import click

from ovgather.cli._shared import files as _files
from ovgather.cli._shared import options as _options
from ovgather.cli._shared import outputs as _outputs
from ovgather.cli._shared.model import array_paths, load_arrays, open_model
from ovgather.text import printable, width


@click.command()
@_options.one_layer
@_options.seed_of("the example indices")
@click.option("--neighbours", is_flag=True, help="Draw the layer, of any kind, with what feeds it and what it feeds.")
@_options.format_of("show")
@_options.output
@_options.color
def command(
    path: str,
    arrays: tuple[str, ...],
    layer: str | None,
    weights: str | None,
    follow_links: bool,
    inputs: str | None,
    neighbours: bool,
    format: str,
    output: str | None,
    color: str,
    **how: Any,
) -> int:
    """Draw one Gather layer of the IR or ONNX file PATH. Without --layer, list its Gather layers.

    Small layers are drawn cell by cell, with the source of each output cell. Large layers are drawn as a histogram of
    indices. Inputs are named data and indices. Missing inputs come from the file's constants, or are examples.

    \b
    ovgather show model.xml
    ovgather show model.xml --layer word_embedding indices=i.npy
    ovgather show model.xml --layer word_embedding --neighbours
    ovgather show model.xml --layer loop/body/pick --format svg -o pick.svg
    """
    from ovgather.verbs.show import listing, show

    _outputs.reserve((output,), (path,), (weights, inputs, *array_paths(arrays)))
    model = open_model(path, weights, follow_links)
    if layer is None:
        given = {"--neighbours": neighbours, "--format svg": format == "svg", "--inputs": inputs}
        options = [*(option for option, value in given.items() if value), *arrays]
        if options:
            raise click.UsageError(f"{options[0]} needs --layer, which says what to draw")
        rows = list(listing(model))
        wide = max((width(name) for name, _ in rows), default=0)
        lines = [f"{name}{' ' * (wide - width(name))}  {description}" for name, description in rows]
        _files.write_text("\n".join(lines or [f"{printable(path)}: no Gather layer"]) + "\n", output)
        return 0
    if neighbours:
        from ovgather.ir.model import Model
        from ovgather.report.drawing.neighbours import draw

        if not isinstance(model, Model) or format != "text" or arrays or inputs:
            raise click.UsageError("--neighbours draws a layer of IR as text, and takes no arrays")
        _files.write_text(draw(model, layer), output)
        return 0
    drawing = show(model, layer, load_arrays(arrays, inputs), **how)
    is_drawn = format == "text" and output is None and sys.stdout.isatty()
    fits = {"columns": get_terminal_size().columns} if is_drawn else {}
    _files.show("show", format, [drawing], color, output, **fits)
    return 0
