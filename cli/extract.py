"""``ovgather extract``: one layer as a model of its own."""

import click

from ovgather.cli._shared import options as _options
from ovgather.cli._shared.outputs import reserve, say, write_lines, write_model


@click.command()
@_options.path
@_options.layer
@_options.option(
    "-o --output FILE", "Write to FILE.xml and FILE.bin, or FILE.onnx.", required=True
)
@_options.weights
@_options.follow_links
@_options.force
@_options.grouped("source", _options.OneLayer)
def command(source: _options.OneLayer, output: str, force: bool) -> int:
    """Extract one layer of PATH, with its constants, as a complete model: FILE.xml and FILE.bin, or FILE.onnx.

    Constants that feed the layer are copied, with the layers that decompress them. Every other input becomes a
    Parameter. The layer itself is copied as written. --layer is optional if there is only one Gather layer.

    \b
    ovgather extract model.xml --layer word_embedding -o small.xml
    ovgather extract model.xml --layer loop/body/pick -o pick.xml
    ovgather extract model.onnx --layer pick -o pick.onnx
    """
    from ovgather.onnx_file.source import is_onnx
    from ovgather.verbs.extract import extract
    from ovgather.verbs.written_model import places_of

    outputs = (output,) if is_onnx(source.path) else places_of(output)
    reserve(outputs, (source.path,), source.others)
    extracted = extract(source.read(), source.layer)
    files = write_model(extracted, output, force)
    write_lines([extracted.title, *(f"  {line}" for line in extracted.inputs), files])
    for note in extracted.notes:
        say(note)
    return 0
