"""Weights that do not belong to the model, as rule OVG407 tells: no verb takes a value from them."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ovgather.ir.model import Model


def without_foreign_weights(model: Model) -> Model:
    """``model``, or the same without its ``.bin`` where that belongs to another file.

    >>> import ovgather
    >>> model = without_foreign_weights(ovgather.read("samples_xml/rules/OVG407/bad.xml"))
    >>> model.weights is None, model.unused_weights[:43]
    (True, 'bad.bin belongs to another file: it has 48 ')
    """
    if model.weights is None or model.fatal:
        return model
    from ovgather.validation.context import File
    from ovgather.validation.rules.constants.weights_fit import without_foreign

    return without_foreign(File(model)).model
