"""The cross-check of files: each by itself, an ONNX file beside its IR, or many, on a cluster or without repetition."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import inf
from typing import Any

import click

from ovgather.cli._shared.many import ManyFiles
from ovgather.cli._shared.options import OneLayer, tell_unused_weights
from ovgather.cli._shared.outputs import say
from ovgather.cli._shared.progress import Rate
from ovgather.comparison.entry import crosscheck_model
from ovgather.comparison.many import Distinct, FileCheck
from ovgather.comparison.options import MODES, OPENVINO, CrosscheckOptions
from ovgather.comparison.report import ALONE, FileReport
from ovgather.errors import LostFilesError
from ovgather.files.arrays import array_files
from ovgather.ir.model import Model
from ovgather.onnx_file.source import is_onnx
from ovgather.text import printable
from ovgather.validation.check import problem_of
from ovgather.validation.checked import check_path
from ovgather.validation.foreign_weights import with_own_values
from ovgather.validation.many.cluster import connected
from ovgather.validation.many.run import kept_files

_FOR_IR = {
    "variants": ("default", "none"),
    "device": ("CPU",),
    "static": (False,),
    "start": (None,),
}
"""Options that say nothing of an ONNX file, with the values that do no harm."""


def each_alone(
    paths: Sequence[str],
    options: CrosscheckOptions,
    inputs: Mapping[str, str],
    weights: str | None,
    follow_links: bool,
) -> Iterator[FileReport]:
    """The reports on each file by itself; ``inputs`` are the files with its arrays, by path."""
    mixed = not all(map(is_onnx, paths))
    lost: dict[str, str] = {}
    for path in paths:
        with Rate(printable(os.path.basename(path))) as rate:
            own = _with_inputs(options, inputs.get(path))._replace(
                progress=rate.reached
            )
            if is_onnx(path):
                own = for_onnx(own, mixed)
            model = check_path(
                lambda path: _read(path, weights, follow_links), path, lost
            )
            if isinstance(model, FileReport):
                yield model
                continue
            is_lone = own.layer_inputs is not None and own.layer is None
            if is_lone and not isinstance(model, Model):
                raise click.UsageError(
                    "--inputs of a lone node need --layer, which says whose they are"
                )
            yield from crosscheck_model(model, own)
    if lost:
        raise LostFilesError(lost)


def pair(
    paths: Sequence[str],
    options: CrosscheckOptions,
    inputs: Mapping[str, str],
    weights: str | None,
    follow_links: bool,
) -> Iterator[FileReport]:
    """The report on an ONNX file beside the IR made from it."""
    models = []
    for path in sorted(paths, key=is_onnx, reverse=True):
        model = _read(path, None if is_onnx(path) else weights, follow_links)
        if isinstance(model, FileReport):
            yield model
            return
        models.append(model)
    yield from crosscheck_model(
        models[0], _with_inputs(options, next(iter(inputs.values()), None)), models[1]
    )


def many(
    files: ManyFiles,
    options: CrosscheckOptions,
    inputs: Mapping[str, str],
    weights: str | None,
    follow_links: bool,
    distinct: bool,
) -> Iterator[FileReport]:
    """The reports on files in several processes, from a cache, or of whose layers only ``distinct`` ones are run."""
    onnx_options = options
    paths = files.paths
    if any(map(is_onnx, paths)):
        onnx_options = for_onnx(options, not all(map(is_onnx, paths)))
    if inputs or options.layer is not None:
        raise click.UsageError(
            "--inputs and --layer are of one file: they do not go with --distinct, --dask, --cache and --jobs"
        )
    if distinct and options.mode not in (MODES[-1], ALONE):
        raise click.UsageError(
            "--distinct runs layers alone: it does not go with --mode in-place"
        )
    if files.cache is not None and any(":" in name for name in options.against):
        raise click.UsageError("--cache knows no versions of a runtime of your own")
    check = FileCheck(options, onnx_options, follow_links, weights)
    if not distinct:
        with files.results(check.kept, inf) as results:
            yield from _told(results)
        return
    with connected(files.dask) as executor:
        layers = Distinct(paths, check, executor, files.jobs)
        say(f"{layers.layers:,} layers, {len(layers.first):,} distinct")
        results = kept_files(
            layers.paths, layers.check.kept, files.jobs, executor, files.cache, inf
        )
        yield from _told(layers.reports(results))


def _with_inputs(options: CrosscheckOptions, file: str | None) -> CrosscheckOptions:
    if file is None:
        return options
    return options._replace(inputs=array_files(file))


def for_onnx(options: CrosscheckOptions, mixed: bool) -> CrosscheckOptions:
    """The options with the runtimes for ONNX files; ``mixed``: there are IR files, too."""
    from ovgather.comparison.onnx.nodes import RUNTIMES

    context = click.get_current_context()
    for name, harmless in _FOR_IR.items():
        if not mixed and context.params[name] not in harmless:
            raise click.UsageError(f"--{name} goes with IR files, not with ONNX files")
    is_default = (
        context.get_parameter_source("against") is click.core.ParameterSource.DEFAULT
    )
    for name in () if mixed or is_default else options.against:
        if name not in (*RUNTIMES, OPENVINO):
            message = f"{name!r} runs no ONNX files: {' and '.join(RUNTIMES)} do"
            raise click.BadParameter(message, param_hint="--against")
    known = tuple(name for name in options.against if name in (*RUNTIMES, OPENVINO))
    return options._replace(against=known or (OPENVINO,))


def _read(path: str, weights: str | None, follow_links: bool) -> Any:
    """A model with its own values; a report if it cannot be read."""
    model = with_own_values(OneLayer(path, None, weights, follow_links).read())
    if (problem := problem_of(model)) is not None:
        return next(_told([FileReport(path, (), problem)]))
    tell_unused_weights(model)
    return model


def _told(reports: Iterable[FileReport]) -> Iterator[FileReport]:
    """The reports; standard error tells of unreadable files where the format has no place for them."""
    for report in reports:
        if report.error and click.get_current_context().params["format"] != "text":
            say(f"{report.path}: {report.error}")
        yield report
