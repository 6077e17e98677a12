"""What: a string Const consists of a count, count + 1 offsets and the characters; the count and the offsets have 32
bits. The count differs from the shape, an offset decreases or exceeds the end, or there are too few bytes.

Why: strings would be read from locations outside the data.

OpenVINO: rejects a negative count and offsets past the end. If the count is below the shape, it reads strings that do
not exist: the result is an exception, any text, or the end of the process. If the count is above the shape, it ignores
the rest.

Bad::

    <data element_type="string" shape="2" offset="0" size="13"/>   <!-- packed: 1, 0 1, "A" -->

Good::

    <data element_type="string" shape="2" offset="0" size="20"/>   <!-- packed: 2, 0 1 4, "AB c" -->
"""

import struct
from itertools import pairwise

from ovgather.validation.context import File, Findings
from ovgather.validation.releases import SEEN

CODE = "OVG404"
TITLE = "packed strings that do not match their shape"
SEVERITIES = ("error",)
VERDICTS = ("rejects", "accepts", "undefined")
_EFFECTS = {
    "accepts": "takes it, and leaves the rest",
    "undefined": "reads strings that are not there: an exception, any text, or the end of the process "
    f"({SEEN['strings-short'].on})",
}


def check(file: File) -> Findings:
    """Every string Const whose bytes are at hand."""
    for layer, held in file.constants_where(lambda held: held.element_type.name == "string"):
        if held.data is None:
            continue
        found = _problem(held.data, held.elements)
        if found:
            message, verdict = found
            span = file.data_span(layer, "size")
            effect = _EFFECTS.get(verdict, "")
            yield file.report(CODE, "error", message, span, layer=layer, openvino=verdict, effect=effect)


def _problem(data: memoryview, elements: int) -> tuple[str, str] | None:
    if len(data) < 4:
        return f"packed strings of {len(data)} bytes have no room for their count", "rejects"
    (count,) = struct.unpack_from("<i", data)
    if count < 0:
        return f"packed strings say that they are {count}", "rejects"
    start = 4 * (count + 2)
    if len(data) < start:
        return (f"{count} packed strings need {start} bytes for their offsets, there are {len(data)}", "rejects")
    offsets = struct.unpack_from(f"<{count + 1}i", data, 4)
    room = len(data) - start
    for place, (begin, end) in enumerate(pairwise(offsets)):
        if not 0 <= begin <= end <= room:
            return f"packed string {place} is at bytes {begin} to {end} of {room}", "rejects"
    if count != elements:
        strings, wanted = _counted(count, "packed string"), _counted(elements, "element")
        return f"{strings} for {wanted}", "undefined" if count < elements else "accepts"
    return None


def _counted(number: int, word: str) -> str:
    return f"{number} {word}{'' if number == 1 else 's'}"
