"""What a compiled model gives where its states hold what the inference before left, and whether requests share them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy

from ovgather.runtimes.ways import Compiled, begin

_MOST_INPUTS = 8
NONE = -1
"""In the place of an input, where none is longer."""


class Step(NamedTuple):
    """A second inference: its outputs, what its states then hold, and the input that is ``longer`` for it to run.

    ``shared`` are the states that hold something else where another request runs before it. The outputs are those of
    ``request``.
    """

    outputs: list[Any]
    states: dict[str, bytes]
    request: Any
    longer: int = NONE
    shared: Sequence[str] = ()


def continued(
    compiled: Compiled, first: Sequence[Any], then: Sequence[Any]
) -> Step | None:
    """The inference ``then`` on what ``first`` leaves in the states; None where the model does not run on that.

    What an attention masks has to be as long as what its states hold by then: each input is tried in twice its length.
    """
    for longer in range(NONE, min(len(then), _MOST_INPUTS)):
        if longer == NONE or _may_be_longer(then[longer]):
            second = _with_longer(then, longer)
            found = _second(compiled, first, second)
            if found is not None:
                names = _shared(compiled, first, second, then, found)
                return found._replace(longer=longer, shared=names)
    return None


def _shared(
    compiled: Compiled,
    first: Sequence[Any],
    second: Sequence[Any],
    between: Sequence[Any],
    found: Step,
) -> list[str]:
    beside = _second(compiled, first, second, between)
    if beside is None or beside.states == found.states:
        return []
    again = _second(compiled, first, second)
    if again is None:
        return []
    return [
        name
        for name, value in found.states.items()
        if value == again.states[name] != beside.states[name]
    ]


def doubled(array: Any) -> Any:
    """An array with itself behind it, along its last dim.

    >>> doubled(numpy.array([[1, 2]])).tolist()
    [[1, 2, 1, 2]]
    """
    return numpy.concatenate([array, array], axis=-1)


def _may_be_longer(tensor: Any) -> bool:
    return len(tensor.shape) > 0 and tensor.element_type.to_string() != "string"


def _with_longer(inputs: Sequence[Any], longer: int) -> list[Any]:
    """The input tensors, of which that at the position ``longer`` is doubled."""
    changed = [*inputs]
    if longer != NONE:
        tensor = inputs[longer]
        array = doubled(tensor.data)
        changed[longer] = type(tensor)(tensor.element_type, list(array.shape))
        changed[longer].data[...] = array
    return changed


def _second(
    compiled: Compiled,
    first: Sequence[Any],
    then: Sequence[Any],
    between: Sequence[Any] | None = None,
) -> Step | None:
    """What the second of two inferences of a new compiled model gives; ``between`` them another request may run.

    It is new, since OpenVINO (2026.4.1) does not compute the first value of a state again where no shape has changed,
    and since nothing runs as it should after an error.
    """
    how = compiled.model, compiled.device, compiled.config
    executed = compiled.core.compile_model(*how)
    request = executed.create_infer_request()
    compiled.kept.append(then)
    begin(request, first)
    request.infer()
    if between is not None:
        other = executed.create_infer_request()
        begin(other, between)
        other.infer()
    try:
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
