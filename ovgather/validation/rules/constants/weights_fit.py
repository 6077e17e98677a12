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

from ovgather.validation.context import File, Findings, Rule
from ovgather.validation.foreign_weights import FOREIGN

RULE = Rule(
    "OVG407",
    "weights that do not match the file",
    "error note",
    "rejects accepts",
    of_snippets=False,
)


def check(file: File) -> Findings:
    for problem in file.problems.get(FOREIGN, ()):
        layer = problem.layer
        effect = "reads wrong values from it"
        help = "pass the right one with --weights FILE"
        place = None
        if layer is not None:
            place = file.place(layer, "data/offset")
        yield file.report(
            RULE,
            problem.value,
            place,
            None,
            problem.subject,
            effect,
            help=help,
            needs=layer,
        )
        return
    weights = file.model.weights
    size = file.weights_needed
    if weights is None or not 0 < size < weights.size:
        return
    if (
        file.all_constants_fit
    ):  # else OVG403 reports one, and the needed length is unknown
        name = os.path.basename(weights.path or "") or "the .bin"
        excess = weights.size - size
        message = f"{name} has {weights.size} bytes, but the constants end at {size}: {excess} too many"
        last = file.constants_where(lambda const: const.offset + const.size == size)[0][
            0
        ]
        place = file.place(last, "data/size")
        effect = "leaves them unread"
        help = "does it belong to this file?"
        yield file.report(
            RULE,
            message,
            place,
            None,
            "accepts",
            effect,
            severity="note",
            help=help,
            parsed=True,
        )
