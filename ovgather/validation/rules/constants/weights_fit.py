"""weights that do not go with the file (OVG407)

What: the ``.bin`` is longer than the constants need; that alone is a note. Or it is longer or shorter, and the axes
that Gather layers take from it are nonsense: it belongs to another file, which is an error.

Why: OpenVINO writes no byte more than the constants take, so a ``.bin`` that is longer has often been mixed up. Of the
values of a ``.bin`` that belongs to another file nothing further is told: they are not those of this model.

OpenVINO: reads the bytes that the file names, whatever they are, and rejects an axis that is out of range.

Bad::

    m.xml beside the m.bin of another model

Good::

    m.xml beside the m.bin that was written with it
"""

from __future__ import annotations

import os
from collections.abc import Iterator

from ovgather.validation.context import File
from ovgather.validation.diagnostic import Diagnostic
from ovgather.validation.foreign_weights import FOREIGN

CODE = "OVG407"
TITLE = "weights that do not go with the file"
SEVERITIES = ("error", "note")
VERDICTS = ("rejects", "accepts")


def check(file: File) -> Iterator[Diagnostic]:
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
