"""``ovgather show``: one Gather layer, drawn."""

import sys
from shutil import get_terminal_size
from typing import Any

import click

from ovgather.cli._shared import options as _options
from ovgather.cli._shared.outputs import (
    ReportOptions,
    command_line,
    reserve,
    write_lines,
    write_out,
)
from ovgather.text import presentable, width


@click.command()
@_options.one_layer
@_options.seed_of("the example indices")
@click.option(
    "--neighbours",
    is_flag=True,
    help="Draw a layer of any kind with what feeds it and what it feeds.",
)
@_options.report("show")
def command(
    source: _options.OneLayer, neighbours: bool, report: ReportOptions, **how: Any
) -> int:
    """Draw one Gather layer of the IR or ONNX file PATH. Without --layer, list its Gather layers.

    Small layers are drawn cell by cell, with the source of each output cell. Large layers are drawn as a histogram of
    indices. Inputs are named data and indices. Missing inputs come from the file's constants, or are examples.

    \b
    ovgather show model.xml
    ovgather show model.xml --layer word_embedding indices=i.npy
    ovgather show model.xml --layer word_embedding --neighbours
    ovgather show model.xml --layer word_embedding --neighbours --format html -o layer.html
    ovgather show model.xml --layer loop/body/pick -o pick.txt
    """
    from ovgather.verbs.show import listing, show

    reserve((report.output,), (source.path,), source.others)
    model = source.model()
    is_text = report.format == "text"
    if source.layer is None:
        options = {
            "--neighbours": neighbours,
            f"--format {report.format}": not is_text,
            "--inputs": source.inputs,
        }
        for option in (*filter(options.get, options), *source.arrays):
            raise click.UsageError(f"{option} needs --layer, which says what to draw")
        rows = list(listing(model))
        wide = max((width(name) for name, _ in rows), default=0)
        lines = [
            f"{name}{' ' * (wide - width(name))}  {description}"
            for name, description in rows
        ]
        write_lines(lines or [f"{source.path}: no Gather layer"], report.output)
        return 0
    if neighbours:
        from ovgather.report.drawing.neighbours import draw, page

        if source.arrays or source.inputs:
            raise click.UsageError("--neighbours takes no arrays")
        if is_text:
            text = presentable(draw(model, source.layer))
        else:
            text = page(model, source.layer, command_line())
        write_out([text], report.output)
        return 0
    if not is_text:
        raise click.UsageError("--format html goes with --neighbours")
    drawing = show(model, source.layer, source.arrays_by_name(), **how)
    fits = report.output is None and sys.stdout.isatty()
    report.show([drawing], **({"columns": get_terminal_size().columns} if fits else {}))
    return 0
