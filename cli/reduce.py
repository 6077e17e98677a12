"""``ovgather reduce``: what fails of a layer, made as small as can be, with all that a bug report needs."""

from __future__ import annotations

import os
import re
import shutil
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from ovgather.cli._shared import options as _options
from ovgather.cli._shared import progress as _progress
from ovgather.cli._shared.outputs import CLEAN, FINDINGS, files_read, tell
from ovgather.text import count, layer_words, printable

if TYPE_CHECKING:
    from ovgather.comparison.reduce.layer import Target
    from ovgather.comparison.reduce.search import Reduction


@click.command()
@_options.path
@_options.layer
@_options.option(
    "-o --output FOLDER", "Folder of the reproducer.  [default: PATH-LAYER-reproducer]"
)
@_options.option(
    "--inputs FILE.npz",
    "The model's inputs, by name or as in0, in1, ... in Parameter order, instead of random ones.",
    type=_options.existing_file,
)
@_options.weights
@_options.follow_links
@_options.option(
    "--variant NAME",
    "Variant of crosscheck to reduce: alone, in-place, static, ...",
    complete="variants",
)
@_options.ways
@_options.seed_of("random inputs")
@_options.option(
    "--device NAME",
    "Device of OpenVINO.  [default: that of the report, or CPU]",
    "devices",
)
@_options.timeout_of(60.0)
@_options.tolerance
@_options.config
@_options.plugins
@click.option("--strict", is_flag=True, help="Reduce known deviations, too.")
@_options.grouped("source", _options.OneLayer)
def command(
    source: _options.OneLayer,
    variant: str | None,
    device: str | None,
    output: str | None,
    tolerance: str | None,
    **how: Any,
) -> int:
    """Reduce a failing layer of PATH to a minimal reproducer.

    The layer is cross-checked, and its worst failure is reduced as long as verdict and cause stay the same. The folder
    gets the model, its inputs, the right output, a script that needs no ovgather, and a report to paste into an issue.
    PATH may be the output of `crosscheck --format json`: each failing layer in it is reduced into a folder of its own.
    Exit code 0: nothing fails; 1: there is a reproducer, or a failure without one.

    \b
    ovgather reduce model.xml --layer word_embedding -o bug
    ovgather reduce model.xml --layer pick --variant in-place --inputs real.npz
    ovgather crosscheck model.xml --format json -o report.json; ovgather reduce report.json -o bugs
    """
    from ovgather.comparison.options import CrosscheckOptions, parsed
    from ovgather.comparison.reduce.folder import require_free
    from ovgather.comparison.reduce.layer import Target, is_report, targets
    from ovgather.files.arrays import array_files
    from ovgather.runtimes.available import require

    require("openvino")
    path = source.path
    layer = source.layer
    arrays = None
    if source.inputs is not None:
        arrays = array_files(source.inputs)
    options = CrosscheckOptions(
        arrays, device=device or "CPU", tolerance=parsed(tolerance), **how
    )
    if not is_report(path):
        return _reduce(Target(path, layer, options, variant), output, source)
    if layer is not None or variant is not None:
        raise click.UsageError(
            "--layer and --variant go with a model; a report says itself which layers fail"
        )
    folder = output or f"{os.path.splitext(path)[0]}-reproducers"
    context = click.get_current_context()
    fixed = [
        name
        for name in context.params
        if context.get_parameter_source(name) is ParameterSource.COMMANDLINE
    ]
    folders = {
        os.path.join(folder, target.folder): target
        for target in targets(path, options, fixed, source.follow_links)
    }
    if not folders:
        tell(f"{path}: no layer fails: there is nothing to reduce")
    for (
        name,
        target,
    ) in folders.items():  # all of them, before one of them takes its time
        require_free(name, files_read((target.path,), (path, *source.others)))
    return max(
        (_reduce(target, name, source) for name, target in folders.items()),
        default=CLEAN,
    )


def _reduce(target: Target, folder: str | None, source: _options.OneLayer) -> int:
    from ovgather.comparison.reduce.folder import require_free, write
    from ovgather.comparison.reduce.layer import failures, find_layer, reduce_failing
    from ovgather.comparison.reduce.search import NotReproducedError
    from ovgather.ir.read import read
    from ovgather.layers.gather_layer import find_operation
    from ovgather.validation.check import usable

    model = usable(read(target.path, source.weights, follow_links=source.follow_links))
    _options.tell_unused_weights(model)
    layer = find_layer(model, target.layer)
    if folder is None:
        stem = os.path.splitext(os.path.basename(model.path))[0] or "model"
        folder = f"{re.sub(r'[^A-Za-z0-9_.-]+', '-', f'{stem}-{layer.name or layer.id}')[:80]}-reproducer"
    read_files = files_read((target.path,), (source.path, *source.others))
    require_free(folder, read_files)
    failing = failures(model, layer, target.options, target.variant)
    operation = find_operation(layer, model.snippet)
    name = layer_words(
        operation.name if operation else layer.type,
        layer.name,
        str(layer.id),
        layer.body,
    )
    if not failing:
        tell(f"{name}: nothing fails: there is nothing to reduce")
        return CLEAN
    first, *rest = failing
    tell(f"{name}, {first.variant}: {first.signature}")
    columns = shutil.get_terminal_size().columns - 1
    try:
        reduction = reduce_failing(
            first,
            target.options,
            lambda probes, smallest: _progress.show_line(
                printable(f"{probes} runs: {smallest}")[:columns]
            ),
        )
    except NotReproducedError as error:
        tell(f"  no reproducer: {error}")
        return FINDINGS
    finally:
        _progress.show_line("")
    where = f"{name} of {os.path.basename(target.path)}, {first.variant}"
    is_written = write(reduction, folder, target.options, where, read_files)
    _describe(reduction)
    tell(f"  written to  {folder}")
    tell(f"  reproduce.py {'shows it' if is_written else 'does not show it'} here")
    if rest:
        listed = ", ".join(f"{other.variant} ({other.signature})" for other in rest)
        tell(f"  fails otherwise, too: {listed}; --variant reduces one of them")
    return FINDINGS


def _describe(reduction: Reduction) -> None:
    tell(f"  it was      {reduction.before}")
    if reduction.problem:
        tell(f"  not made smaller: {reduction.problem}")
    elif reduction.part is not None:
        tell(
            f"  fails in the model only: a part of {count(reduction.part.layers, 'layer')} of it shows it"
        )
    else:
        tell(f"  smallest    {reduction.trial}")
        often = f"fails in {reduction.failures} of {reduction.runs} runs"
        tell(f"  {reduction.probes} runs to get there; it {often}")
