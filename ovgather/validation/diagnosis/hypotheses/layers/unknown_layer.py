"""What: something about a layer is wrong, and nothing says what: what other layers report follows from it.
Why: with a layer that gives what its ports declare, whatever it computes, the other contradictions are gone.
Bad::
    data [30] -> Reshape, pattern (4,6) -> port [4,6] -> ...
Good::
    data [24] -> Reshape, pattern (4,6) -> port [4,6] -> ...
"""

from collections.abc import Iterator

from ovgather.forward.run import ASSUMED
from ovgather.validation.diagnosis.case import Case
from ovgather.validation.diagnosis.hypothesis import Hypothesis

ORDER = 90


def propose(case: Case) -> Iterator[Hypothesis]:
    for layer in case.subjects:
        element = case.element(layer)
        if layer.type in ("Parameter", "Result") or "type" not in element.attributes:
            continue
        span = element.attribute_span("type")
        yield case.repair(
            "", layer, "type", [(span, ASSUMED)], price=3.0, without=layer.offset
        )
