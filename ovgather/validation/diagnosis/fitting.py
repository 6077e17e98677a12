"""The values with which a layer takes its inputs, and computes what its ports declare."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

from ovgather.ir.graph import Layer

_MOST_RANK = 8
_MOST = 2
_Value = TypeVar("_Value")


def numbers(layer: Layer) -> list[int]:
    """The numbers that may be meant: small ones, the number of outputs of ``layer``, and the lengths in their ports."""
    lengths = sorted({dim for port in layer.outputs for dim in port.dims if dim >= 0})
    count = len(layer.outputs)
    return [*dict.fromkeys((*range(-1, _MOST_RANK), count, *lengths))]


def fitting(
    values: Iterable[_Value], agrees: Callable[[_Value], bool]
) -> Iterator[tuple[_Value, float]]:
    """Those of ``values`` with which the layer agrees, each with how much dearer it is, since others fit as well."""
    fits = [each for each in values if agrees(each)]
    # -1 and 1 may be one axis
    fits = [each for each in fits if "-" not in str(each)] or fits
    for value in fits[:_MOST]:
        yield value, 0.1 * (len(fits) - 1)
