"""``ovgather infer``: the output shape of every Gather layer, beside the declared one."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from ovgather.cli._shared import files as _files
from ovgather.cli._shared import options as _options
from ovgather.cli._shared import outputs as _outputs
from ovgather.verbs.infer import infer

if TYPE_CHECKING:
    from ovgather.tensor.shape import PartialShape


@click.command()
@_options.paths
@_options.weights
@_options.follow_links
@_options.layer
@click.option(
    "--input-shape",
    "input_shapes",
    metavar="NAME=[1,128]",
    multiple=True,
    help="Shape of an input, by the name of its Parameter or tensor, or in0, in1, ... May be repeated.",
)
@click.option("--with-openvino", is_flag=True, help="Infer all other layers with OpenVINO, and compare the shapes.")
@click.option("--write", metavar="FILE", help="Write the IR with the inferred dims in its ports to FILE.")
@click.option("--why", is_flag=True, help="Explain where each output dim comes from.")
@_options.format_of("infer")
@_options.output
@_options.color
def command(
    paths: tuple[str, ...],
    weights: str | None,
    follow_links: bool,
    layer: str | None,
    input_shapes: tuple[str, ...],
    with_openvino: bool,
    write: str | None,
    why: bool,
    format: str,
    output: str | None,
    color: str,
) -> int:
    """Infer the output shape of the Gather layers of PATH (a file, a folder, or - for standard input).

    PATH may be an ONNX file (.onnx), with the extra ovgather[onnx].

    A shape is a list of dims: a length, ? or lo..hi. A dim may have a name (batch), also with lengths (seq:1..512).
    Input shapes are followed through Gather layers and layers that keep a shape, or, --with-openvino, through all.

    Exit code 1: a shape contradicts the declared one, or OpenVINO's.
    """
    found = _files.find(paths, weights, onnx=True)
    files = found.paths
    _outputs.reserve((write, output), files, (weights,))
    given = _input_shapes(input_shapes)
    if write is not None:
        _write(files, write, weights, given, with_openvino, follow_links)
    how = {"with_openvino": with_openvino, "follow_links": follow_links}
    results = [infer(path, weights, layer, input_shapes=given, **how) for path in files]
    _files.show("infer", format, results, color, output, why=why)
    if any(file.error for file in results):
        return 4
    wrong = any(file.openvino or any(item.is_wrong for item in file.layers) for file in results)
    return found.exit_code(int(wrong))


def _input_shapes(texts: tuple[str, ...]) -> dict[str, PartialShape]:
    if not texts:
        return {}
    from ovgather.layers.input_shapes import parse

    return parse(texts)


def _write(
    files: list[str],
    target: str,
    weights: str | None,
    given: dict[str, PartialShape],
    with_openvino: bool,
    follow_links: bool,
) -> None:
    if len(files) > 1 or files[0] == "-":
        raise click.UsageError("--write goes with one file, and not with standard input")
    if files[0].lower().endswith(".onnx"):
        raise click.UsageError("--write goes with an IR file, not with an ONNX file")
    from ovgather.verbs.write_shapes import with_shapes

    how = {"with_openvino": with_openvino, "follow_links": follow_links}
    made = with_shapes(files[0], weights, input_shapes=given, **how)
    _files.write_bytes(made, target)
