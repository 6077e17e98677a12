"""``ovgather survey``: what Gather layers a collection of models has, and which releases endanger it."""

from __future__ import annotations

from functools import partial

import click

from ovgather.cli._shared import files as _files
from ovgather.cli._shared import options as _options
from ovgather.cli._shared.outputs import CLEAN, UNREADABLE, ReportOptions, reserve
from ovgather.cli._shared.progress import Stream
from ovgather.validation.plan import check_files
from ovgather.validation.selection.configuration import AUTO, parse_number


@click.command()
@_options.paths
@_options.follow_links
@_options.report("survey")
@_options.option(
    "--jobs N", "Number of processes.  [default: auto, by number and size of the files]"
)
def command(
    paths: tuple[str, ...], follow_links: bool, report: ReportOptions, jobs: str | None
) -> int:
    """Print what Gather layers the IR files PATH have, altogether and by file, and what endangers them.

    Of each layer: operation, types, shapes, axis, and whether an index is out of range. Of each file: hazards by
    release of OpenVINO, and missing weights. Layers that are the same to a runtime are counted once as distinct.
    --format html gives a page with tables that sort.

    Exit code 4 when a file cannot be read.

    \b
    ovgather survey models
    ovgather survey models --format html -o survey.html
    """
    from ovgather.verbs.survey import survey_file

    matching = _files.find(paths, follow_links=follow_links)
    reserve((report.output,), matching.paths)
    if jobs is None:
        processes = AUTO
    else:
        processes = parse_number(jobs, "jobs")
    results = check_files(
        matching.paths, partial(survey_file, follow_links=follow_links), processes
    )
    stream = Stream(results, lambda file: UNREADABLE if file.error else CLEAN)
    report.show(stream)
    return matching.exit_code(stream.exit_code(len(matching.paths)))
