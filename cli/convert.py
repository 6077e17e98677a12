"""``ovgather convert``: Gather layers of IR as ONNX, and of ONNX as IR."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import click

from ovgather.cli._shared import files as _files
from ovgather.cli._shared import options as _options
from ovgather.cli._shared import outputs as _outputs

if TYPE_CHECKING:
    from ovgather.verbs.written_model import LayerModel


@click.command()
@_options.path
@_options.layer
@click.option(
    "-o", "--output", metavar="FILE|FOLDER", required=True, help="Write to FILE, or one file for each layer to FOLDER."
)
@_options.weights
@_options.follow_links
@click.option(
    "--guard/--no-guard",
    default=True,
    help="Keep the effect of an index out of range: an error in ONNX, zeros in IR.  [default: guard]",
)
@click.option(
    "--target", metavar="RELEASE", help="Write the whole IR for an earlier release of OpenVINO, such as 2021.4."
)
@click.option(
    "--lower",
    metavar="TYPE=TYPE",
    help="Write the whole IR with the layers of one type as another, such as GatherElements=GatherND.",
)
@_options.force
def command(
    path: str,
    layer: str | None,
    output: str,
    weights: str | None,
    follow_links: bool,
    guard: bool,
    target: str | None,
    lower: str | None,
    force: bool,
) -> int:
    """Convert each Gather layer of PATH from IR to ONNX, or from ONNX to IR, as a model of its own.

    Constants that feed a layer are copied. Every other input becomes an input of the model. Where the dialects
    differ, layers are added so that the result stays the same. A layer without an equivalent is refused.

    With --target, write PATH, an IR, as a whole for an earlier release: Gather-8 as Gather-7 or Gather-1, GatherND-8 as
    GatherND-5, IR version 11 as 10, where that means the same. What is rewritten is cross-checked first.

    With --lower, write PATH, an IR, as a whole with its layers of one type (or only --layer) as another type, where
    that means the same: GatherElements as GatherND or Gather, and back. Each new form runs in OpenVINO first.

    \b
    ovgather convert model.onnx --layer pick -o pick.xml
    ovgather convert model.xml --layer pick -o pick.onnx
    ovgather convert model.onnx -o folder/
    ovgather convert model.xml --target 2021.4 -o old.xml
    ovgather convert model.xml --lower GatherElements=GatherND -o lowered.xml
    """
    from ovgather.errors import InvalidModelError
    from ovgather.files.remote import is_remote
    from ovgather.text import printable
    from ovgather.verbs.convert import conversions, file_name
    from ovgather.verbs.written_model import places_of

    if path == "-":
        raise click.UsageError("convert reads no standard input: its layers may keep weights beside the file")
    if is_remote(path):
        raise click.UsageError("convert reads files of this machine, not addresses")
    if not os.path.isfile(path):
        click.echo(f"ovgather: {printable(path)}: no such file", err=True)
        return 4
    is_folder = os.path.isdir(output) or output.endswith((os.sep, "/"))
    outputs = places_of(output) if output.lower().endswith(".xml") else (output,)
    if lower is not None:
        if target is not None or is_folder:
            raise click.UsageError("--lower writes one whole IR: it goes neither with --target nor with a folder")
        _outputs.reserve(outputs, (path,), (weights,))
        return _lower(path, lower, layer, weights, follow_links, output, force)
    if target is not None:
        _outputs.reserve(outputs, (path,), (weights,))
        return _downgrade(path, layer, target, weights, follow_links, output, force)
    _outputs.reserve(() if is_folder else outputs, (path,), (weights,))
    calls = conversions(path, layer, weights, guard, follow_links)
    if not calls:
        click.echo(f"ovgather: {printable(path)} has no Gather layer", err=True)
        return 1
    if len(calls) > 1 and not is_folder:
        hint = f"say which with --layer, or give a folder (ovgather show {path} lists them)"
        raise InvalidModelError(f"{path} has {len(calls)} Gather layers: {hint}")
    if not is_folder:
        _write(calls[0](), output, force)
        return 0
    names: set[str] = set()
    refused = 0
    for call in calls:
        try:
            model = call()
        except InvalidModelError as error:
            click.echo(f"ovgather: {printable(str(error))}", err=True)
            refused += 1
        else:
            _write(model, os.path.join(output, file_name(model.name, names) + model.extension), force)
    return 1 if refused else 0


def _downgrade(
    path: str, layer: str | None, target: str, weights: str | None, follow_links: bool, output: str, force: bool
) -> int:
    """The whole file for an earlier release."""
    from ovgather.onnx_file.source import is_onnx
    from ovgather.targets.release import parse
    from ovgather.text import printable
    from ovgather.verbs.downgrade import downgrade, write_downgraded

    if layer is not None or is_onnx(path):
        raise click.UsageError("--target writes a whole IR: it goes neither with --layer nor with an ONNX file")
    result = downgrade(path, parse(target), weights, follow_links)
    with _outputs.writing(output, several=True):
        files = write_downgraded(result, path, weights, output, force)
    lines = [*result.changes, f"written to {' and '.join(files)}"]
    _files.write_text("".join(f"{printable(line)}\n" for line in lines), None)
    return 0


def _lower(
    path: str, types: str, layer: str | None, weights: str | None, follow_links: bool, output: str, force: bool
) -> int:
    """The whole file with another operation."""
    from ovgather.text import printable
    from ovgather.verbs.lower import lower

    old, sign, new = types.partition("=")
    if not sign:
        raise click.UsageError(f"--lower {types!r}: write TYPE=TYPE, such as GatherElements=GatherND")
    model = lower(path, old, new, layer, weights=weights, follow_links=follow_links)
    with _outputs.writing(output, several=True):
        written = model.write(output, overwrite=force)
    lines = [*model.inputs, f"written to {' and '.join(written)}"]
    _files.write_text("".join(f"{printable(line)}\n" for line in lines), None)
    for note in model.notes:
        click.echo(f"  note: {printable(note)}")
    return 0


def _write(model: LayerModel, path: str, force: bool) -> None:
    from ovgather.text import printable

    with _outputs.writing(path, several=True):
        os.makedirs(os.path.dirname(path) or os.curdir, exist_ok=True)
        files = model.write(path, overwrite=force)
    lines = [repr(model.name), *(f"  {line}" for line in model.inputs), f"  written to {' and '.join(files)}"]
    _files.write_text("".join(f"{printable(line)}\n" for line in lines), None)
    for note in model.notes:
        click.echo(f"  note: {printable(note)}")
