"""``ovgather validate``: every problem of IR files, with its place and what OpenVINO does with it."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Sequence
from contextlib import ExitStack
from functools import partial
from typing import Any

import click

from ovgather.cli._shared import checking as _checking
from ovgather.cli._shared import files as _files
from ovgather.cli._shared import options as _options
from ovgather.cli._shared.checking import Arguments, Fixes
from ovgather.cli._shared.many import ManyFiles, require_one_place
from ovgather.cli._shared.many import rest as _rest
from ovgather.cli._shared.outputs import (
    CLEAN,
    FINDINGS,
    UNREADABLE,
    USAGE,
    ReportOptions,
    reserve,
    same_options,
    write_out,
)
from ovgather.cli._shared.progress import Progress, Stream
from ovgather.files.remote import is_remote
from ovgather.layers.formats import AnyModel, read
from ovgather.report import render
from ovgather.validation.checked import Checked, limited
from ovgather.validation.plan import Plan, check_files, excluded
from ovgather.validation.selection.configuration import AUTO

_FORMATS_WITH_FIXES = ("html", "json", "sarif", "text")
_OF_PAGE = ("--weights", "--follow-links", "--target", "--device")
"""The options that a command of a page needs to find the same."""
_SECTIONS = {
    "Everyday options": "fix diff unsafe-fixes select ignore strict format output help",
    "What is checked": "weights target device with-openvino no-suppressions config isolated",
    "What is reported": "severity baseline write-baseline max-findings statistics exit-zero color progress",
    "Which files, and where it runs": "after fail-fast allow-none follow-links jobs timeout cache dask",
}
"""The options as the help lists them."""


class Command(_options.Sectioned):
    """A command whose ``--with-openvino`` takes a value only after ``=``: what follows a blank is a path."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        if "--" in args:
            end = args.index("--")
        else:
            end = len(args)
        arguments = [
            "--with-openvino=read" if argument == "--with-openvino" else argument
            for argument in args[:end]
        ]
        return super().parse_args(ctx, [*arguments, *args[end:]])


@click.command(cls=Command, sections=_SECTIONS)
@_options.paths
@_options.weights
@_options.follow_links
@_options.report("validate", configured=True)
@_checking.fix_options
@_options.option(
    "--with-openvino until [=compile]",
    "Load the files in OpenVINO, too, and report its verdict. =compile also compiles them for the CPU.",
    type=click.Choice(["read", "compile"]),
)
@_checking.options
def command(**values: Any) -> int:
    """Report every problem of the IR files PATH (files, folders, or - for standard input).

    ONNX files (.onnx) are checked as well, with the extra ovgather[onnx].

    Exit code 1 when there is an error or OpenVINO refuses a file (with --diff also when there is something to fix), 4
    when a file could not be read at all. Options override the configuration file.

    \b
    ovgather validate model.xml
    ovgather validate models --strict --format sarif -o findings.sarif
    ovgather validate model.xml --fix
    """
    arguments = Arguments(**values)
    configuration, plan, report = _checking.settings(arguments)
    _checking.require_together(arguments)
    require_one_place(arguments.jobs, arguments.dask)
    baseline = _checking.read_baseline(configuration.baseline, arguments.write_baseline)
    excluding = configuration.path if configuration.exclude else None
    exclude = partial(excluded, configuration)
    matching = _files.find(
        arguments.paths,
        arguments.weights,
        exclude,
        excluding,
        onnx=True,
        allow_none=arguments.allow_none,
        follow_links=arguments.follow_links,
    )
    paths = matching.paths
    if arguments.after is not None:
        paths = _rest(paths, arguments.after)
    if (arguments.until is not None or arguments.fixes) and any(map(is_remote, paths)):
        raise click.UsageError(
            "--fix, --diff and --with-openvino go with files of this machine, not with addresses"
        )
    if arguments.until is not None:
        from ovgather.runtimes.available import require

        require("openvino")  # before anything takes time
    # Files that are read are not written, except where --fix and --write-baseline ask for that.
    known = configuration.baseline
    if arguments.write_baseline:
        read = None
        written = known
    else:
        read = known
        written = None
    reserve(
        (written, report.output),
        matching.paths,
        (arguments.weights, configuration.path, read),
    )
    limit = partial(limited, most=plan.most)
    # A baseline knows every finding, and every finding is to be fixed: then the limit holds for what is left.
    if baseline is not None or arguments.fixes:
        most = 0
    else:
        most = plan.most
    plan = plan._replace(
        fixes=report.format in _FORMATS_WITH_FIXES and not arguments.fixes, most=most
    )
    failing = ("error", "warning") if configuration.strict else ("error",)
    if (arguments.fixes or arguments.until is not None) and "-" in paths:
        plan = plan._replace(standard_input=_files.read_bytes("-"))
    fixes = _checking.Fixes(plan, arguments, baseline, report.output, matching.stays)
    with ExitStack() as rest, Progress(paths, arguments.progress) as progress:
        checks = progress.over(
            _checks(paths, plan, configuration.jobs or AUTO, arguments, rest)
        )
        results = _after(checks, plan, arguments, fixes)
        if baseline is not None:
            apply = (
                _checking.write_baseline
                if arguments.write_baseline
                else _checking.apply_baseline
            )
            results = apply(baseline, results, plan)
        stream = Stream(
            map(limit, results), partial(_exit_code, failing), arguments.fail_fast
        )
        _show(stream, fixes, report)
    code = max(
        stream.exit_code(len(paths), arguments.cache is not None), int(fixes.fails)
    )
    if fixes.unwritten:
        code = max(code, USAGE)
    return matching.exit_code(
        CLEAN if code == FINDINGS and arguments.exit_zero else code
    )


