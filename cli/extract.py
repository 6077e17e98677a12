"""``ovgather extract``: one layer as a model of its own."""

import click

from ovgather.cli._shared import files as _files
from ovgather.cli._shared import options as _options
from ovgather.cli._shared import outputs as _outputs


@click.command()
@_options.path
@_options.layer
@click.option("-o", "--output", metavar="FILE", required=True, help="Write to FILE.xml and FILE.bin, or FILE.onnx.")
@_options.weights
@_options.follow_links
@_options.force
def command(path: str, layer: str | None, output: str, weights: str | None, follow_links: bool, force: bool) -> int:
    """Extract one layer of PATH, with its constants, as a complete model: FILE.xml and FILE.bin, or FILE.onnx.

    Constants that feed the layer are copied, with the layers that decompress them. Every other input becomes a
    Parameter. The layer itself is copied as written. --layer is optional if there is only one Gather layer.

    \b
    ovgather extract model.xml --layer word_embedding -o small.xml
    ovgather extract model.xml --layer loop/body/pick -o pick.xml
    ovgather extract model.onnx --layer pick -o pick.onnx
    """
    from ovgather.cli._shared.model import open_ir, open_model
    from ovgather.ir.model import Model
    from ovgather.layers.gather_layer import find_operation
    from ovgather.onnx_file.source import is_onnx
    from ovgather.text import layer_words, printable
    from ovgather.verbs.extract import Extracted, extract
    from ovgather.verbs.written_model import places_of

    of_onnx = is_onnx(path)
    _outputs.reserve((output,) if of_onnx else places_of(output), (path,), (weights,))
    model = open_model(path, weights, follow_links) if of_onnx else open_ir(path, weights, follow_links, tell=False)
    extracted = extract(model, layer)
    with _outputs.writing(output, several=True):
        files = extracted.write(output, overwrite=force)
    lines = [f'node "{printable(extracted.name)}"']
    if isinstance(extracted, Extracted) and isinstance(model, Model):
        source = extracted.layer
        number = str(source.id) if source.id >= 0 else ""
        operation = find_operation(source, model.snippet)
        lines = [layer_words(operation.name if operation else source.type, source.name, number, source.body)]
    lines += [f"  {printable(line)}" for line in extracted.inputs]
    lines.append(f"written to {' and '.join(files)}")
    _files.write_text("\n".join(lines) + "\n", None)
    for note in extracted.notes:
        click.echo(f"ovgather: {printable(note)}", err=True)
    return 0
