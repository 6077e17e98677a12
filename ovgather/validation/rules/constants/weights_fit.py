"""What: the ``.bin`` is longer than the constants need, which alone is a note. Or its length differs and the axes that
Gather layers read from it are impossible: it belongs to another file, which is an error.

Why: OpenVINO writes no more bytes than the constants need, so a longer ``.bin`` is often the wrong file. If the
``.bin`` belongs to another file, ovgather reports nothing more about its values: they are not those of this model.

OpenVINO: reads the bytes that the file names, and rejects an axis that is out of range.

Bad::

    m.xml beside the m.bin of another model

Good::

    m.xml beside the m.bin that was written with it
"""

import os

from ovgather.validation.context import File, Findings
from ovgather.validation.foreign_weights import FOREIGN

CODE = "OVG407"
TITLE = "weights that do not match the file"
SEVERITIES = ("error", "note")
VERDICTS = ("rejects", "accepts")


def check(file: File) -> Findings:
    """The length of the ``.bin``, and what was found of its owner."""
    for problem in file.problems.get(FOREIGN, ()):
        span = file.data_span(problem.layer, "offset") if problem.layer is not None else None
        help = "give the right one with --weights FILE"
        effect = "takes its bytes for the values"
        verdict, layer = problem.subject, problem.layer
        yield file.report(CODE, "error", problem.value, span, openvino=verdict, effect=effect, help=help, needs=layer)
        return
    weights, needed = file.model.weights, file.weights_needed
    # Where a size is wrong (OVG403), so is what is needed.
    if weights is not None and 0 < needed < weights.size and not file.misfits and not file.model.snippet:
        name = os.path.basename(weights.path or "") or "the .bin"
        left = weights.size - needed
        message = f"{name} has {weights.size} bytes, but the constants end at {needed}: {left} too many"
        last = file.constants_where(lambda held: held.offset + held.size == needed)[0][0]
        span = file.data_span(last, "size")
        help = "is it the .bin of this file?"
        yield file.report(
            CODE, "note", message, span, openvino="accepts", effect="leaves them unread", help=help, parsed=True
        )