def _exit_code(failing: Container[str], checked: Checked) -> int:
    fails = any(
        number and severity in failing
        for (_, severity), number in checked.numbers.items()
    )
    if checked.fatal:
        return UNREADABLE
    if fails or checked.is_refused:
        return FINDINGS
    return CLEAN


def _checks(
    files: Sequence[str],
    plan: Plan,
    processes: int,
    arguments: Arguments,
    rest: ExitStack,
) -> Iterator[Checked]:
    if arguments.cache is None and arguments.dask is None:
        return check_files(files, plan.check, processes, arguments.timeout)
    from ovgather.validation.many.run import kept_checks

    many = ManyFiles(files, processes, arguments.cache, arguments.dask)
    return rest.enter_context(many.results(kept_checks(plan), arguments.timeout))


def _after(
    checks: Iterable[Checked], plan: Plan, arguments: Arguments, fixes: Fixes
) -> Iterator[Checked]:
    """The findings as they come: those after the fixes, and with OpenVINO's."""
    results = checks
    if arguments.fixes:
        results = fixes.over(checks)
    if arguments.until is not None:
        from ovgather.validation.openvino_opinion import ask

        if (
            arguments.fix and plan.standard_input is not None
        ):  # OpenVINO gets the fixed one
            results = list(results)
            plan = plan._replace(standard_input=fixes.texts[0])
        results = ask(results, plan, arguments.until)
    yield from results


def _read(arguments: Arguments, standard_input: bytes | None, path: str) -> AnyModel:
    source = standard_input if path == "-" and standard_input is not None else path
    return read(source, arguments.weights, follow_links=arguments.follow_links)


def _show(stream: Stream, fixes: Fixes, report: ReportOptions) -> None:
    """Print the diffs, or the fixed standard input, and the findings where they have a place beside these."""
    arguments = fixes.arguments
    # Fixes are offered where they were not asked for.
    page = {
        "again": same_options(_OF_PAGE),
        "read": partial(_read, arguments, fixes.plan.standard_input),
    }
    of_sarif = {"ended": stream.ended}
    options: dict[str, dict[str, Any]] = {
        "html": page,
        "text": {"fixes": not arguments.fixes},
        "sarif": of_sarif,
    }
    if report.what == "validate":
        more = options.get(report.format, {})
    else:
        more = {}
    if not arguments.diff and (not arguments.fix or fixes.plan.standard_input is None):
        report.show(stream, **more)
        return
    text = render(report.what, report.format, stream, **more)
    write_out(fixes.texts, report.output if arguments.diff else None)
    if arguments.fix and report.output is not None:
        write_out([text], report.output)
    elif arguments.fix:
        click.echo(text, nl=False, err=True)
