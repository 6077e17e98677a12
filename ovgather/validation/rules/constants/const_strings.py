"""What: a string Const consists of a count, count + 1 offsets and the characters; the count and the offsets have 32
bits. The count differs from the shape, an offset decreases or exceeds the end, or there are too few bytes.
Why: strings would be read from locations outside the data.
OpenVINO: rejects a negative count and offsets past the end. If the count is below the shape, it reads strings that do
not exist: the result is an exception, any text, or the end of the process. If it is above, OpenVINO ignores the rest.
Bad::
    <data element_type="string" shape="2" offset="0" size="13"/>   <!-- packed: 1, 0 1, "A" -->
Good::
    <data element_type="string" shape="2" offset="0" size="20"/>   <!-- packed: 2, 0 1 4, "AB c" -->
"""

import struct
from itertools import pairwise

from ovgather.validation.context import Effect, File, Findings, Rule

RULE = Rule(
    "OVG404",
    "packed strings that do not match their shape",
    "error",
    "rejects accepts undefined",
)
_EFFECTS: dict[str, str | Effect] = {
    "accepts": "accepts it and ignores the rest",
    "undefined": Effect(
        "reads strings that do not exist: an exception, any text, or a crash",
        "strings-short",
    ),
}


def check(file: File) -> Findings:
    for layer, const in file.constants_where(
        lambda const: const.element_type.name == "string"
    ):
        data = const.data
        if data is None:
            continue
        if (problem := _problem(data, const.elements)) is not None:
            message, verdict = problem
            yield file.report(
                RULE, message, "data/size", layer, verdict, _EFFECTS.get(verdict, "")
            )


def _problem(data: memoryview, elements: int) -> tuple[str, str] | None:
    """The first problem of packed strings, and OpenVINO's verdict."""
    if len(data) < 4:
        return (
            f"packed strings of {len(data)} bytes have no room for their count",
            "rejects",
        )
    (count,) = struct.unpack_from("<i", data)
    if count < 0:
        return f"the count of packed strings is {count}", "rejects"
    start = 4 * (count + 2)
    if len(data) < start:
        return (
            f"{count} packed strings need {start} bytes for their offsets, there are {len(data)}",
            "rejects",
        )
    room = len(data) - start
    for index, (begin, end) in enumerate(
        pairwise(struct.unpack_from(f"<{count + 1}i", data, 4))
    ):
        if not 0 <= begin <= end <= room:
            return (
                f"packed string {index} is at bytes {begin} to {end} of {room}",
                "rejects",
            )
    if count == elements:
        return None
    message = f"{count} packed string{'s' * (count != 1)} for {elements} element{'s' * (elements != 1)}"
    return message, "undefined" if count < elements else "accepts"
