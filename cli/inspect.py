"""``ovgather inspect``: what a file is, and which releases read it."""

from functools import partial

import click

from ovgather.cli._shared import files as _files
from ovgather.cli._shared import options as _options
from ovgather.cli._shared.outputs import CLEAN, UNREADABLE, ReportOptions, reserve
from ovgather.cli._shared.progress import Stream
from ovgather.validation.plan import check_files
from ovgather.verbs.inspect import inspect


@click.command()
@_options.paths
@_options.weights
@_options.report("inspect")
def command(paths: tuple[str, ...], weights: str | None, report: ReportOptions) -> int:
    """Print what the files PATH are: version, producer, releases that read them, inputs, outputs, weights, operations.

    PATH may be an ONNX file (.onnx), with the extra ovgather[onnx]. `ovgather diff` tells what two files differ in.

    Exit code 4 when a file cannot be read; the message names what it is (a git-lfs pointer, a web page).

    \b
    ovgather inspect model.xml
    ovgather inspect models --format json
    """
    files = _files.find(paths, weights, onnx=True)
    reserve((report.output,), files.paths, (weights,))
    results = check_files(files.paths, partial(inspect, weights=weights), 1)
    stream = Stream(results, lambda file: UNREADABLE if file.error else CLEAN)
    report.show(stream)
    return files.exit_code(stream.exit_code(len(files.paths)))
