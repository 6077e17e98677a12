"""Layers that OpenVINO replaces before a plugin sees them, and what that changes."""

from __future__ import annotations

ELIMINATED_ON = "2024.0 to 2026.4.1"
"""The releases that were measured; all of them do so."""


def becomes_reshape(length: int, batch_dims: int, rank: int, first: int) -> bool:
    """Whether a Gather with constant indices becomes a Reshape that gives element 0 for every index.

    It does with one index for each batch (``rank`` of the indices is ``batch_dims``), an axis of ``length`` 1, and a
    ``first`` index of 0. The other indices are not looked at.

    >>> becomes_reshape(1, 1, 1, 0), becomes_reshape(1, 1, 1, 5), becomes_reshape(2, 1, 1, 0)
    (True, False, False)
    """
    return length == 1 and 0 < batch_dims == rank and first == 0
