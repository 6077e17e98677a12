"""What stands in a model of OpenVINO: its bodies, its states, the kernels that it became."""

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from ovgather.runtimes import wire

_CONVERTED = ".0"
_KERNEL_FACTS = (
    "originalLayersNames",
    "layerType",
    "primitiveType",
    "outputPrecisions",
    "outputLayouts",
)
_NO_KERNEL = {"Gather": "in_place", "Const": "folded"}
"""What becomes of a layer that runs no kernel: its output is a part of its data, or a constant."""


def kernels(model: Any, compiled: Any) -> wire.Header:
    """By the name of each Gather of the top graph: type, name, precision, layout and further layers of its kernel.

    Empty where the device does not tell; a layer that is renamed by a transformation is in no kernel.
    """
    names = {
        node.get_friendly_name()
        for node in model.get_ops()
        if node.get_type_name().startswith("Gather")
    }
    kernels: wire.Header = {}
    for node in executed(compiled):
        texts = [_fact(node.get_rt_info(), key) for key in _KERNEL_FACTS]
        layers = texts.pop(0).split(",")
        texts[1] = texts[1].replace("unknown", _NO_KERNEL.get(texts[0], "unknown"))
        for layer in layers:
            # A layer between conversions of its types has another name.
            name = layer.removesuffix(_CONVERTED)
            is_gather = texts[0].startswith("Gather")
            if name in names and (is_gather or name not in kernels):
                kernels[name] = [*texts, [other for other in layers if other != layer]]
    return kernels


def executed(compiled: Any) -> list[Any]:
    """The nodes that a compiled model consists of; none where the device does not tell."""
    try:
        return list(compiled.get_runtime_model().get_ops())
    except (AttributeError, RuntimeError):
        return []


def _fact(facts: Any, key: str) -> str:
    if key in facts:
        return str(getattr(facts[key], "value", facts[key]))
    return ""


def output_shapes(model: Any, path: Sequence[str] = ()) -> Iterator[list[Any]]:
    """Path of bodies, name and shapes of every layer."""
    for node in model.get_ops():
        name = node.get_friendly_name()
        yield [
            path,
            name,
            [str(output.get_partial_shape()) for output in node.outputs()],
        ]
        for kind, body in _bodies(node).items():
            yield from output_shapes(body, [*path, name, kind])


def _bodies(node: Any) -> dict[str, Any]:
    if hasattr(node, "get_then_body"):
        return {"then_body": node.get_then_body(), "else_body": node.get_else_body()}
    if hasattr(node, "get_function"):
        return {"body": node.get_function()}
    return {}


def brought_out(
    openvino: Any, model: Any, path: Sequence[str], name: str, output: int
) -> list[Any]:
    """Outputs of the top graph: the values of a layer of a body, with a leading dim for each body, and their shapes.

    A Loop and a TensorIterator concatenate the values of all iterations. Those are garbage unless all have one shape,
    so that the shapes come out as well. Of an If there is one value, or none where the other branch runs.
    """
    node = _named(model, path[0] if path else name)
    if not path:
        return [node.output(output)]
    bodies = _bodies(node)
    opset = openvino.opset8
    body = bodies.pop(path[1])
    values = brought_out(openvino, body, path[2:], name, output)
    if path[1] == "body":
        values.append(opset.shape_of(values[0]).output(0))
    outside = []
    for value in values:
        longer = opset.unsqueeze(value, opset.constant(0))
        result = opset.result(longer)
        body.add_results([result])
        if path[1] == "body":
            outside.append(
                node.get_concatenated_slices(result.output(0), 0, 1, 1, -1, 0)
            )
            continue
        rank = longer.get_output_partial_shape(0).rank
        if rank.is_dynamic:
            raise ValueError(
                f"the rank of {name!r} is dynamic, and no other branch can give as much"
            )
        empty = openvino.Tensor(
            value.get_element_type(), openvino.Shape([0] * rank.get_length())
        )
        other = opset.result(openvino.op.Constant(empty))
        next(iter(bodies.values())).add_results([other])
        outside.append(
            node.set_output(
                *((result, other) if path[1] == "then_body" else (other, result))
            )
        )
    return outside


def differ(shapes: Any) -> bool:
    """Whether the rows of what ``_brought_out`` gives as shapes are not all the same."""
    rows = shapes.reshape(-1, shapes.shape[-1])
    return bool((rows != rows[:1]).any())


def _named(model: Any, name: str) -> Any:
    nodes = [node for node in model.get_ops() if node.get_friendly_name() == name]
    if len(nodes) != 1:
        raise ValueError(f"OpenVINO has {len(nodes)} layers of the name {name!r}")
    return nodes[0]


class Assigned(NamedTuple):
    """What is assigned to a state: the place of a Result that has it, and the type of the kernel that gives it."""

    place: int
    kernel: str

    @property
    def is_input(self) -> bool:
        return self.kernel == "Input"

    @property
    def may_be_rounded(self) -> bool:
        """Whether it is the cache of an attention, which may hold fewer bits, or the device does not tell."""
        return self.kernel in ("", "ScaledDotProductAttention")


def assigned(model: Any, compiled: Any) -> dict[str, Assigned]:
    """What is assigned to the states, by their names, where a Result has it."""
    sources = [result.input_value(0) for result in model.get_results()]
    kernels = {
        node.get_friendly_name(): _fact(
            node.input_value(0).get_node().get_rt_info(), "layerType"
        )
        for node in executed(compiled)
        if _fact(node.get_rt_info(), "layerType") == "MemoryOutput"
    }
    return {
        sink.get_variable_id(): Assigned(
            sources.index(sink.input_value(0)),
            kernels.get(sink.get_friendly_name(), ""),
        )
        for sink in model.get_sinks()
        if sink.get_type_name() == "Assign" and sink.input_value(0) in sources
    }
