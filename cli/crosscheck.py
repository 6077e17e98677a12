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
from ovgather.crosscheck.entry import crosscheck_ir, with_start
from ovgather.crosscheck.many import FileCheck
from ovgather.crosscheck.options import MODES, REPEAT, TIMEOUT, CrosscheckOptions, parsed
from ovgather.crosscheck.report import FileReport, Report, Stopped
from ovgather.errors import LostFilesError
from ovgather.onnx_file.source import is_onnx
from ovgather.text import printable

_REPEATED = ("--inputs", "--weights", "--follow-links", "--device", "--static", "--timeout")
_QUICK, _THOROUGH = {"variants": "none", "repeat": 1}, {"variants": "all", "repeat": 12}


@click.command()
@_fuzz.paths
@click.option(
    "--inputs",
    metavar="[NAME=]FILE.npz",
    multiple=True,
    help="The model's inputs, by name or as in0, in1, ... in Parameter order, instead of random ones. With several "
    "models one for each: NAME=FILE.npz.",
)
@_options.weights
@_options.follow_links
@_options.layer
@_options.seed_of("random inputs")
@click.option("--device", default="CPU", show_default=True, help="Device of OpenVINO.")
@click.option("--static", is_flag=True, help="Run with static shapes. OpenVINO may crash on them.")
@_options.timeout_of(TIMEOUT)
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
@click.option(
    "--start", metavar="PACKAGE:CLASS", help="A runtime of your own in the place of OpenVINO: see docs/runtimes.md."
)
@click.option(
    "--repeat",
    metavar="N",
    type=click.IntRange(1),
    default=REPEAT,
    show_default=True,
    help="Inferences of the compiled model in place: on other values, on other shapes, and on the first ones again.",
)
@click.option("--quick", is_flag=True, help="No variants, and one inference in place.")
@click.option("--thorough", is_flag=True, help="All variants, and twelve inferences in place.")
@click.option(
    "--tolerance",
    metavar="BOUNDS",
    help="For devices that compute in f16 or bf16, how far values may be off: 0.001 (absolute), 0.1% (relative), 2ulp, "
    "or several with commas between them.",
)
@_options.config
@_options.plugins
@click.option("--strict", is_flag=True, help="Let known deviations make the exit code 1, too.")
@_crosscheck_many.distinct
@_options.dask
@_fuzz.option
@_fuzz.no_reduce
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
    no_reduce: bool,
    start: str | None,
    quick: bool,
    thorough: bool,
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
    _fuzz.check(fuzz, paths)
    how |= _preset(quick, thorough)
    inputs = how.pop("inputs")
    _, against = with_start(start, _runtimes(how["against"]))
    how |= {"variants": how["variants"].split(","), "against": against}
    how |= {"tolerance": parsed(how["tolerance"])} if how["tolerance"] is not None else {}
    options = CrosscheckOptions(**how)
    if fuzz is not None:
        return _fuzz.run(fuzz, options, format, output, color, no_reduce)
    pair = _crosscheck_onnx.is_pair(paths)
    matching = _files.find(paths, None if pair else weights, onnx=True)
    files = matching.paths
    given = _inputs(inputs, files)
    _outputs.reserve((output,), files, (weights, *given.values()))
    reports: list[FileReport] = []
    stopped, ended = False, None
    if pair:
        own = _with_inputs(options, given, next(iter(given), ""))
        reports += _crosscheck_onnx.pair(paths, own, weights, follow_links)
        files = []
    mixed = not all(map(is_onnx, files))
    if distinct or dask is not None:
        for_onnx = _crosscheck_onnx.for_onnx(options, mixed) if any(map(is_onnx, files)) else options
        options = _with_inputs(options, given, next(iter(given), ""))
        check = FileCheck(options, for_onnx, follow_links, weights)
        ended = _crosscheck_many.run(files, check, distinct, dask, reports)
        stopped, files = isinstance(ended, KeyboardInterrupt), []
    for path in files:
        try:
            with Rate(printable(os.path.basename(path))) as rate:
                own = _with_inputs(options, given, path)._replace(progress=rate.reached)
                if is_onnx(path):
                    own = _crosscheck_onnx.for_onnx(own, mixed)
                    reports += _crosscheck_onnx.check(path, own, weights, follow_links)
                else:
                    reports += _check(path, own, weights, follow_links)
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


