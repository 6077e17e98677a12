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

from ovgather.layers.conversion.call import NodeCall, NotFollowed
from ovgather.tensor.tensor import Tensor

__all__ = ("Call", "NotFollowed", "Translation", "find")

Translation: TypeAlias = Callable[[NodeCall], Sequence[Tensor]]


def find(type: str) -> Translation | None:
    """The translation of nodes of a type of the domain ``ai.onnx``; None: they are not followed.

    >>> find("Gather") is not None, find("Gathr")
    (True, None)
    """
    return _translations().get(type)


@cache
def _translations() -> dict[str, Translation]:
    found: dict[str, Translation] = {}
    for _, name, _ in iter_modules(__path__):
        if name != "call":
            found |= import_module(f"{__name__}.{name}").TRANSLATIONS
    return found
