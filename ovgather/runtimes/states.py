"""What a compiled model gives where its states hold what the inference before left, and whether requests share them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy

from ovgather.runtimes.ways import Compiled, begin

_MOST_INPUTS = 4


class Step(NamedTuple):
    """A second inference: its outputs, and what its states then hold.

    ``shared`` are the states that hold something else where another request runs before it. The outputs are those of
    ``request``.
    """

    outputs: list[Any]
    states: dict[str, bytes]
    request: Any
    shared: Sequence[str] = ()


def continued(
    compiled: Compiled,
    first: Sequence[Any],
    then: Sequence[Any],
    candidates: Sequence[int] = (),
) -> Step | None:
    """The inference ``then`` on what ``first`` leaves in the states; None where the model does not run on that.

    What an attention masks has to be as long as what its states hold by then: each of the ``candidates`` among the
    inputs is tried in twice its length.
    """
    step = _second(compiled.executed, compiled, first, then)
    tries = [at for at in candidates if _may_be_longer(then[at])][:_MOST_INPUTS]
    second = then
    while step is None and tries:
        second = _with_longer(then, tries.pop(0))
        step = _second(_anew(compiled), compiled, first, second)
    if step is None:
        return None
    return step._replace(shared=_shared(compiled, first, second, then, step))


def _anew(compiled: Compiled) -> Any:
    """The model compiled again: nothing runs as it should after an error, and OpenVINO (2026.4.1) does not compute the
    first value of a state again where no shape has changed."""
    return compiled.core.compile_model(compiled.model, compiled.device, compiled.config)


def _shared(
    compiled: Compiled,
    first: Sequence[Any],
    second: Sequence[Any],
    between: Sequence[Any],
    step: Step,
) -> list[str]:
    beside = _second(_anew(compiled), compiled, first, second, between)
    if beside is None or beside.states == step.states:
        return []
    alone, again = (_second(_anew(compiled), compiled, first, second) for _ in range(2))
    if alone is None or again is None:
        return []
    return [
        name
        for name, value in alone.states.items()
        if value == again.states[name] != beside.states[name]
    ]


def _may_be_longer(tensor: Any) -> bool:
    return len(tensor.shape) > 0 and tensor.element_type.to_string() != "string"


def _with_longer(inputs: Sequence[Any], longer: int) -> list[Any]:
    """The input tensors, of which that at the position ``longer`` stands once more behind itself."""
    changed = [*inputs]
    tensor = inputs[longer]
    array = numpy.concatenate([tensor.data, tensor.data], axis=-1)
    changed[longer] = type(tensor)(tensor.element_type, list(array.shape))
    changed[longer].data[...] = array
    return changed


def _second(
    executed: Any,
    compiled: Compiled,
    first: Sequence[Any],
    then: Sequence[Any],
    between: Sequence[Any] | None = None,
) -> Step | None:
    """What the second of two inferences of a new request gives; ``between`` them another request may run."""
    request = executed.create_infer_request()
    compiled.kept.append(then)
    try:
        begin(request, first)
        request.infer()
        if between is not None:
            other = executed.create_infer_request()
            begin(other, between)
            other.infer()
        for place, tensor in enumerate(then):
            request.set_input_tensor(place, tensor)
        request.infer()
    except RuntimeError:
        return None
    outputs = [request.get_output_tensor(place) for place in compiled.places]
    states = {
        state.name: bytes(state.state.data.tobytes()) for state in request.query_state()
    }
    return Step(outputs, states, request)
