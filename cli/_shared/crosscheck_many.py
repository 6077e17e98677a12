"""``crosscheck`` of many files: on a cluster, or of the layers that a runtime can tell apart."""

from __future__ import annotations

from collections.abc import Sequence

import click

from ovgather.crosscheck.many import Distinct, FileCheck
from ovgather.crosscheck.options import MODES
from ovgather.crosscheck.report import ALONE, FileReport
from ovgather.errors import LostFilesError
from ovgather.validation.many.cluster import connected
from ovgather.validation.many.run import each_file

distinct = click.option(
    "--distinct", is_flag=True, help="Run layers that are the same to a runtime only once, alone, and report all."
)


def run(
    files: Sequence[str], check: FileCheck, distinct: bool, dask: str | None, reports: list[FileReport]
) -> KeyboardInterrupt | LostFilesError | None:
    """Put the reports on ``files`` into ``reports``; what ended it early, or is to be told after them."""
    if check.options.inputs is not None or check.options.layer is not None:
        raise click.UsageError("--inputs and --layer are of one file: they do not go with --distinct and --dask")
    if distinct and check.options.mode not in (MODES[-1], ALONE):
        raise click.UsageError("--distinct runs layers alone: it does not go with --mode in-place")
    with connected(dask) as executor:
        layers = Distinct(files, check, executor) if distinct else None
        try:
            if layers is not None:
                click.echo(f"ovgather: {layers.layers:,} layers, {len(layers.first):,} distinct", err=True)
                layers.run()
            else:
                for some in each_file(files, check, 1, executor):
                    reports += some
            ended = None
        except (KeyboardInterrupt, LostFilesError) as error:
            ended = error
            (reports.extend if layers is None else layers.take)(getattr(error, "report", ()))
        reports += layers.reports() if layers is not None else ()
    return ended
