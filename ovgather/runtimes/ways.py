"""Ways in which users run a compiled model of OpenVINO, beside one request that infers again and again."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from io import BytesIO
from itertools import islice
from typing import Any, NamedTuple

REQUESTS = "requests"
OUTPUTS = "outputs"
INPUTS = "inputs"
STREAMS = "streams"
IMPORTED = "imported"
QUERIED = "queried"
WAYS = {
    REQUESTS: "with several requests at once",
    OUTPUTS: "into output tensors of the caller",
    INPUTS: "with new values in the input tensors of the inference before",
    STREAMS: "with several requests at once, in two streams",
    IMPORTED: "once it is exported and imported",
    QUERIED: "as query_model tells",
}
"""The ways, in words; each is the cause of what differs in it alone."""
AGAIN = "again"
CONTINUED = "continued"
PLACES = {
    **WAYS,
    AGAIN: "when the inferences run once more",
    CONTINUED: "where its states hold what the inference before left",
}
"""Where an output that differs comes from, in words. The last two are of one request, after the others: no way to
choose."""
STAGES = {way: f"infer ({way})" for way in PLACES}
"""The name of the step in which a way runs."""
_AT_ONCE = 4
_MARK = 0xA5  # what memory holds that the runtime is to write


class Compiled(NamedTuple):
    """A compiled model, what it was made from, and its first ``request``; ``places`` are the outputs asked for.

    ``kept`` holds input tensors: OpenVINO may read and write those of an inference in the next one.
    """

    core: Any
    model: Any
    device: str
    config: dict[str, str]
    executed: Any
    request: Any
    kept: list[Any]
    places: Sequence[int] = (0,)


Round = tuple[Sequence[Any], Sequence[Any]]
"""The input tensors of an inference, and tensors of the caller for its outputs: None where it has none."""


def outputs(
    way: str, compiled: Compiled, rounds: Sequence[Round]
) -> Iterator[list[Any] | None]:
    """The output tensors of each of ``rounds``, run in a way; None where it does not fit. Raises what the runtime
    raises, and RuntimeError."""
    if way == QUERIED:
        _query(compiled)
        return iter(())
    if way == IMPORTED:
        stream = BytesIO(compiled.executed.export_model().getvalue())
        executed = compiled.core.import_model(stream, compiled.device, compiled.config)
        return _one_by_one(compiled, executed.create_infer_request(), rounds)
    if way == OUTPUTS:
        return _one_by_one(compiled, compiled.executed.create_infer_request(), rounds)
    if way == INPUTS:
        return _rewritten(compiled, [inputs for inputs, _ in rounds])
    if way == AGAIN:
        return _one_by_one(compiled, compiled.request, rounds)
    if way == STREAMS:
        config = {**compiled.config, "NUM_STREAMS": "2"}
        executed = compiled.core.compile_model(compiled.model, compiled.device, config)
        compiled = compiled._replace(executed=executed)
    return _at_once(compiled, rounds)


def _one_by_one(
    compiled: Compiled, request: Any, rounds: Sequence[Round]
) -> Iterator[list[Any]]:
    for inputs, given in rounds:
        tensors = dict(zip(compiled.places, given, strict=False))
        tensors = {at: tensor for at, tensor in tensors.items() if tensor is not None}
        for place, tensor in tensors.items():
            request.set_output_tensor(place, tensor)
        # Inputs come last: the tensor of an output that is an input takes its place (docs/findings/given-output).
        begin(request, inputs)
        request.infer()
        yield [
            tensors[place] if place in tensors else request.get_output_tensor(place)
            for place in compiled.places
        ]


def _rewritten(
    compiled: Compiled, rounds: Sequence[Sequence[Any]]
) -> Iterator[list[Any] | None]:
    """Each round in tensors that the request has already, and that held other values in an inference before.

    These are those of another round of the same shapes; of a single round its own in another order.
    """
    request = compiled.executed.create_infer_request()
    for inputs in rounds:
        others = [
            other
            for other in rounds
            if [tensor.shape for tensor in other] == [tensor.shape for tensor in inputs]
        ]
        if any(each.element_type.to_string() == "string" for each in inputs):
            others = []
        values = [tensor.data.copy() for tensor in inputs if others]
        before = [[tensor.data for tensor in other] for other in others]
        if len(rounds) == 1:
            before = [[array[::-1] if array.ndim else array for array in values]]
        before = [other for other in before if _bytes(other) != _bytes(values)]
        if not before:
            yield None
            continue
        tensors = [type(each)(each.element_type, each.shape) for each in inputs]
        compiled.kept.append(tensors)
        _write(tensors, before[0])
        begin(request, tensors)
        request.infer()
        _write(tensors, values)
        begin(request, ())
        request.infer()
        yield [request.get_output_tensor(place) for place in compiled.places]


def _bytes(arrays: Sequence[Any]) -> list[bytes]:
    return [array.tobytes() for array in arrays]


def _write(tensors: Sequence[Any], arrays: Sequence[Any]) -> None:
    for tensor, array in zip(tensors, arrays, strict=True):
        if tensor.byte_size:
            tensor.data[...] = array


def _at_once(compiled: Compiled, rounds: Sequence[Round]) -> Iterator[list[Any]]:
    waiting = iter(rounds)
    while some := list(islice(waiting, _AT_ONCE)):
        requests = [compiled.executed.create_infer_request() for _ in some]
        for request, (inputs, _) in zip(requests, some, strict=True):
            begin(request, inputs)
            request.start_async()
        for request in requests:
            request.wait()
        for request in requests:
            yield [request.get_output_tensor(place) for place in compiled.places]


def begin(request: Any, inputs: Sequence[Any]) -> None:
    """Give a request its inputs; its states are as they are at first."""
    for state in request.query_state():
        state.reset()
    for place, tensor in enumerate(inputs):
        request.set_input_tensor(place, tensor)


def marked(openvino: Any, kind: str, shape: Sequence[int]) -> Any:
    """A tensor whose memory holds what no runtime writes; None for strings."""
    if kind == "string":
        return None
    tensor = openvino.Tensor(getattr(openvino.Type, kind), openvino.Shape(shape))
    if tensor.byte_size:
        tensor.data.reshape(-1).view("u1")[...] = _MARK
    return tensor


def _query(compiled: Compiled) -> None:
    """Raise RuntimeError if ``query_model`` leaves out a Gather of a model that runs as a whole."""
    supported = compiled.core.query_model(
        compiled.model, compiled.device, compiled.config
    )
    names = [
        node.get_friendly_name()
        for node in compiled.model.get_ops()
        if node.get_type_name().startswith("Gather")
    ]
    left_out = [name for name in names if name not in supported]
    if left_out:
        raise RuntimeError(
            f"query_model does not name {left_out[0]!r}, which the device runs"
        )
