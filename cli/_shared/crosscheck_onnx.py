"""``crosscheck`` with ONNX files: one by itself, or beside the IR that was made from it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

import click

from ovgather.crosscheck.options import CrosscheckOptions
from ovgather.crosscheck.report import FileReport
from ovgather.onnx_file.source import is_onnx
from ovgather.text import printable

if TYPE_CHECKING:
    from ovgather.ir.model import Model

_FOR_IR = {"variants": ("default", "none"), "device": ("CPU",), "static": (False,)}
"""Options that say nothing of an ONNX file, with the values that do no harm."""


def is_pair(paths: Sequence[str]) -> bool:
    """Whether an ONNX file and the IR made from it are named."""
    return sorted(path.lower().rpartition(".")[2] for path in paths) == ["onnx", "xml"]


def for_onnx(options: CrosscheckOptions, mixed: bool) -> CrosscheckOptions:
    """The options with the runtimes for ONNX files; ``mixed``: there are IR files, too."""
    from ovgather.crosscheck.onnx.nodes import RUNTIMES

    context = click.get_current_context()
    for name, harmless in _FOR_IR.items():
        if not mixed and context.params[name] not in harmless:
            raise click.UsageError(f"--{name} goes with IR files, not with ONNX files")
    if context.get_parameter_source("against") is click.core.ParameterSource.DEFAULT:
        return options._replace(against=RUNTIMES[:1])
    for name in () if mixed else options.against:
        if name not in RUNTIMES:
            message = f"{name!r} runs no ONNX files: {' and '.join(RUNTIMES)} do"
            raise click.BadParameter(message, param_hint="--against")
    return options._replace(against=tuple(name for name in options.against if name in RUNTIMES) or RUNTIMES[:1])


def unreadable(path: str, problem: str) -> FileReport:
    """The report on a file that cannot be read; unless the output is text, standard error says so as well."""
    if click.get_current_context().params["format"] != "text":
        click.echo(printable(f"ovgather: {path}: {problem}"), err=True)
    return FileReport(path, (), problem)


def read_ir(path: str, weights: str | None, follow_links: bool) -> Model | FileReport:
    """An IR without weights that do not belong to it; a report where it cannot be read."""
    from ovgather.cli._shared.model import tell_unused_weights
    from ovgather.ir.read import read
    from ovgather.validation.check import reason
    from ovgather.validation.foreign_weights import without_foreign_weights

    model = read(path, weights, follow_links=follow_links)
    if model.fatal:
        return unreadable(path, reason(model).message)
    model = without_foreign_weights(model)
    tell_unused_weights(model)
    return model


def check(path: str, options: CrosscheckOptions, weights: str | None, follow_links: bool) -> Iterable[FileReport]:
    """The cross-check of one ONNX file; one that cannot be read is a report that says why."""
    from ovgather.crosscheck.entry import crosscheck_onnx
    from ovgather.onnx_file.model import read

    if weights is not None:
        raise click.UsageError("--weights goes with an IR file, not with an ONNX file")
    model = read(path, follow_links)
    if model.problem is not None:
        return [unreadable(path, f"no ONNX model can be read: {model.problem}")]
    if options.layer_inputs is not None and options.layer is None:
        raise click.UsageError("--inputs of a lone node need --layer, which says whose they are")
    return crosscheck_onnx(model, options)


def pair(
    paths: Sequence[str], options: CrosscheckOptions, weights: str | None, follow_links: bool
) -> Iterable[FileReport]:
    """The cross-check of an ONNX file beside the IR made from it."""
    from ovgather.crosscheck.entry import crosscheck_onnx
    from ovgather.onnx_file.model import read

    context = click.get_current_context()
    for name in ("against", "mode", "variants", "static"):
        if context.get_parameter_source(name) is not click.core.ParameterSource.DEFAULT:
            raise click.UsageError(f"--{name} does not go with an ONNX file beside its IR: both are run as they are")
    path, ir_path = sorted(paths, key=is_onnx, reverse=True)
    onnx = read(path, follow_links)
    if onnx.problem is not None:
        return [unreadable(path, f"no ONNX model can be read: {onnx.problem}")]
    ir = read_ir(ir_path, weights, follow_links)
    return [ir] if isinstance(ir, FileReport) else crosscheck_onnx(onnx, options, ir)
