"""Models with a Loop or a TensorIterator: of one input, or around a recurrent cell."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from bodies_oracle import End, Net, back_edge, entry, inside

_GATES = {"LSTMCell": 4, "GRUCell": 3, "RNNCell": 1}
Make = Callable[[Net, Sequence[End]], Sequence[End]]


def add(net: Net, ends: Sequence[End]) -> list[End]:
    return [net.add("Add", [ends[0], ends[0]])]


def doubled(net: Net, ends: Sequence[End]) -> list[End]:
    return [net.add("Concat", [ends[0], ends[0]], {"axis": 0})]


def same(net: Net, ends: Sequence[End]) -> Sequence[End]:
    return ends


def first(net: Net, ends: Sequence[End]) -> Sequence[End]:
    return ends[:1]


def last(net: Net, ends: Sequence[End]) -> Sequence[End]:
    return ends[-1:]


def known(net: Net, value: int | None, type: str = "i64") -> End:
    return net.parameter("", type) if value is None else net.const("", type, [value])


def loop(
    shape: str,
    make: Make = add,
    declared: str = "...",
    count: int | None = 5,
    condition: int | None = 1,
    merged: bool = False,
    into: dict[str, int] | None = None,
    out: dict[str, int] | None = None,
    goes_on: int | None = 1,
    more: Sequence[str] = (),
    measured: bool = False,
) -> Net:
    """A model with a Loop of one input, which is the shape of a Parameter if it is ``measured``."""
    net = Net()
    data = net.parameter(shape)
    if measured:
        data = net.add("ShapeOf", [data], opset=1)
    body = Net(net.weights)
    parameter = body.parameter(declared)
    result = body.result(make(body, [parameter])[0])
    ends = body.result(known(body, goes_on, "boolean"))
    entries = [
        entry("input", 2, parameter[0], **(into or {})),
        entry("output", 3, result, **(out or {})),
    ]
    entries += [entry("output", -1, ends, purpose="execution_condition"), *more]
    inputs = [known(net, count), known(net, condition, "boolean"), data]
    text = inside(body, entries, [back_edge(result, parameter[0])] if merged else [])
    net.result(net.add("Loop", inputs, opset=5, inside=text, name="loop"))
    return net


def iterator(
    shape: str,
    make: Make = same,
    into: dict[str, int] | None = None,
    out: dict[str, int] | None = None,
    type: str = "f32",
) -> Net:
    """A model with a TensorIterator of one input."""
    net = Net()
    data = net.parameter(shape, type)
    body = Net(net.weights)
    parameter = body.parameter("...", type)
    result = body.result(make(body, [parameter])[0])
    entries = [
        entry("input", 0, parameter[0], **(into or {})),
        entry("output", 1, result, **(out or {})),
    ]
    net.result(
        net.add("TensorIterator", [data], inside=inside(body, entries), name="loop")
    )
    return net


def of_cell(
    type: str = "GRUCell",
    opset: int = 3,
    axis: int = 1,
    relu: str = "",
    joined: bool = True,
    is_reshape: bool = False,
    data: str = "2,6,3",
    declared: str = "",
    **slices: int,
) -> Net:
    """A model with a TensorIterator around a cell, whose input is cut, usually with a stride of 0.

    ``relu``: a ReLU in front of the cell, of its weights or of its output. ``joined``: the output is joined.
    ``declared``: what the Parameter says that is cut outside.
    """

    def with_relu(place: str, end: tuple[int, int]) -> tuple[int, int]:
        return body.add("ReLU", [end]) if relu == place else end

    def reshaped(type: str, end: tuple[int, int], dims: list[int]) -> tuple[int, int]:
        if is_reshape:
            pattern = body.const(str(len(dims)), "i64", dims)
            return body.add("Reshape", [end, pattern], {"special_zero": False})
        return body.add(type, [end, body.const("1", "i64", [axis])])

    net = Net()
    count = 2 if type == "LSTMCell" else 1
    inputs = [net.parameter(data)] + [net.parameter("2,4") for _ in range(count)]
    body = Net(net.weights)
    slice = body.parameter(declared or ("2,1,3" if axis else "1,2,3"))
    states = [body.parameter("2,4") for _ in range(count)]
    gates = 4 * _GATES[type]
    weights = [
        body.const(f"{gates},3", "f32", [0.5] * gates * 3),
        body.const(f"{gates},4", "f32", [0.5] * gates * 4),
        body.const(f"{gates}", "f32", [0.5] * gates),
    ]
    weights[0] = with_relu("weights", weights[0])
    row = with_relu("data", reshaped("Squeeze", slice, [2, 3]))
    cell = body.add(
        type, [row, *states, *weights], {"hidden_size": 4}, outputs=count, opset=opset
    )
    dims = [2, 1, 4] if axis else [1, 2, 4]
    output = reshaped("Unsqueeze", with_relu("output", cell), dims)
    results = [body.result((cell[0], cell[1] + place)) for place in range(count)]
    entries = [entry("input", 0, slice[0], axis=axis, **(slices or {"stride": 0}))]
    entries += [
        entry("input", place + 1, state[0]) for place, state in enumerate(states)
    ]
    entries += [entry("output", 10 + place, id) for place, id in enumerate(results)]
    along = {"axis": axis} if joined else {}
    entries.append(entry("output", 20, body.result(output), **along))
    edges = [
        back_edge(result, state[0])
        for result, state in zip(results, states, strict=True)
    ]
    text = inside(body, entries, edges)
    end = net.add("TensorIterator", inputs, outputs=count + 1, inside=text, name="loop")
    for place in range(count + 1):
        net.result((end[0], end[1] + place))
    return net
