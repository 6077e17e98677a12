"""IR files, where a verb opens one."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from ovgather.text import printable

if TYPE_CHECKING:
    from ovgather.ir.model import Model


def open_model(path: str, weights: str | None, follow_links: bool, *, tell: bool = True) -> Model:
    """The model, without weights that do not belong to it; where it cannot be read, the program ends.

    Args:
        tell: say why a ``.bin`` that is there is not used.
    """
    from ovgather.ir.read import read
    from ovgather.validation.foreign_weights import without_foreign_weights

    model = read(path, weights, follow_links=follow_links)
    if model.fatal:
        from ovgather.validation.unreadable import unreadable

        raise unreadable(model)
    model = without_foreign_weights(model)
    if tell:
        tell_unused_weights(model)
    return model


def tell_unused_weights(model: Model) -> None:
    """Say why the ``.bin`` that is there is not used."""
    from ovgather.validation.foreign_weights import why_without_weights

    why = why_without_weights(model)
    if why is not None:
        click.echo(f"ovgather: {printable(model.path)}: no values are taken from the .bin: {printable(why)}", err=True)
