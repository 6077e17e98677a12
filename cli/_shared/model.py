"""The model of a verb that looks at one layer, and the arrays for it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import click

from ovgather.cli._shared import options as _options
from ovgather.text import printable

if TYPE_CHECKING:
    from ovgather.layers.formats import AnyModel


class OneLayer(NamedTuple):
    """A layer of a file, and the arrays to put into it: ``NAME=FILE.npy``, and those of the file ``inputs``."""

    path: str
    arrays: tuple[str, ...]
    layer: str | None
    weights: str | None
    follow_links: bool
    inputs: str | None

    @property
    def others(self) -> list[str | None]:
        """The files that are read beside the model."""
        return [self.weights, self.inputs, *(item.partition("=")[2] for item in self.arrays if "=" in item)]

    def model(self) -> AnyModel:
        """See ``open_model``."""
        return open_model(self.path, self.weights, self.follow_links)

    def arrays_by_name(self) -> dict[str, Any]:
        """The arrays of ``inputs``, then those of ``NAME=FILE.npy``; their elements are not read yet."""
        from ovgather.errors import InvalidModelError
        from ovgather.files.arrays import array_file, array_files

        arrays: dict[str, Any] = dict(array_files(self.inputs)) if self.inputs is not None else {}
        for item in self.arrays:
            name, sign, path = item.partition("=")
            if not sign:
                raise click.UsageError(f"{item!r} is not NAME=FILE.npy")
            try:
                arrays[name] = array_file(path)
            except InvalidModelError as error:
                raise click.UsageError(f"cannot read {error}") from error
        return arrays


one_layer = _options.grouped(
    "source",
    OneLayer,
    _options.path,
    click.argument("arrays", metavar="[NAME=FILE.npy]...", nargs=-1),
    _options.layer,
    _options.weights,
    _options.follow_links,
    click.option("--inputs", metavar="FILE.npz", type=_options.existing_file, help="Inputs by name."),
    click.option("--axis", type=int, help="The axis, if the file does not state it."),
)
"""What the verbs take that put arrays into one layer."""


def open_model(path: str, weights: str | None, follow_links: bool) -> AnyModel:
    """An IR without weights that do not belong to it, or an ONNX model; UnreadableError if it cannot be read."""
    from ovgather.layers.formats import read
    from ovgather.onnx_file.source import is_onnx
    from ovgather.verbs.usable import usable

    if weights is not None and is_onnx(path):
        raise click.UsageError("--weights goes with an IR file, not with an ONNX file")
    model = usable(read(path, weights, follow_links=follow_links))
    tell_unused_weights(model)
    return model


def tell_unused_weights(model: AnyModel) -> None:
    """Say why the ``.bin`` that is there is not used."""
    if (why := getattr(model, "unused_weights", None)) is not None:
        click.echo(f"ovgather: {printable(model.path)}: no values are taken from the .bin: {printable(why)}", err=True)
