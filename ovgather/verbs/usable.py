"""Models that a verb can use: they could be read, and their values are their own."""

from __future__ import annotations

from typing import TYPE_CHECKING, overload

from ovgather.errors import UnreadableError
from ovgather.ir.model import Model
from ovgather.layers.formats import AnyModel
from ovgather.validation.check import problem_of, unreadable
from ovgather.validation.foreign_weights import without_foreign_weights

if TYPE_CHECKING:
    from ovgather.onnx_file.model import OnnxModel


@overload
def usable(model: Model) -> Model: ...
@overload
def usable(model: OnnxModel) -> OnnxModel: ...
def usable(model: AnyModel) -> AnyModel:
    """``model`` with its own values; UnreadableError if it could not be read."""
    if isinstance(model, Model) and model.fatal:
        raise unreadable(model)
    if (problem := problem_of(model)) is not None:
        raise UnreadableError(f"{model.path}: {problem}")
    return with_own_values(model)


def with_own_values(model: AnyModel) -> AnyModel:
    """``model``, an IR without weights that belong to another file."""
    return without_foreign_weights(model) if isinstance(model, Model) else model
