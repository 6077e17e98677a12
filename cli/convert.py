"""``ovgather convert``: Gather layers of IR as ONNX, and of ONNX as IR."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import click

from ovgather.cli._shared import files as _files
from ovgather.cli._shared import options as _options
from ovgather.cli._shared import outputs as _outputs

if TYPE_CHECKING:
    from ovgather.verbs.convert.converted import Converted


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
@click.option("--force", is_flag=True, help="Overwrite existing files, but never the inputs.")
def command(
    path: str,
    layer: str | None,
    output: str,
    weights: str | None,
    follow_links: bool,
    guard: bool,
    target: str | None,
    force: bool,
) -> int:
    """Convert each Gather layer of PATH from IR to ONNX, or from ONNX to IR, as a model of its own.

    Constants that feed a layer are copied. Every other input becomes an input of the model. Where the dialects
    differ, layers are added so that the result stays the same. A layer without an equivalent is refused.

    With --target, write PATH, an IR, as a whole for an earlier release: Gather-8 as Gather-7 or Gather-1, GatherND-8 as
    GatherND-5, IR version 11 as 10, where that means the same. What is rewritten is cross-checked first.

    \b
    ovgather convert model.onnx --layer pick -o pick.xml
    ovgather convert model.xml --layer pick -o pick.onnx
    ovgather convert model.onnx -o folder/
    ovgather convert model.xml --target 2021.4 -o old.xml
    """
    from ovgather.errors import InvalidModelError
    from ovgather.text import printable
    from ovgather.verbs.convert import conversions, file_name

    if path == "-":
        raise click.UsageError("convert reads no standard input: its layers may keep weights beside the file")
    if not os.path.isfile(path):
        click.echo(f"ovgather: {printable(path)}: no such file", err=True)
        return 4
    if target is not None:
        return _downgrade(path, layer, target, weights, follow_links, output, force)
    is_folder = _is_folder(output)
    _outputs.reserve(() if is_folder else _places(output), (path,), (weights,))
    found = conversions(path, layer, weights, guard, follow_links)
    if not found:
        click.echo(f"ovgather: {printable(path)} has no Gather layer", err=True)
        return 1
    if not is_folder:
        if len(found) > 1:
            many = f"{path} has {len(found)} Gather layers"
            raise InvalidModelError(
                f"{many}: say which with --layer, or give a folder (ovgather show {path} lists them)"
            )
        _write(found[0](), output, force)
        return 0
    taken: set[str] = set()
    refused = 0
    for conversion in found:
        try:
            each = conversion()
        except InvalidModelError as error:
            click.echo(f"ovgather: {printable(str(error))}", err=True)
            refused += 1
        else:
            _write(each, os.path.join(output, file_name(each.name, taken) + each.extension), force)
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
    _outputs.reserve(_places(output), (path,), (weights,))
    result = downgrade(path, parse(target), weights, follow_links)
    try:
        written = write_downgraded(result, path, weights, output, force)
    except FileExistsError as error:
        raise click.UsageError(f"{error.filename} is there already: --force overwrites it") from error
    except OSError as error:
        raise _outputs.cannot_write(error.filename or output, error) from error
    lines = [*result.changes, f"written to {' and '.join(written)}"]
    _files.write_text("".join(f"{printable(line)}\n" for line in lines), None)
    return 0


def _is_folder(output: str) -> bool:
    return os.path.isdir(output) or output.endswith((os.sep, "/"))


def _places(output: str) -> tuple[str, ...]:
    """The files that one layer is written to."""
    from ovgather.verbs.written_model import places_of

    return places_of(output) if output.lower().endswith(".xml") else (output,)


def _write(each: Converted, place: str, force: bool) -> None:
    from ovgather.text import printable

    try:
        if os.path.dirname(place):
            os.makedirs(os.path.dirname(place), exist_ok=True)
        written = each.write(place, overwrite=force)
    except FileExistsError as error:
        raise click.UsageError(f"{error.filename} is there already: --force overwrites it") from error
    except OSError as error:
        raise _outputs.cannot_write(error.filename or place, error) from error
    lines = [repr(each.name), *(f"  {line}" for line in each.inputs), f"  written to {' and '.join(written)}"]
    _files.write_text("".join(f"{printable(line)}\n" for line in lines), None)
    for note in each.notes:
        click.echo(f"  note: {printable(note)}")
