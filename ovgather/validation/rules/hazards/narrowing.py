"""What: ``data`` of a Gather layer is ``f64`` or ``u64``; or a constant input of a Gather layer holds values that the
CPU cannot represent: ``i64``, ``u64`` and ``u32`` values outside the range of ``i32``, or ``f64`` values that ``f32``
rounds. (Smaller ``i64`` values, such as shapes and indices, are not reported.)
Why: a Gather moves values and must not change them.
OpenVINO: on the CPU, computes ``f64`` as ``f32`` and 64-bit integers as ``i32``, whatever the hints, although the
output declares the wide type. Constants are clamped to the range. Values fed at run time keep their low 32 bits (before
2025.4 they are clamped, too).
Bad::
    <data shape="8,4" element_type="f64"/>
Good::
    <data shape="8,4" element_type="f32"/>
"""

import struct
from array import array
from collections.abc import Sequence

from ovgather.ir.constants import Constant, constant
from ovgather.tensor.element_type import ALL
from ovgather.tensor.lazy import Table
from ovgather.validation.context import Effect, File, Findings, GatherLayer, Rule
from ovgather.validation.facts.index_bounds import unravel

RULE = Rule(
    "OVG706", "64-bit values that the CPU narrows", "warning", "accepts", needs="alike"
)
_WIDE = frozenset(item for item in ALL if item.name in ("i64", "u64", "u32", "f64"))
_MOST_VALUES = 1 << 20  # constants of more elements are not looked through
_LOW = -(1 << 31)
_HIGH = (1 << 31) - 1
_LARGEST: float = struct.unpack("<f", b"\xff\xff\x7f\x7f")[0]
_EFFECTS = {
    "f64": Effect("rounds them to f32 on the CPU, silently", "f64"),
    "u64": Effect("narrows them to 32 bits on the CPU, silently", "i64"),
}
_CLAMPS = Effect("clamps or rounds them on the CPU, silently", "constant-u32")


def check(file: File) -> Findings:
    for gathers in file.alike:
        kind = gathers[0].output_type
        if kind is not None and kind.name in _EFFECTS:
            for gather in gathers:
                if not gather.is_constant(0):
                    message = f"the values of data are {kind}, which the CPU does not compute with"
                    yield file.report(
                        RULE,
                        message,
                        "input/0",
                        gather.layer,
                        effect=_EFFECTS[str(kind)],
                    )
    losses = Table(_loss)
    for gather in file.unusual_gathers_where(
        lambda gather: any([losses[const] for _, const in _wide(gather)])
    ):
        for index, const in _wide(gather):
            loss = losses[const]
            if loss is None or (
                index == 1
                and any(wrong.gather is gather for wrong in file.out_of_range)
            ):
                continue  # OVG501 or OVG704 reports the indices
            total, change = loss
            name = gather.operation.inputs[index].name
            do = "does" if total == 1 else "do"
            message = f"{total} of {const.elements} constant values of {name} {do} not survive the CPU: {change}"
            yield file.report(
                RULE, message, f"input/{index}", gather.layer, effect=_CLAMPS
            )


def _wide(gather: GatherLayer) -> list[tuple[int, Constant]]:
    """The Consts of wide types that feed data and indices, with the index of the input."""
    sources = enumerate(gather.sources[:2])
    consts = [
        (index, constant(source[0], gather.model.weights))
        for index, source in sources
        if source is not None
    ]
    return [
        (index, const)
        for index, const in consts
        if const is not None and const.element_type in _WIDE
    ]


def _loss(const: Constant) -> tuple[int, str] | None:
    """How many values of a constant the CPU cannot represent, and what becomes of the first."""
    values: Sequence[float]
    if const.element_type.name == "f64":
        if const.elements > _MOST_VALUES:
            return None
        data = const.data
        if data is None or len(data) < const.bytes_needed:
            return None
        values = struct.unpack_from(f"<{const.elements}d", data)
        results: list[float] = [
            min(max(value, -_LARGEST), _LARGEST) for value in array("f", values)
        ]
    else:
        values = const.integers(_MOST_VALUES) or ()
        results = [min(max(value, _LOW), _HIGH) for value in values]
    pairs = enumerate(zip(values, results, strict=True))
    positions = [
        position
        for position, (value, result) in pairs
        if value != result and value == value
    ]
    if not positions:
        return None
    first = positions[0]
    place = unravel(positions[0], const.shape)
    return (
        len(positions),
        f"{values[first]}{f' at position {list(place)}' if place else ''} becomes {results[first]}",
    )
