"""``ovgather conformance``: how well a device runs the Gather family, in one command."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import click

from ovgather.cli._shared import completion
from ovgather.cli._shared import files as _files
from ovgather.cli._shared import options as _options
from ovgather.cli._shared.outputs import (
    CLEAN,
    FINDINGS,
    INTERRUPTED,
    MISSING,
    ReportOptions,
    reserve,
    same_options,
    say,
    write_out,
)
from ovgather.cli._shared.progress import Rate

if TYPE_CHECKING:
    from ovgather.layers.gather_layer import GatherLayer

_FILE = click.Path(dir_okay=False)
_SAME = ("--seed", "--config", "--plugin", "--timeout")
_REPORTS = {".json": "json", ".xml": "junit", ".html": "html"}


@click.command()
@click.argument("paths", metavar="[ZOO]...", nargs=-1, shell_complete=completion.files)
@_options.device
@_options.config
@_options.plugins
@_options.seed_of("random values")
@_options.timeout_of(60.0)
@_options.option(
    "--only PATTERN",
    "Run cases whose name matches: 'Gather-8/*', 'zoo/*'.",
    default="*",
)
@_options.option(
    "--expected FILE",
    "Names or patterns of expected failures.",
    type=_options.existing_file,
)
@_options.option(
    "--write-expected FILE", "Write the names of all failing cases.", type=_FILE
)
@_options.option(
    "--resume FILE", "Keep the results in FILE, and run the rest only.", type=_FILE
)
@_options.option(
    "--report reports FILE",
    "Write all results as JSON, JUnit XML or an HTML page, by the ending of FILE: .json, .xml, .html.",
    type=_FILE,
    multiple=True,
)
@_options.follow_links
@_options.dask
@_options.report("conformance")
def command(
    paths: tuple[str, ...],
    only: str,
    expected: str | None,
    write_expected: str | None,
    resume: str | None,
    reports: tuple[str, ...],
    follow_links: bool,
    dask: str | None,
    report: ReportOptions,
    **how: Any,
) -> int:
    """Run a matrix of small Gather layers, and the distinct layers of the models ZOO, on a device; print pass rates.

    Each case runs in OpenVINO and is compared with the reference, bit by bit. Known deviations of the CPU plugin pass.
    Failures that --expected lists are expected; others are new. Exit code 1: there are new failures; 5: no such device;
    130: Ctrl-C, after the results so far, which --resume goes on from.

    \b
    ovgather conformance --device CPU --resume cpu.jsonl --report cpu.html
    ovgather conformance models/ --device NPU --plugin NPU=./libnpu.so --expected npu-failures.txt --report npu.xml
    """
    from fnmatch import fnmatchcase

    from ovgather.comparison.conformance import (
        Conformance,
        generated,
        of_zoo,
        run,
    )
    from ovgather.comparison.expected import expected_failures, require_known
    from ovgather.comparison.options import CrosscheckOptions
    from ovgather.runtimes.available import require
    from ovgather.validation.many.cluster import connected

    require("openvino")
    for path in reports:
        if not path.endswith(tuple(_REPORTS)):
            raise click.BadParameter(
                f"{path!r} must end with one of {', '.join(_REPORTS)}",
                param_hint="--report",
            )
    options = CrosscheckOptions(**how)
    if paths:
        matching = _files.find(paths, follow_links=follow_links)
    else:
        matching = _files.Matches([], CLEAN)
    reserve(
        (write_expected, resume, *reports, report.output), matching.paths, (expected,)
    )
    listed = None
    if expected:
        listed = expected_failures(
            _files.read_bytes(expected).decode("utf-8", "replace")
        )
    cases = [
        *generated(options.seed),
        *of_zoo(_gathers(matching.paths, follow_links), options),
    ]
    require_known(listed or (), {case.name for case in cases}, "case")
    cases = [case for case in cases if fnmatchcase(case.name, only)]
    if not cases:
        raise click.BadParameter(f"no case is called {only!r}", param_hint="--only")
    with Rate("Running cases") as rate, connected(dask) as executor:
        results, end = run(cases, options, resume, rate.reached, executor)
    conformance = Conformance(options.device, results, len(cases), listed)
    page = {"again": same_options(_SAME), "zoo": paths}
    report.show([conformance], **(page if report.format == "html" else {}))
    for path in reports:
        kind = next(kind for ending, kind in _REPORTS.items() if path.endswith(ending))
        ReportOptions("conformance", kind, "never", path).show(
            [conformance], **(page if kind == "html" else {})
        )
    if write_expected is not None:
        write_out([f"{each.name}\n" for each in results if each.fails], write_expected)
    if end is not None:
        way = "--resume FILE keeps them for the next run"
        if resume is not None:
            way = "the same command runs the rest"
        if isinstance(end, KeyboardInterrupt):
            why = "interrupted"
        else:
            why = str(end)
        say(
            f"{why}: {len(results):,} of {len(cases):,} cases are done and in the report; {way}"
        )
        if isinstance(end, KeyboardInterrupt):
            return INTERRUPTED
        return MISSING
    return matching.exit_code(FINDINGS if conformance.new else CLEAN)


def _gathers(paths: Sequence[str], follow_links: bool) -> Iterator[GatherLayer]:
    """The layers of those models that can be read."""
    from ovgather.ir.read import read
    from ovgather.layers.gather_layer import gather_layers
    from ovgather.validation.foreign_weights import with_own_values

    for path in paths:
        if (model := read(path, follow_links=follow_links)).fatal:
            say(f"{path} cannot be read: it is left out")
        else:
            yield from gather_layers(with_own_values(model))
