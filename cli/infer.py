"""``ovgather infer``: the output shape of every Gather layer, beside the declared one."""

from functools import partial
from math import inf
from typing import Any

import click

from ovgather.cli._shared import completion
from ovgather.cli._shared import files as _files
from ovgather.cli._shared import options as _options
from ovgather.cli._shared.outputs import (
    CLEAN,
    FINDINGS,
    UNREADABLE,
    ReportOptions,
    reserve,
    same_options,
    write_out,
)
from ovgather.cli._shared.progress import Stream
from ovgather.layers.inputs import parse
from ovgather.processes import SECONDS
from ovgather.validation.many.cluster import connected
from ovgather.validation.many.run import each_file
from ovgather.verbs.infer import infer
from ovgather.verbs.infer.records import InferredFile

_OF_PAGE = ("--weights", "--input-shape")


@click.command()
@_options.paths
@_options.weights
@_options.follow_links
@_options.layer
@_options.option(
    "--input-shape input_shapes NAME=[1,128]",
    "Shape of an input, by the name of its Parameter or tensor, or in0, in1, ... May be repeated.",
    multiple=True,
    shell_complete=completion.inputs,
)
@click.option(
    "--with-openvino",
    is_flag=True,
    help="Infer with OpenVINO as well, and compare the shapes.",
)
@click.option(
    "--all",
    is_flag=True,
    help="Give every tensor of every layer of an IR, and what its shape rests on.",
)
@_options.option(
    "--write FILE",
    "Write the .xml with the inferred shapes to FILE; a copy of the .bin belongs beside it.",
)
@click.option("--why", is_flag=True, help="Explain where each output dim comes from.")
@_options.dask
@_options.report("infer")
def command(
    paths: tuple[str, ...],
    input_shapes: tuple[str, ...],
    write: str | None,
    why: bool,
    dask: str | None,
    report: ReportOptions,
    **how: Any,
) -> int:
    """Infer the output shape of the Gather layers of PATH (a file, a folder, or - for standard input).

    PATH may be an ONNX file (.onnx), with the extra ovgather[onnx].

    A shape is a list of dims: a length, ? or lo..hi. A dim may have a name (batch), also with lengths (seq:1..512).
    Input shapes flow through the whole model. A layer that refuses them is named, with the reason.

    Exit code 1: a shape contradicts the declared one, or OpenVINO's, or a layer refuses the shapes.

    \b
    ovgather infer model.xml --why
    ovgather infer model.xml --layer pick --input-shape ids=[batch,128]
    ovgather infer model.xml --all --input-shape ids=[batch,128]
    """
    matching = _files.find(
        paths, how["weights"], onnx=True, follow_links=how["follow_links"]
    )
    files = matching.paths
    reserve((write, report.output), files, (how["weights"],))
    if input_shapes:
        how["input_shapes"] = parse(input_shapes)
    if write is not None and (len(files) > 1 or files[0] == "-"):
        raise click.UsageError(
            "--write goes with one file, and not with standard input"
        )
    with connected(dask) as executor:
        limit = inf if how["with_openvino"] else SECONDS
        stream = Stream(
            each_file(files, partial(infer, **how), 1, executor, limit), _exit_code
        )
        report.show(
            stream, why=why, **(_of_page(how) if report.format == "html" else {})
        )
    if write is not None:
        from ovgather.verbs.write_shapes import with_shapes

        known = {name: how[name] for name in how if name not in ("layer", "all")}
        write_out([with_shapes(files[0], **known)], write)
    return matching.exit_code(stream.exit_code(len(files)))


def _of_page(how: dict[str, Any]) -> dict[str, object]:
    """The options that find the same again, and how a model is read that is drawn."""
    from ovgather.layers.formats import read

    way = partial(read, weights=how["weights"], follow_links=how["follow_links"])
    return {
        "again": same_options(_OF_PAGE),
        "read": way,
        "input_shapes": how.get("input_shapes"),
    }


def _exit_code(file: InferredFile) -> int:
    wrong = file.openvino or file.refused or any(item.is_wrong for item in file.layers)
    if file.error:
        return UNREADABLE
    if wrong:
        return FINDINGS
    return CLEAN
