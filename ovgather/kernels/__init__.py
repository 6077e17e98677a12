"""The data movement that the operations share, in NumPy.

Arrays are brought to few dims, indices to flat positions that are surely inside, and the elements are taken
with ``mode="clip"``, which needs no second look at them. Elements are copied as they are, NaN payloads
included. No index is narrowed on the way: it is compared in its own integer type. Beside the output there are
buffers of a fixed size; data that lie on a disk are read where an index points.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy

from ovgather.kernels import compiled, strided, threads
from ovgather.kernels.bounds import require_inside
from ovgather.kernels.elements import Elements
from ovgather.kernels.layout import SMALL, Reader, aligned, holds_objects
from ovgather.kernels.plan import Plan
from ovgather.kernels.quick import quick
from ovgather.kernels.rows import Rows, zero
from ovgather.kernels.tuples import Tuples

if TYPE_CHECKING:
    Array = numpy.ndarray

__all__ = ["Elements", "Plan", "Rows", "Tuples", "move", "quick", "require_inside"]


# What a thread is worth: a call of NumPy's hands Python's lock to and fro. Slices go at the speed of the memory.
_ELEMENTS, _SLICES = 1 << 18, 1 << 21
_PLAIN = 0x101  # contiguous and aligned: NPY_ARRAY_C_CONTIGUOUS and NPY_ARRAY_ALIGNED


def move(plan: Plan, data: Array, indices: Array, out: Array, workers: int | None = None, engine: str = "auto") -> bool:
    """Fill ``out``, which is not empty and shares no memory with the others.

    Args:
        workers: how many threads; None: as many as the CPUs allow, where it pays.
        engine: see ``Operation.evaluate``.

    Returns:
        Whether ``out`` is complete; not when an index is outside and that has no meaning.
    """
    if not data.size:  # an axis without elements
        out[...] = zero(out)
        return plan.zeros
    objects = holds_objects(data.dtype)
    count = 1
    if not objects:
        work, least = (out.nbytes, _SLICES) if plan.slices else (out.size, _ELEMENTS)
        count = threads.count(workers, work, least)
    plain = data.flags.num & out.flags.num & indices.flags.num & _PLAIN == _PLAIN
    if plain and indices.dtype in compiled.INDEX_TYPES:
        job = None if engine == "numpy" else compiled.choose(plan.kernel, data, indices, out.size, engine)
        if job is not None:
            return compiled.run(job, plan.kernel, data, indices, out, workers)
        if plan.at_once and count == 1:
            return plan.kernel.at_once(data, indices, out)
        return plan.kernel.move(data.reshape(-1), Reader(indices), out.reshape(-1), count)
    reader = Reader(indices)
    whole = data.flags.c_contiguous or data.nbytes <= SMALL or objects
    if not whole or not (out.flags.c_contiguous or out.nbytes <= SMALL or objects):
        return strided.move(plan, data, reader, out.reshape(plan.dims), count)
    made = out if out.flags.c_contiguous else numpy.empty(out.shape, out.dtype)
    source, target = aligned(numpy.ascontiguousarray(data).reshape(-1), made.reshape(-1))
    done = plan.kernel.move(source, reader, target, count)
    if done and made is not out:
        numpy.copyto(out, made)
    return done
