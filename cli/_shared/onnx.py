"""ONNX files, where a verb opens one."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from ovgather.text import printable

if TYPE_CHECKING:
    from ovgather.onnx_file.model import OnnxModel


def open_model(path: str, weights: str | None, follow_links: bool = False) -> OnnxModel:
    """The model; where it cannot be read, that is said, and the program ends."""
    from ovgather.onnx_file.model import read

    if weights is not None:
        raise click.UsageError("--weights goes with an IR file, not with an ONNX file")
    model = read(path, follow_links)
    if model.problem is not None:
        click.echo(printable(f"ovgather: {path}: no ONNX model can be read: {model.problem}"), err=True)
        raise click.exceptions.Exit(4)
    return model
