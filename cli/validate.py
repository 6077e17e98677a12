"""``ovgather validate``: every problem of IR files, with its place and what OpenVINO does with it."""

from __future__ import annotations

import click

from ovgather.cli import _files, _options
from ovgather.report import render
from ovgather.validate import check_file


@click.command()
@_options.paths
@_options.weights
@_options.format_of("validate")
@_options.output
@_options.color
@click.option("--strict", is_flag=True, help="Let warnings make the exit code 1 too.")
def command(
    paths: tuple[str, ...], weights: str | None, format: str, output: str | None, color: str, strict: bool
) -> int:
    """Report every problem of the IR files PATH, of those in a folder PATH, or of standard input (-).

    Exit code 1 when there is an error, 4 when a file could not be read at all.
    """
    files = _files.find_files(paths)
    if not files:
        _files.none_found(paths)
        return 3
    _options.check_one_weights(weights, files)
    results = [check_file(path, weights) for path in files]
    _files.write_text(render("validate", format, results, color=_files.wants_color(color, output)), output)
    if any(checked.fatal for checked in results):
        return 4
    failing = ("error", "warning") if strict else ("error",)
    return int(any(found.severity in failing for checked in results for found in checked.diagnostics))
