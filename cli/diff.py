"""``ovgather diff``: what two models differ in, by their layers and constants."""

from __future__ import annotations

from typing import Any

import click

from ovgather.cli._shared import options as _options
from ovgather.cli._shared.outputs import CLEAN, FINDINGS, ReportOptions, reserve


@click.command()
@click.argument("left", metavar="A")
@click.argument("right", metavar="B")
@click.option(
    "--run",
    is_flag=True,
    help="Run both on the same inputs, and name the first layer whose values part.",
)
@_options.option(
    "--inputs FILE.npz",
    "With --run: the inputs of A by name, instead of random ones.",
    type=_options.existing_file,
)
@_options.seed_of("random inputs")
@click.option(
    "--device", default="CPU", show_default=True, help="With --run: device of OpenVINO."
)
@_options.timeout_of(120.0)
@_options.tolerance
@_options.report("diff")
def command(
    left: str,
    right: str,
    run: bool,
    report: ReportOptions,
    inputs: str | None,
    tolerance: str | None,
    **how: Any,
) -> int:
    """Print what the models A and B differ in: layers, edges, attributes, shapes, types and constants.

    A and B are IR or ONNX files, also one of each; then the IR that OpenVINO makes of the ONNX file is compared. Layers
    are matched by structure, attributes and the values of constants, so other ids, names, and another order of layers
    or of the .bin leave the models the same in meaning.

    Exit code 0: the same, or the same in meaning; 1: different, or not known for want of a .bin; 4: a file cannot be
    read.

    \b
    ovgather diff old.xml new.xml
    ovgather diff model.xml quantized.xml --format html -o diff.html
    ovgather diff model.onnx model.xml --run --tolerance 1%
    """
    from ovgather.verbs.diff.diff import diff

    reserve((report.output,), (left, right), (inputs,))
    if run:
        how |= {"run": True, "inputs": _arrays(inputs), "tolerance": tolerance}
    elif inputs is not None or tolerance is not None:
        raise click.UsageError("--inputs and --tolerance go with --run")
    else:
        how = {}
    difference = diff(left, right, **how)
    report.show([difference])
    return CLEAN if difference.are_same else FINDINGS


def _arrays(path: str | None) -> dict[str, Any] | None:
    if path is None:
        return None
    from ovgather.files.arrays import array_files

    return dict(array_files(path))
