"""What: the bytes of two constants overlap, but do not begin at the same offset.

Why: equal constants share all their bytes. A constant that begins within another one usually has a wrong ``offset`` or
``size``. The finding is a note.

OpenVINO: checks only the end of the ``.bin``. (Constants at an offset that is not a multiple of their element size are
not reported: OpenVINO's serializer writes half of the constants of some files that way, and reads them correctly.)

Bad::

    <data … offset="0" size="40"/> <data … offset="32" size="8"/>

Good::

    <data … offset="0" size="40"/> <data … offset="40" size="8"/>
"""

from math import inf

from ovgather.validation.context import File, Findings

CODE = "OVG406"
TITLE = "constants that partly overlap"
SEVERITIES = ("note",)
VERDICTS = ("accepts",)


def check(file: File) -> Findings:
    """The places of all constants, in order."""
    # What is too long for its shape, or for the .bin, is told by OVG403 and OVG402: its place is not to be trusted.
    weights, wrong_size = file.model.weights, file.misfits
    limit = weights.size if weights is not None else inf
    declared = [held[2:4] for signature, held in file.declared.items() if signature not in wrong_size]
    places = sorted({(offset, size) for offset, size in declared if offset + size <= limit})
    begin = end = 0
    wrong: dict[tuple[int, int], tuple[int, int]] = {}
    for place in places:
        offset, size = place
        if begin < offset < end and size:
            wrong[place] = (begin, end)
        if offset + size > end:
            begin, end = offset, offset + size
    if not wrong:
        return
    for layer, held in file.constants_where(lambda held: held[2:4] in wrong):
        other = wrong.pop(held[2:4], None)
        if other is not None:
            here = f"bytes {held.offset} to {held.offset + held.size}"
            message = f"{here} begin within those of another constant, {other[0]} to {other[1]}"
            span = file.data_span(layer, "offset")
            effect = "takes it as it stands"
            yield file.report(CODE, "note", message, span, layer=layer, openvino="accepts", effect=effect)
