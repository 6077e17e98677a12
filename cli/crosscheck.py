"""``ovgather crosscheck``: every Gather layer as OpenVINO computes it, against the reference."""

from __future__ import annotations

import os

import click

from ovgather.cli._shared import crosscheck_onnx as _crosscheck_onnx
from ovgather.cli._shared import files as _files
from ovgather.cli._shared import fuzz as _fuzz
from ovgather.cli._shared import options as _options
from ovgather.cli._shared import outputs as _outputs
from ovgather.cli._shared.rate import Rate
from ovgather.crosscheck.entry import MODES, TIMEOUT, crosscheck
from ovgather.crosscheck.report import FileReport, Report, Stopped
from ovgather.onnx_file.source import is_onnx
from ovgather.text import printable
from ovgather.validation.check import why_unreadable

INTERRUPTED = 130
_REPEATED = ("--inputs", "--weights", "--follow-links", "--device", "--static", "--timeout")


@click.command()
@_fuzz.paths
@click.option(
    "--inputs",
    metavar="FILE.npz",
    type=click.Path(exists=True, dir_okay=False),
    help="The model's inputs, by name or as in0, in1, ... in Parameter order.  [default: random]",
)
@_options.weights
@_options.follow_links
@_options.layer
@click.option("--seed", type=click.IntRange(0), default=0, show_default=True, help="Seed of random inputs.")
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
    help="Runtimes to compare with the reference, separated by commas: openvino, onnxruntime, onnx-reference, torch. "
    "ONNX files run in onnxruntime, unless onnx-reference is named.",
)
@click.option("--strict", is_flag=True, help="Let known deviations make the exit code 1, too.")
@_fuzz.option
@_options.format_of("crosscheck")
@_options.output
@_options.color
def command(
    paths: tuple[str, ...],
    inputs: str | None,
    weights: str | None,
    follow_links: bool,
    layer: str | None,
    seed: int,
    device: str,
    static: bool,
    timeout: float,
    mode: str,
    variants: str,
    against: str,
    strict: bool,
    fuzz: int | None,
    format: str,
    output: str | None,
    color: str,
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
    from ovgather.cli._shared.ir import tell_unused_weights
    from ovgather.crosscheck.in_model.inputs import load_inputs
    from ovgather.ir.read import read
    from ovgather.validation.foreign_weights import without_foreign_weights

    _fuzz.check(fuzz, paths)
    if fuzz is not None:
        from ovgather.crosscheck.fuzz.campaign import Settings

        settings = Settings(fuzz, seed, tuple(_runtimes(against)), device, strict, timeout)
        return _fuzz.run(settings, format, output, color)
    pair = _crosscheck_onnx.is_pair(paths)
    matching = _files.find(paths, None if pair else weights, onnx=True)
    files = matching.paths
    _outputs.reserve((output,), files, (weights, inputs))
    arrays = load_inputs(inputs) if inputs is not None else None
    found: list[FileReport] = []
    stopped = False
    if pair:
        found += _crosscheck_onnx.pair(paths, arrays, weights, follow_links)
        files = []
    for path in files:
        if is_onnx(path):
            runtimes = _crosscheck_onnx.runtimes(_runtimes(against), not all(map(is_onnx, files)))
            try:
                with Rate(printable(os.path.basename(path))) as rate:
                    found += _crosscheck_onnx.check(path, arrays, runtimes, rate.reached, weights, follow_links)
            except Stopped as stop:
                found += stop.report
                stopped = True
                break
            continue
        model = read(path, weights, follow_links=follow_links)
        if model.fatal:
            found.append(FileReport(path, (), why_unreadable(model)))
            if format != "text":
                click.echo(printable(f"ovgather: {path}: {found[-1].error}"), err=True)
            continue
        model = without_foreign_weights(model)
        tell_unused_weights(model)
        try:
            with Rate(printable(os.path.basename(path))) as rate:
                found += crosscheck(
                    model,
                    inputs=arrays,
                    layer=layer,
                    seed=seed,
                    device=device,
                    static=static,
                    timeout=timeout,
                    mode=mode,
                    variants=variants.split(","),
                    against=_runtimes(against),
                    strict=strict,
                    progress=rate.reached,
                )
        except Stopped as stop:
            found += stop.report
            stopped = True
            break
    _files.show("crosscheck", format, found, color, output, **(_origin(seed) if format == "html" else {}))
    if stopped:
        click.echo("ovgather: interrupted: this is what was known by then", err=True)
        return INTERRUPTED
    return matching.exit_code(4 if any(file.error for file in found) else Report(found, strict).exit_code)


def _origin(seed: int) -> dict[str, object]:
    """What only a page tells: the command that made it, and what repeats one run of it."""
    from ovgather.cli._shared.command import given_options, spelt

    context = click.get_current_context()
    given = given_options(context)
    repeat = {name: given[name] for name in _REPEATED if name in given}
    return {"command": spelt(context), "seed": seed, "repeat": {"--seed": str(seed), **repeat}}


def _runtimes(against: str) -> list[str]:
    from ovgather.runtimes.adapters import names

    chosen = list(dict.fromkeys(against.split(",")))
    for name in chosen:
        if name not in names():
            raise click.BadParameter(f"{name!r} is none of {', '.join(names())}", param_hint="--against")
    return chosen
