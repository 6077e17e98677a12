"""Weights that do not belong to the model, as rule OVG407 tells: no verb takes a value from them."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ovgather.ir.model import Model

_UNUSED = ("weights-unreadable", "weights-other", "weights-refused", "weights-foreign")


def without_foreign_weights(model: Model) -> Model:
    """``model``, or the same without its ``.bin`` where that belongs to another file.

    >>> import ovgather
    >>> model = without_foreign_weights(ovgather.read("samples_xml/rules/OVG407/bad.xml"))
    >>> model.weights is None, why_without_weights(model)[:43]
    (True, 'bad.bin belongs to another file: it has 48 ')
    """
    if model.weights is None or model.fatal:
        return model
    from ovgather.validation.context import File
    from ovgather.validation.rules.constants.weights_fit import without_foreign

    return without_foreign(File(model)).model


def why_without_weights(model: Model) -> str | None:
    """Why the ``.bin`` that is there is not used; None: it is, or there is none."""
    for problem in model.problems:
        if problem.kind == "weights-other":
            return f"the .bin is {problem.value}"
        if problem.kind in _UNUSED:
            return f"{problem.value}: {problem.help}" if problem.help else problem.value
    return None
