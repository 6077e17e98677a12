"""``ovgather validate``: every problem of IR files, with its place and what OpenVINO does with it."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import click

from ovgather.cli._shared import checking as _checking
from ovgather.cli._shared import files as _files
from ovgather.cli._shared import fixing as _fixing
from ovgather.cli._shared import openvino as _openvino
from ovgather.cli._shared import options as _options
from ovgather.cli._shared.checking import Arguments, Settings
from ovgather.cli._shared.fixing import Fixing, Outcome
from ovgather.cli._shared.progress import Progress
from ovgather.errors import LostFilesError
from ovgather.report import render
from ovgather.validation.checked import Checked, limited
from ovgather.validation.plan import Plan, check_files, excluded

if TYPE_CHECKING:
    from ovgather.validation.selection.baseline import Baseline

_FORMATS_WITH_FIXES = ("text", "json", "sarif")


@click.command(cls=_openvino.Command)
@_options.paths
@_options.weights
@_options.follow_links
@_options.format_of("validate", configured=True)
@_options.output
@_options.color
@_fixing.options
@_openvino.option
@_checking.options
def command(**given: Any) -> int:
    """Report every problem of the IR files PATH (files, folders, or - for standard input).

    ONNX files (.onnx) are checked as well, with the extra ovgather[onnx].

    Exit code 1 when there is an error (with --diff also when there is something to fix), 4 when a file could not
    be read at all. What is said here wins over what a configuration file says.
    """
    arguments = Arguments(**given)
    settings = _checking.settings(arguments)
    fixing = _fixing.parse(arguments)
    known = _checking.read_baseline(settings.baseline, arguments.write_baseline)
    # A baseline knows every finding, and every finding is to be fixed: then the limit holds for what is left.
    most = 0 if known is not None or fixing.wanted else settings.max_findings
    configured = settings.configuration
    excluding = configured.path if configured.exclude else None
    found = _files.find(arguments.paths, arguments.weights, partial(excluded, configured), excluding, onnx=True)
    if arguments.until is not None:
        _openvino.require()
    _reserve(arguments, settings, found.paths)
    chosen = settings.plan._replace(fixes=settings.format in _FORMATS_WITH_FIXES and not fixing.wanted, most=most)
    results, fixed, lost = _check(found.paths, chosen, settings.jobs, fixing, arguments.until, known)
    if known is not None and arguments.write_baseline:
        known = _checking.write_baseline(known, results, chosen)
    if known is not None:
        results = _checking.apply_baseline(known, results, chosen)
    results = [limited(checked, settings.max_findings) for checked in results]
    _show(results, fixed, settings.format, arguments, fixing)
    if lost is not None:
        raise lost  # with everything else reported
    code = _exit_code(results, settings.strict, arguments.exit_zero)
    return found.exit_code(max(code, int(fixed.fails(fixing) and not arguments.exit_zero)))


def _reserve(arguments: Arguments, settings: Settings, files: Sequence[str]) -> None:
    """See that nothing is written to what is read. ``--fix`` and ``--write-baseline`` do: that is what they are for."""
    written = settings.baseline if arguments.write_baseline else None
    if arguments.output is None and written is None:
        return
    from ovgather.cli._shared import outputs as _outputs

    known = settings.baseline if written is None else None
    _outputs.reserve((arguments.output, written), files, (arguments.weights, settings.configuration.path, known))


def _check(
    files: Sequence[str], chosen: Plan, processes: int, fixing: Fixing, until: str | None, known: Baseline | None
) -> tuple[list[Checked], Outcome, LostFilesError | None]:
    """What is found in ``files`` once they are fixed, and what OpenVINO says of them, as far as that is asked for.

    The error names the files whose process died: nothing is known of them.
    """
    lost = None
    if "-" in files and (fixing.wanted or until is not None):
        chosen = chosen._replace(standard_input=_files.read_bytes("-"))
    with Progress(files) as progress:
        try:
            results = check_files(files, chosen, processes, progress)
        except LostFilesError as error:
            results, lost = list(error.results), error
            files = [path for path in files if path not in error.files]
    fixed = _fixing.fix_files(results, chosen, fixing, known)
    if fixing.write and fixed.texts:
        chosen = chosen._replace(standard_input=fixed.texts[0])
    return (fixed.left if until is None else _openvino.ask(files, fixed.left, chosen, until)), fixed, lost


def _show(results: Sequence[Checked], fixed: Outcome, format: str, arguments: Arguments, fixing: Fixing) -> None:
    """Print what is found, and what was fixed."""
    what = "statistics" if arguments.statistics else "validate"
    # Fixes are offered where they were not asked for.
    more = {"fixes": not fixing.wanted} if (what, format) == ("validate", "text") else {}
    if _fixing.print_texts(fixed, fixing, arguments.output):
        _files.show(what, format, results, arguments.color, arguments.output, **more)
    elif fixing.write:
        click.echo(render(what, format, results, **more), nl=False, err=True)


def _exit_code(results: Sequence[Checked], strict: bool, exit_zero: bool) -> int:
    if any(checked.fatal for checked in results):
        return 4
    failing = ("error", "warning") if strict else ("error",)
    failed = any(checked.number(*failing) for checked in results)
    return int(failed and not exit_zero)
