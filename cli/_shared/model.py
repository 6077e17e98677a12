"""The model of a verb that looks at one layer, and the arrays for it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from ovgather.files.arrays import array_file
from ovgather.text import printable

if TYPE_CHECKING:
    from ovgather.ir.model import Model
    from ovgather.layers.formats import AnyModel


def open_model(path: str, weights: str | None, follow_links: bool) -> AnyModel:
    """An IR without weights that do not belong to it, or an ONNX model; UnreadableError if it cannot be read."""
    from ovgather.onnx_file.source import is_onnx
    from ovgather.verbs.usable import usable

    if not is_onnx(path):
        return open_ir(path, weights, follow_links)
    if weights is not None:
        raise click.UsageError("--weights goes with an IR file, not with an ONNX file")
    from ovgather.onnx_file.model import read

    return usable(read(path, follow_links))


def open_ir(path: str, weights: str | None, follow_links: bool, *, tell: bool = True) -> Model:
    """An IR without weights that do not belong to it; ``tell``: say why a ``.bin`` that is there is not used."""
    from ovgather.ir.read import read
    from ovgather.verbs.usable import usable

    model = usable(read(path, weights, follow_links=follow_links))
    if tell:
        tell_unused_weights(model)
    return model


def tell_unused_weights(model: Model) -> None:
    """Say why the ``.bin`` that is there is not used."""
    why = model.unused_weights
    if why is not None:
        click.echo(f"ovgather: {printable(model.path)}: no values are taken from the .bin: {printable(why)}", err=True)


def array_paths(arrays: tuple[str, ...]) -> list[str]:
    """The files that ``NAME=FILE.npy`` name."""
    return [item.partition("=")[2] for item in arrays if "=" in item]


def load_arrays(arrays: tuple[str, ...], inputs: str | None) -> dict[str, Any]:
    """Arrays by name, of the file ``inputs``, then of ``NAME=FILE.npy``; their elements are not read yet."""
    from ovgather.errors import InvalidModelError
    from ovgather.files.arrays import array_files

    loaded: dict[str, Any] = dict(array_files(inputs)) if inputs is not None else {}
    for item in arrays:
        name, sign, path = item.partition("=")
        if not sign:
            raise click.UsageError(f"{item!r} is not NAME=FILE.npy")
        try:
            loaded[name] = array_file(path)
        except InvalidModelError as error:
            raise click.UsageError(f"cannot read {error}") from error
    return loaded
