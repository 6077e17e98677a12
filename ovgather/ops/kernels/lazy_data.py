"""Gather-8 on data that stays where it is (zarr, dask): only the slices that an index names are read."""

from typing import Any

import numpy as np


def picked(data: Any, indices: Any, axis: int) -> tuple[np.ndarray, Any]:
    """The slices of ``data`` that ``indices`` name, each once, and the indices of these slices in that array.

    An index outside becomes one outside. Where the arguments do not fit together, nothing is read.
    """
    rank, positions = len(data.shape), np.asarray(indices)
    if not -rank <= axis < rank or positions.dtype.kind not in "iu":
        return np.broadcast_to(np.zeros((), data.dtype), data.shape), indices
    length = data.shape[axis]
    is_inside = (positions >= -length) & (positions < length)
    names, places = np.unique(positions[is_inside].astype(np.int64) % max(1, length), return_inverse=True)
    key = (*(slice(None),) * (axis % rank), names)
    slices = data.oindex[key] if hasattr(data, "oindex") else data[key].compute()
    sources = np.full(positions.shape, len(names), dtype=np.int64)
    sources[is_inside] = places.reshape(-1)
    return np.asarray(slices), sources
