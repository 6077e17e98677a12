"""What OpenVINO's ONNX frontend makes of a node: the layers of IR that it builds, which refuse what their declarations
refuse.

Each file has ``TRANSLATIONS``: functions by the type of the node, which get a ``NodeCall`` and give the tensors of its
outputs. A new type is an entry, or a new file; a type that no file has is not checked.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from importlib import import_module
from pkgutil import iter_modules
from typing import TypeAlias

from ovgather.layers.conversion.call import NodeCall, NotFollowed, RefusedForm
from ovgather.ops import declared
from ovgather.ops.declaration import Declaration
from ovgather.tensor.tensor import Tensor

__all__ = (
    "Call",
    "NotFollowed",
    "RefusedForm",
    "Translation",
    "declaration_of",
    "find",
)

Translation: TypeAlias = Callable[[NodeCall], Sequence[Tensor]]


def find(type: str) -> Translation | None:
    """The translation of nodes of a type of the domain ``ai.onnx``; None: they are not followed.

    >>> find("Gather") is not None, find("Gathr")
    (True, None)
    """
    return _translations().get(type)


def declaration_of(type: str) -> Declaration | None:
    """What is declared of the layer that does with its elements what a node of a type does.

    >>> declaration_of("Cast").in_order
    True
    """
    return declared.find(_SAME.get(type, type), "opset16")


_SAME = {
    "Cast": "Convert",
    "CastLike": "ConvertLike",
    "Expand": "Broadcast",
    "Flatten": "Reshape",
}


@cache
def _translations() -> dict[str, Translation]:
    translations: dict[str, Translation] = {}
    for _, name, _ in iter_modules(__path__):
        if name != "call":
            translations |= import_module(f"{__name__}.{name}").TRANSLATIONS
    return translations
