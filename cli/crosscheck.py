"""``ovgather crosscheck``: every Gather layer as OpenVINO computes it, against the reference."""

from __future__ import annotations

import click

from ovgather.cli import _files, _options
from ovgather.crosscheck import MODES, TIMEOUT, FileReport, Report, crosscheck, why_unreadable


@click.command()
@_options.paths
@click.option(
    "--inputs",
    metavar="FILE.npz",
    type=click.Path(exists=True, dir_okay=False),
    help="The model's inputs by name, or as in0, in1, ... in Parameter order; else random ones.",
)
@_options.weights
@_options.layer
@click.option("--seed", type=click.IntRange(0), default=0, show_default=True, help="Of what is random.")
@click.option("--device", default="CPU", show_default=True, help="What OpenVINO runs on.")
@click.option("--static", is_flag=True, help="Run on static shapes, on which OpenVINO may crash.")
@click.option(
    "--timeout",
    metavar="SECONDS",
    type=click.FloatRange(0, min_open=True),
    default=TIMEOUT,
    show_default=True,
    help="How long one run may take.",
)
@click.option(
    "--mode",
    type=click.Choice(MODES),
    default="both",
    show_default=True,
    help="Each layer cut out, in the whole model, or both.",
)
@_options.format_of("crosscheck")
@_options.output
@_options.color
def command(
    paths: tuple[str, ...],
    inputs: str | None,
    weights: str | None,
    layer: str | None,
    seed: int,
    device: str,
    static: bool,
    timeout: float,
    mode: str,
    format: str,
    output: str | None,
    color: str,
) -> int:
    """Run the Gather layers of the IR files PATH in OpenVINO and compare them with the reference, bit by bit.

    OpenVINO runs in a child process: its crash is a verdict. Exit code 1 when a layer differs, fails,
    crashes or hangs; 5 when OpenVINO or the device is missing.
    """
    from ovgather.crosscheck.inputs import load_inputs
    from ovgather.ir.read import read

    files = _files.find(paths, weights)
    arrays = load_inputs(inputs) if inputs is not None else None
    found: list[FileReport] = []
    for path in files:
        model = read(path, weights)
        if model.fatal:
            found.append(FileReport(path, (), why_unreadable(model)))
            if format != "text":
                click.echo(f"ovgather: {path}: {found[-1].error}", err=True)
            continue
        found += crosscheck(
            model,
            inputs=arrays,
            layer=layer,
            seed=seed,
            device=device,
            static=static,
            timeout=timeout,
            mode=mode,
        )
    _files.show("crosscheck", format, found, color, output)
    return 4 if any(file.error for file in found) else Report(found).exit_code
