"""``ovgather convert``: Gather layers of IR as ONNX, and of ONNX as IR."""

import os

import click

from ovgather.cli._shared import options as _options
from ovgather.cli._shared.outputs import (
    CLEAN,
    FINDINGS,
    UNREADABLE,
    reserve,
    say,
    write_lines,
    write_model,
)


@click.command()
@_options.path
@_options.layer
@_options.option(
    "-o --output FILE|FOLDER",
    "Write to FILE, or one file for each layer to FOLDER.",
    required=True,
)
@_options.weights
@_options.follow_links
@click.option(
    "--guard/--no-guard",
    default=True,
    help="Keep the effect of an index out of range: an error in ONNX, zeros in IR.  [default: guard]",
)
@_options.option(
    "--lower TYPE=TYPE",
    "Write the whole IR with the layers of one type as another, such as GatherElements=GatherND.",
)
@_options.force
@_options.grouped("source", _options.OneLayer)
def command(
    source: _options.OneLayer,
    output: str,
    guard: bool,
    lower: str | None,
    force: bool,
) -> int:
    """Convert each Gather layer of PATH from IR to ONNX, or from ONNX to IR, as a model of its own.

    Constants that feed a layer are copied. Every other input becomes an input of the model. Where the dialects
    differ, layers are added so that the result stays the same. A layer without an equivalent is refused.

    With --lower, write PATH, an IR, as a whole with its layers of one type (or only --layer) as another type, where
    that means the same: GatherElements as GatherND or Gather, and back. Each new form runs in OpenVINO first.

    \b
    ovgather convert model.onnx --layer pick -o pick.xml
    ovgather convert model.xml --layer pick -o pick.onnx
    ovgather convert model.onnx -o folder/
    ovgather convert model.xml --lower GatherElements=GatherND -o lowered.xml
    """
    from ovgather.files.remote import is_remote
    from ovgather.files.side import SideFileError, open_regular
    from ovgather.verbs.written_model import places_of

    path = source.path
    if path == "-":
        raise click.UsageError(
            "convert reads no standard input: its layers may keep weights beside the file"
        )
    if is_remote(path):
        raise click.UsageError("convert reads files of this machine, not addresses")
    try:
        open_regular(path).close()
    except SideFileError as error:
        say(str(error))
        return UNREADABLE
    is_folder = os.path.isdir(output) or output.endswith((os.sep, "/"))
    if lower is not None and is_folder:
        raise click.UsageError(
            "--lower writes one whole IR: it does not go with a folder"
        )
    outputs = places_of(output) if output.lower().endswith(".xml") else (output,)
    reserve(() if is_folder else outputs, (path,), (source.weights,))
    if lower is None:
        return _convert_layers(source, guard, output, is_folder, force)
    from ovgather.verbs.lower import lower as lowered

    old, sign, new = lower.partition("=")
    if not sign:
        raise click.UsageError(
            f"--lower {lower!r}: write TYPE=TYPE, such as GatherElements=GatherND"
        )
    model = lowered(
        path,
        old,
        new,
        source.layer,
        weights=source.weights,
        follow_links=source.follow_links,
    )
    written = write_model(model, output, force)
    write_lines([*model.inputs, written, *(f"  note: {note}" for note in model.notes)])
    return 0


def _convert_layers(
    source: _options.OneLayer, guard: bool, output: str, is_folder: bool, force: bool
) -> int:
    from ovgather.errors import InvalidModelError
    from ovgather.verbs.convert import conversions, file_name

    path = source.path
    calls = conversions(path, source.layer, source.weights, guard, source.follow_links)
    if not calls:
        say(f"{path} has no Gather layer")
        return FINDINGS
    if len(calls) > 1 and not is_folder:
        hint = f"say which with --layer, or give a folder (ovgather show {path} lists them)"
        raise InvalidModelError(f"{path} has {len(calls)} Gather layers: {hint}")
    names: set[str] = set()
    code = CLEAN
    for call in calls:
        try:
            model = call()
        except InvalidModelError as error:
            if not is_folder:
                raise
            say(str(error))
            code = FINDINGS
            continue
        file = output
        if is_folder:
            file = os.path.join(output, file_name(model.name, names) + model.extension)
        written = write_model(model, file, force)
        lines = [*model.inputs, written, *(f"note: {note}" for note in model.notes)]
        write_lines([repr(model.name), *(f"  {line}" for line in lines)])
    return code
