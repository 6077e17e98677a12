"""``ovgather infer``: the output shape of every Gather layer, beside the declared one."""

from __future__ import annotations

import click

from ovgather.cli import _files, _options
from ovgather.infer import infer
from ovgather.report import render


@click.command()
@_options.paths
@_options.weights
@_options.layer
@click.option("--why", is_flag=True, help="Say of each output dim where it comes from.")
@_options.format_of("infer")
@_options.output
@_options.color
def command(
    paths: tuple[str, ...],
    weights: str | None,
    layer: str | None,
    why: bool,
    format: str,
    output: str | None,
    color: str,
) -> int:
    """Infer the output shape of the Gather layers of PATH (a file, a folder, or - for standard input).

    Exit code 1 when a shape contradicts the declared one.
    """
    files = _files.find_files(paths)
    if not files:
        _files.none_found(paths)
        return 3
    _options.check_one_weights(weights, files)
    results = [infer(path, weights, layer) for path in files]
    text = render("infer", format, results, color=_files.wants_color(color, output), why=why)
    _files.write_text(text, output)
    if any(file.error for file in results):
        return 4
    return int(any(item.status == "mismatch" for file in results for item in file.layers))
