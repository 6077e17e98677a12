"""``ovgather survey``: what Gather layers a collection of models has, and which releases endanger it."""

from __future__ import annotations

import click

from ovgather.cli._shared import files as _files
from ovgather.cli._shared import options as _options
from ovgather.cli._shared.many import ManyFiles
from ovgather.cli._shared.outputs import CLEAN, UNREADABLE, ReportOptions, reserve
from ovgather.cli._shared.progress import Stream


@click.command()
@_options.paths
@_options.follow_links
@_options.report("survey")
@_options.many_files
def command(
    paths: tuple[str, ...],
    follow_links: bool,
    report: ReportOptions,
    jobs: str | None,
    cache: str | None,
    dask: str | None,
    after: str | None,
) -> int:
    """Print what Gather layers the IR and ONNX files PATH have, altogether and by file, and what endangers them.

    Of each layer: operation, types, shapes, axis, and whether an index is out of range. Of each file: hazards by
    release of OpenVINO, and missing weights. Layers that are the same to a runtime are counted once as distinct.
    --format html gives a page with tables that sort.

    Exit code 4 when a file cannot be read.

    \b
    ovgather survey models
    ovgather survey models --format html -o survey.html
    """
    from ovgather.verbs.survey import kept

    matching = _files.find(paths, onnx=True, follow_links=follow_links)
    reserve((report.output,), matching.paths)
    many = ManyFiles.of(matching.paths, jobs, cache, dask, after)
    with many.results(kept(follow_links)) as results:
        stream = Stream(results, lambda file: UNREADABLE if file.error else CLEAN)
        report.show(stream)
    return matching.exit_code(stream.exit_code(len(many.paths), cache is not None))
