"""weights that do not go with the file (OVG407)

What: the ``.bin`` is longer than the constants need; that alone is a note. Or it is longer or shorter, and the axes
that Gather layers take from it are nonsense: it belongs to another file, which is an error.

Why: OpenVINO writes no byte more than the constants take, so a ``.bin`` that is longer has often been mixed up. Of the
values of a ``.bin`` that belongs to another file nothing further is told: they are not those of this model.

OpenVINO: reads what the file names, whatever it is, and rejects an axis that is out of range.

Bad::

    m.xml beside the m.bin of another model

Good::

    m.xml beside the m.bin that was written with it
"""

from __future__ import annotations

import os
from collections.abc import Iterator

from ovgather.ir.graph import Layer, Problem
from ovgather.layers.gather_layer import GatherLayer
from ovgather.validation.context import File
from ovgather.validation.diagnostic import Diagnostic

CODE = "OVG407"
TITLE = "weights that do not go with the file"
_FOREIGN = "weights-foreign"
_ABSURD = 1_000
"""No tensor has so many dims."""


def check(file: File) -> Iterator[Diagnostic]:
    """The length of the ``.bin``, and what ``without_foreign`` found."""
    for problem in file.problems.get(_FOREIGN, ()):
        span = file.data_span(problem.layer, "offset") if problem.layer is not None else None
        help = "give the right one with --weights FILE"
        effect = "takes its bytes for the values"
        verdict, layer = problem.subject, problem.layer
        yield file.report(CODE, "error", problem.value, span, openvino=verdict, effect=effect, help=help, needs=layer)
        return
    weights, needed = file.model.weights, _needed(file)
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


def without_foreign(file: File) -> File:
    """``file``, or where its ``.bin`` is that of another file, the same file without it."""
    weights = file.model.weights
    if weights is None or file.model.snippet or _needed(file) == weights.size:
        return file
    axes: dict[str | None, tuple[Layer, GatherLayer]] = {}
    for gather in file.gather_layers:
        source = gather.layer.producer(2) if gather.axis_source == "const" else None
        if source is not None and source[0].type == "Const":
            axes.setdefault(source[0].data.get("offset"), (source[0], gather))
    absurd = [(layer, gather) for layer, gather in axes.values() if abs(gather.axis or 0) > _ABSURD]
    if not absurd or 2 * len(absurd) < len(axes):
        return file
    import copy  # which costs a start more than this rule

    model = copy.copy(file.model)
    model.weights = None
    layer, gather = next((found for found in absurd if file.is_built(found[0])), absurd[0])
    name = os.path.basename(weights.path or "") or "the .bin"
    value = (
        f"{name} belongs to another file: it has {weights.size} bytes where the constants take {_needed(file)}, "
        f"and this one would give layer {gather.layer.id} an axis that no tensor has"
    )
    rejected = weights.size < _needed(file) or any(gather.errors for _, gather in absurd)
    verdict = "rejects" if rejected else "accepts"
    model.problems = [*model.problems, Problem(_FOREIGN, layer.offset, verdict, value, layer)]
    return File(model)


def _needed(file: File) -> int:
    return max([held.offset + held.size for held in file.declared.values()], default=0)
