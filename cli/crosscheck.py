"""``ovgather crosscheck``: every Gather layer as OpenVINO computes it, against the reference."""

import os
from collections.abc import Iterable
from typing import Any

import click
from click.core import ParameterSource

from ovgather.cli._shared import crosscheck_many as _crosscheck_many
from ovgather.cli._shared import crosscheck_onnx as _crosscheck_onnx
from ovgather.cli._shared import files as _files
from ovgather.cli._shared import fuzz as _fuzz
from ovgather.cli._shared import options as _options
from ovgather.cli._shared import outputs as _outputs
from ovgather.cli._shared.exits import INTERRUPTED, UNREADABLE
from ovgather.cli._shared.progress import Rate
from ovgather.crosscheck.entry import crosscheck_ir
from ovgather.crosscheck.many import FileCheck
from ovgather.crosscheck.options import MODES, TIMEOUT, CrosscheckOptions
from ovgather.crosscheck.report import FileReport, Report, Stopped
from ovgather.errors import LostFilesError
from ovgather.onnx_file.source import is_onnx
from ovgather.text import printable

_REPEATED = ("--inputs", "--weights", "--follow-links", "--device", "--static", "--timeout")


@click.command()
@_fuzz.paths
@_options.model_inputs
@_options.weights
@_options.follow_links
@_options.layer
@_options.seed_of("random inputs")
@click.option("--device", default="CPU", show_default=True, help="Device of OpenVINO.")
@click.option("--static", is_flag=True, help="Run with static shapes. OpenVINO may crash on them.")
@click.option(
    "--timeout",
    metavar="SECONDS",
    type=click.FloatRange(0, min_open=True),
    default=TIMEOUT,
    show_default=True,
    help="Time limit of one run.",
)
@click.option(
    "--mode",
    type=click.Choice(MODES),
    default="both",
    show_default=True,
    help="Run each layer alone, in the whole model, or both.",
)
@click.option(
    "--variants",
    metavar="NAMES",
    default="default",
    show_default=True,
    help="Variants of each layer alone: default, all, none, or a list of names or patterns, separated by commas.",
)
@click.option(
    "--against",
    metavar="RUNTIMES",
    default="openvino",
    show_default=True,
    help="Runtimes to compare with the reference, separated by commas: openvino, onnxruntime, onnx-reference, torch, "
    "or package:Class for a runtime of your own. "
    "ONNX files run in onnxruntime, unless onnx-reference is named.",
)
@click.option("--strict", is_flag=True, help="Let known deviations make the exit code 1, too.")
@_crosscheck_many.distinct
@_options.dask
@_fuzz.option
@_options.format_of("crosscheck")
@_options.output
@_options.color
def command(
    paths: tuple[str, ...],
    weights: str | None,
    follow_links: bool,
    distinct: bool,
    dask: str | None,
    fuzz: int | None,
    format: str,
    output: str | None,
    color: str,
    **how: Any,
) -> int:
    """Run the Gather layers of the IR files PATH in OpenVINO and compare them with the reference, bit by bit.

    OpenVINO runs in a child process, so a crash is a verdict. Exit code 1: a layer differs, fails, crashes or hangs;
    5: a runtime or the device is missing; 130: Ctrl-C, after the results so far.

    The nodes of an ONNX file run in onnxruntime. Two PATHs, an ONNX file and the IR made from it, run on the same
    inputs and are compared layer by layer.

    \b
    ovgather crosscheck model.xml --inputs real.npz --strict
    ovgather crosscheck --fuzz 10000 --seed 1 -o bugs
    """
    from ovgather.files.arrays import array_files

    _fuzz.check(fuzz, paths)
    how |= {"variants": how["variants"].split(","), "against": _runtimes(how["against"])}
    options = CrosscheckOptions(**how)
    if fuzz is not None:
        return _fuzz.run(fuzz, options, format, output, color)
    pair = _crosscheck_onnx.is_pair(paths)
    matching = _files.find(paths, None if pair else weights, onnx=True)
    files = matching.paths
    _outputs.reserve((output,), files, (weights, how["inputs"]))
    if how["inputs"] is not None:
        options = options._replace(inputs=array_files(how["inputs"]))
    reports: list[FileReport] = []
    stopped, ended = False, None
    if pair:
        reports += _crosscheck_onnx.pair(paths, options, weights, follow_links)
        files = []
    mixed = not all(map(is_onnx, files))
    if distinct or dask is not None:
        for_onnx = _crosscheck_onnx.for_onnx(options, mixed) if any(map(is_onnx, files)) else options
        check = FileCheck(options, for_onnx, follow_links, weights)
        ended = _crosscheck_many.run(files, check, distinct, dask, reports)
        stopped, files = isinstance(ended, KeyboardInterrupt), []
    for path in files:
        try:
            with Rate(printable(os.path.basename(path))) as rate:
                if is_onnx(path):
                    own = _crosscheck_onnx.for_onnx(options, mixed)._replace(progress=rate.reached)
                    reports += _crosscheck_onnx.check(path, own, weights, follow_links)
                else:
                    reports += _check(path, options._replace(progress=rate.reached), weights, follow_links)
        except Stopped as stop:
            reports += stop.report
            stopped = True
            break
    origin = _origin(options.seed) if format == "html" else {}
    _files.show("crosscheck", format, reports, color, output, **origin)
    if stopped:
        click.echo("ovgather: interrupted: this is what was known by then", err=True)
        return INTERRUPTED
    if isinstance(ended, LostFilesError):
        raise ended
    unread = any(file.error for file in reports)
    return matching.exit_code(UNREADABLE if unread else Report(reports, options.strict).exit_code)


def _check(path: str, options: CrosscheckOptions, weights: str | None, follow_links: bool) -> Iterable[FileReport]:
    """The cross-check of one IR file; one that cannot be read is a report that says why."""
    model = _crosscheck_onnx.read_ir(path, weights, follow_links)
    return [model] if isinstance(model, FileReport) else crosscheck_ir(model, options)


def _origin(seed: int) -> dict[str, object]:
    """What only a page has: the command that made it, and the options that repeat one run of it."""
    context = click.get_current_context()
    given: dict[str, str] = {}
    words = ["ovgather", context.info_name or ""]
    for parameter in context.command.params:
        name = parameter.name or ""
        if isinstance(parameter, click.Argument):
            words += context.params[name]
        elif context.get_parameter_source(name) is ParameterSource.COMMANDLINE:
            is_flag = isinstance(parameter, click.Option) and parameter.is_flag
            given[max(parameter.opts, key=len)] = "" if is_flag else str(context.params[name])
    for option, value in given.items():
        words += [option, value] if value else [option]
    repeat = {name: given[name] for name in _REPEATED if name in given}
    return {"command": words, "seed": seed, "repeat": {"--seed": str(seed), **repeat}}


def _runtimes(against: str) -> list[str]:
    from ovgather.runtimes.adapters import names

    chosen = list(dict.fromkeys(against.split(",")))
    for name in chosen:
        if name not in names() and ":" not in name:
            raise click.BadParameter(f"{name!r} is none of {', '.join(names())}", param_hint="--against")
    return chosen
