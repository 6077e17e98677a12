"""``ovgather validate``: every problem of IR files, with its place and what OpenVINO does with it."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

import click

from ovgather.cli import _checking, _files, _fixing, _openvino, _options
from ovgather.cli._fixing import Fixing, Outcome
from ovgather.cli._progress import Progress
from ovgather.configuration import AUTO, parse_jobs
from ovgather.plan import Plan, check_files, excluded, plan
from ovgather.report import render
from ovgather.validate import Checked

if TYPE_CHECKING:
    from ovgather.baseline import Baseline


@click.command(cls=_openvino.Command)
@_options.paths
@_options.weights
@_options.format_of("validate", configured=True)
@_options.output
@_options.color
@_fixing.options
@_openvino.option
@_checking.options
def command(
    paths: tuple[str, ...],
    weights: str | None,
    format: str | None,
    output: str | None,
    color: str,
    fix: bool,
    diff: bool,
    unsafe_fixes: bool,
    until: str | None,
    select: tuple[str, ...],
    ignore: tuple[str, ...],
    strict: bool | None,
    exit_zero: bool,
    statistics: bool,
    no_suppressions: bool,
    baseline: str | None,
    write_baseline: bool,
    jobs: str | None,
    config: str | None,
    isolated: bool,
) -> int:
    """Report every problem of the IR files PATH, of those in a folder PATH, or of standard input (-).

    Exit code 1 when there is an error (with --diff also when there is something to mend), 4 when a file could not
    be read at all. What is said here wins over what a configuration file says.
    """
    settings = _checking.read_configuration(config, isolated)
    if statistics and format not in (None, "text"):
        raise click.UsageError(f"--statistics prints text: it does not go with --format {format}")
    beside = {
        "--fix": fix,
        "--format": format is not None,
        "--statistics": statistics,
        "--write-baseline": write_baseline,
        "--with-openvino": until is not None,
    }
    fixing = _fixing.parse(fix, diff, unsafe_fixes, beside)
    chosen = plan(settings, _checking.choice(select, ignore), weights, suppressions=not no_suppressions)
    processes = parse_jobs(jobs) if jobs is not None else settings.jobs or AUTO
    known = _checking.read_baseline(baseline or settings.baseline, write_baseline)
    files = _files.find_files(paths, partial(excluded, settings))
    if not files:
        _files.none_found(paths, settings.path if settings.exclude else None)
        return 3
    _options.check_one_weights(weights, files)
    if until is not None:
        _openvino.require()
    results, fixed = _check(files, chosen, processes, fixing, until, known)
    if known is not None and write_baseline:
        known = _checking.write_baseline(known, results, chosen)
    if known is not None:
        results = _checking.apply_baseline(known, results, chosen)
    what, how = ("statistics", "text") if statistics else ("validate", format or settings.format or "text")
    if _fixing.print_texts(fixed, fixing, output):
        _files.write_text(render(what, how, results, color=_files.wants_color(color, output)), output)
    elif fixing.write:
        click.echo(render(what, how, results), nl=False, err=True)
    code = _exit_code(results, settings.strict if strict is None else strict, exit_zero)
    return max(code, int(fixed.fails(fixing) and not exit_zero))


def _check(
    files: Sequence[str], chosen: Plan, processes: int, fixing: Fixing, until: str | None, known: Baseline | None
) -> tuple[list[Checked], Outcome]:
    """What is found in ``files`` once they are fixed, and what OpenVINO says of them, as far as that is asked for."""
    if "-" in files and (fixing.wanted or until is not None):
        chosen = chosen._replace(standard_input=_files.read_bytes("-"))
    with Progress(len(files)) as progress:
        results = check_files(files, chosen, processes, progress)
    fixed = _fixing.fix_files(results, chosen, fixing, known)
    if fixing.write and fixed.texts:
        chosen = chosen._replace(standard_input=fixed.texts[0])
    return (fixed.left if until is None else _openvino.ask(files, fixed.left, chosen, until)), fixed


def _exit_code(results: Sequence[Checked], strict: bool | None, exit_zero: bool) -> int:
    if any(checked.fatal for checked in results):
        return 4
    failing = ("error", "warning") if strict else ("error",)
    failed = any(found.severity in failing for checked in results for found in checked.diagnostics)
    return int(failed and not exit_zero)
