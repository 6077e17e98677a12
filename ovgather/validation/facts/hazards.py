"""What the rules of runtime hazards (OVG7xx) share: when OpenVINO meets them, and on which releases they were seen."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from math import prod
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from ovgather.ir.graph import Layer
from ovgather.tensor.element_type import ElementType
from ovgather.tensor.shape import PartialShape
from ovgather.validation.releases import FIRST, LAST, SEEN

if TYPE_CHECKING:
    from ovgather.targets.release import Release

LANES = 16  # 32-bit numbers in a vector of AVX-512: up to so many go the kernel's way for few elements
_LEAST_INPUTS = {("broadcast", "opset1"): 2, ("broadcast", "opset2"): 2}
_LEAST_INPUTS |= {("maxpool", f"opset{number}"): 1 for number in range(1, 8)}
STATE = frozenset({"readvalue", "assign"})
_STATE_WITHOUT_ID = frozenset(f"opset{number}" for number in range(1, 6))
CRASHING_TYPES = STATE | {kind for kind, _ in _LEAST_INPUTS}


class Sizes(NamedTuple):
    """Elements of a static Gather, by which the CPU's kernel goes, as products of dims."""

    batch_dims: int
    before: int  # of data before the axis, batch dims included
    between: int  # of these without the batch dims
    after: int  # of data behind the axis
    picked: int  # of indices without the batch dims


class Sized(Protocol):
    """What is asked of a layer or node of the family."""

    @property
    def operation(self) -> Any: ...
    @property
    def errors(self) -> Sequence[object]: ...
    @property
    def axis(self) -> int | None: ...
    @property
    def batch_dims(self) -> int: ...
    @property
    def shapes(self) -> Sequence[PartialShape]: ...
    @property
    def element_types(self) -> Sequence[ElementType | None]: ...
    def is_constant(self, index: int) -> bool: ...


def sizes(gather: Sized) -> Sizes | None:
    """The sizes of a Gather-1, -7 or -8 that the CPU compiles for one shape, with a known axis, and data that are not
    strings; None for all others."""
    if (
        not gather.operation.indices_replace_axis
        or len(gather.shapes) < 2
        or gather.errors
        or gather.axis is None
    ):
        return None
    if str(gather.element_types[0]) == "string":
        return None
    if not gather.shapes[0].rank or not all(
        shape.is_static for shape in gather.shapes[:2]
    ):
        return None
    if gather.is_constant(0) and gather.is_constant(1):
        return None  # computed when the model is compiled
    data, indices = ([dim.length for dim in shape] for shape in gather.shapes[:2])
    axis = gather.axis % len(data)
    batch_dims = gather.batch_dims + (len(indices) if gather.batch_dims < 0 else 0)
    between = prod(data[batch_dims:axis])
    positions = prod(indices[batch_dims:])
    return Sizes(
        batch_dims, prod(data[:axis]), between, prod(data[axis + 1 :]), positions
    )


def missing_part(layer: Layer) -> str | None:
    """What ``layer`` lacks for which OpenVINO ends the process when it reads the file: OVG707 reports it."""
    kind = layer.type.lower()
    if kind in STATE:
        absent = (
            layer.version not in _STATE_WITHOUT_ID and "variable_id" not in layer.data
        )
        if absent:
            return f"{layer.type} without variable_id"
        return None
    least = _LEAST_INPUTS.get((kind, layer.version), 0)
    links = sum((layer.id, port.id) in layer.graph.fed for port in layer.inputs)
    if links >= least:
        return None
    return f"{layer.type} needs {least} input{'s' * (least > 1)}, but has {links}"


def is_seen_on(key: str, target: Release) -> bool:
    """Whether the hazard ``key`` was seen on a release.

    >>> from ovgather.targets.release import Release
    >>> is_seen_on("elements-negative", Release(2025, 1)), is_seen_on("elements-negative", Release(2025, 3))
    (True, False)
    """
    return _includes(SEEN[key].on, target)


@cache
def on_target(code: str, target: Release) -> str:
    """What is known of the hazards of rule ``code`` on ``target``; empty where it has none.

    >>> from ovgather.targets.release import Release
    >>> on_target("OVG702", Release(2024, 0)), on_target("OVG702", Release(2021, 4)), on_target("X", Release(2024, 0))
    ('seen on 2024.0 too', 'not measured on 2021.4', '')
    >>> on_target("OVG704", Release(2023, 3))
    'not seen on 2023.3'
    """
    hazards = [hazard for hazard in SEEN.values() if hazard.rule == code]
    if not hazards:
        return ""
    if not _includes(f"{FIRST} to {LAST}", target):
        return f"not measured on {target}"
    seen = [hazard.what for hazard in hazards if _includes(hazard.on, target)]
    if len(seen) == len(hazards):
        return f"seen on {target} too"
    if seen:
        return f"seen on {target}: {'; '.join(seen)}"
    return f"not seen on {target}"


def _includes(ranges: str, target: Release) -> bool:
    from ovgather.targets.release import find

    spans = [span.split(" to ") for span in ranges.split(" and ")]
    ends = [(find(span[0]), find(span[-1])) for span in spans]
    return any(
        first is not None and last is not None and first <= target <= last
        for first, last in ends
    )
