"""What: the ranks or dims of ``data`` and ``indices`` contradict each other or the operation: unequal ranks for
GatherElements, unequal dims off its axis, unequal batch dims, a scalar where the operation needs a rank of 1 or more.
Why: the operation has no output shape for them.
OpenVINO: rejects it, without naming the dim or the layer. It accepts scalar data of a Gather while the axis or the rank
of indices is unknown. It misses contradictions of a GatherND while the last dim of its indices is unknown: it reads the
layer with an output of dynamic rank, which does not compile for the CPU. It ignores ports: it accepts dims that
only ports declare, even if they contradict the input tensors. The verdict is `undefined` where no input tensor tells.
Bad::
    data [3,7,5], indices [2,10,5], axis 1
Good::
    data [3,7,5], indices [3,10,5], axis 1
"""

from ovgather.validation.context import File, Findings, Rule
from ovgather.validation.facts.flow import outcome, verdict_on_inputs

RULE = Rule(
    "OVG202",
    "inputs that do not fit together",
    "error",
    "rejects rejects_on_compile accepts undefined",
    needs="unfit",
)
_NO_RANK = (
    "reads it with an output of dynamic rank, which it cannot compile for the CPU"
)
_KINDS = frozenset({"data_rank", "indices_rank", "rank_mismatch", "dims_mismatch"})


def check(file: File) -> Findings:
    for gather in file.unfit:
        for error in (error for error in gather.errors if error.kind in _KINDS):
            verdict, effect = outcome(
                file, gather, verdict_on_inputs(gather, error.kind)
            )
            effect = _NO_RANK if verdict == "rejects_on_compile" else effect
            layer = gather.layer
            index = 0 if error.argument == "data" else 1
            place = f"input/{index}/dim/{error.dim}"
            about = file.deviations.roots_of(layer)
            yield file.report(
                RULE, str(error), place, layer, verdict, effect, about=about
            )