def _preset(quick: bool, thorough: bool) -> dict[str, Any]:
    """What ``--quick`` or ``--thorough`` stands for."""
    context = click.get_current_context()
    written = context.get_parameter_source
    taken = [name for name in _QUICK if written(name) is ParameterSource.COMMANDLINE]
    chosen = [f"--{name}" for name, given in (("quick", quick), ("thorough", thorough)) if given]
    if len([*chosen, *taken]) > 1 and chosen:
        raise click.UsageError(f"{chosen[0]} does not go with {[*chosen[1:], *(f'--{name}' for name in taken)][0]}")
    return _QUICK if quick else _THOROUGH if thorough else {}


def _inputs(given: Iterable[str], files: list[str]) -> dict[str, str]:
    """The file of inputs for each model; without a name it is for all of them, under the name of none."""
    found: dict[str, str] = {}
    for text in given:
        name, _, file = text.rpartition("=")
        file = file if name and not os.path.exists(text) else text
        name = "" if file == text else name
        models = [path for path in files if name in (path, os.path.basename(path), "")]
        if not models:
            raise click.BadParameter(f"{name!r} is none of {', '.join(files)}", param_hint="--inputs")
        if not os.path.isfile(file):
            raise click.BadParameter(f"File {file!r} does not exist.", param_hint="--inputs")
        if any(path in found for path in models):
            raise click.UsageError(f"two --inputs for {models[0]}: several models take --inputs NAME=FILE.npz")
        found |= dict.fromkeys(models, file)
    return found


def _with_inputs(options: CrosscheckOptions, given: dict[str, str], path: str) -> CrosscheckOptions:
    from ovgather.files.arrays import array_files

    return options._replace(inputs=array_files(given[path])) if path in given else options


def _check(path: str, options: CrosscheckOptions, weights: str | None, follow_links: bool) -> Iterable[FileReport]:
    """The cross-check of one IR file; one that cannot be read is a report that says why."""
    model = _crosscheck_onnx.read_ir(path, weights, follow_links)
    return [model] if isinstance(model, FileReport) else crosscheck_ir(model, options)


def _origin(seed: int) -> dict[str, object]:
    """What only a page has: the command that made it, and the options that repeat one run of it."""
    context = click.get_current_context()
    options: dict[str, list[str]] = {}
    words = ["ovgather", context.info_name or ""]
    for parameter in context.command.params:
        name = parameter.name or ""
        if isinstance(parameter, click.Argument):
            words += context.params[name]
        elif context.get_parameter_source(name) is ParameterSource.COMMANDLINE:
            value = context.params[name]
            values = [f"{key}={each}" for key, each in value.items()] if isinstance(value, dict) else value
            is_flag = isinstance(parameter, click.Option) and parameter.is_flag
            options[max(parameter.opts, key=len)] = list(values) if parameter.multiple else [str(value)][is_flag:]
    for option, values in options.items():
        words += [option] if not values else [word for value in values for word in (option, value)]
    inputs = options.pop("--inputs", [])
    if len(inputs) == 1:
        options["--inputs"] = [inputs[0] if os.path.exists(inputs[0]) else inputs[0].rpartition("=")[2]]
    repeat = {name: "".join(options[name][:1]) for name in _REPEATED if name in options}
    return {"command": words, "seed": seed, "repeat": {"--seed": str(seed), **repeat}}


def _runtimes(against: str) -> list[str]:
    from ovgather.runtimes.adapters import names

    chosen = list(dict.fromkeys(against.split(",")))
    for name in chosen:
        if name not in names() and ":" not in name:
            raise click.BadParameter(f"{name!r} is none of {', '.join(names())}", param_hint="--against")
    return chosen
