"""What: the bytes of two constants overlap, but do not begin at the same offset.
Why: equal constants share all their bytes. A constant that begins within another usually has a wrong ``offset`` or
``size``, but the other one does where a gap of the same length is before it. This is a note.
OpenVINO: checks only the end of the ``.bin``. (Constants at an offset that is not a multiple of their element size are
not reported: OpenVINO's serializer writes half of the constants of some files that way, and reads them correctly.)
Bad::
    <data … offset="0" size="40"/> <data … offset="32" size="8"/>
Good::
    <data … offset="0" size="40"/> <data … offset="40" size="8"/>
"""

from math import inf

from ovgather.validation.context import File, Findings, Rule

RULE = Rule("OVG406", "constants that partly overlap", "note", "accepts")


def check(file: File) -> Findings:
    # OVG403 and OVG402 report constants too long for their shape or for the .bin: their bytes are not compared.
    limit = file.model.weights.size if file.model.weights is not None else inf
    declared = [const[2:4] for const in file.fitting_constants]
    before = begin = end = 0
    overlaps: dict[tuple[int, int], tuple[int, int]] = {}
    for offset, size in sorted(
        {(offset, size) for offset, size in declared if offset + size <= limit}
    ):
        if begin < offset < end and size:
            if begin - before == end - offset:
                overlaps[begin, end - begin] = offset, offset + size
            else:
                overlaps[offset, size] = begin, end
        if offset + size > end:
            before = end
            begin = offset
            end = offset + size
    if overlaps:
        for layer, const in file.constants_where(lambda const: const[2:4] in overlaps):
            if (other := overlaps.pop(const[2:4], None)) is not None:
                message = f"bytes {const.offset} to {const.offset + const.size} overlap those of another constant"
                message += f", {other[0]} to {other[1]}"
                yield file.report(
                    RULE, message, "data/offset", layer, effect="accepts it"
                )
