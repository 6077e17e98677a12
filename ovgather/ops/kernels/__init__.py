"""The data movement that the operations share.

``KernelPlan`` holds what the shapes decide, ``Methods`` adds the element types, and ``choose_method`` picks one of
three families: NumPy calls on contiguous arrays, loops compiled by numba, NumPy on arrays of any layout.

Every method compares the indices in their own integer type before it uses one, and copies elements as they are, NaN
payloads included. Beside the output it needs buffers of a fixed size, and it reads data on a disk only where an index
points.
"""

from ovgather.ops.kernels.bounds import require_inside
from ovgather.ops.kernels.choose import Methods, choose_method, move
from ovgather.ops.kernels.plan import Elements, KernelPlan, KernelSlices, Tuples

__all__ = [
    "Elements",
    "KernelPlan",
    "KernelSlices",
    "Methods",
    "Tuples",
    "choose_method",
    "move",
    "require_inside",
]
