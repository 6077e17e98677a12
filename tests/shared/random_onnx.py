"""Random ONNX models with Gather nodes in graphs, bodies and functions, and single mistakes that are made in them."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

import numpy
from onnx import (
    AttributeProto,
    ModelProto,
    NodeProto,
    TensorProto,
    helper,
    numpy_helper,
)

OPSETS = range(7, 24)
FLOAT, INT64, BOOL = TensorProto.FLOAT, TensorProto.INT64, TensorProto.BOOL
Shape = tuple[int, ...]


class _Scope:
    """A graph that grows: its nodes, its initializers, and the values that are known, with their shapes."""

    def __init__(self, build: _Build, values: list[tuple[str, Shape]]) -> None:
        self.build, self.random, self.opset = build, build.random, build.opset
        self.nodes: list[NodeProto] = []
        self.constants: list[TensorProto] = []
        self.values = values

    def constant(self, values: Any, dtype: str = "int64") -> str:
        name = self.build.name("c")
        array = numpy.array(values, dtype)
        if self.random.random() < 0.3:
            tensor = numpy_helper.from_array(array)
            self.nodes.append(helper.make_node("Constant", [], [name], value=tensor))
        else:
            self.constants.append(numpy_helper.from_array(array, name))
        return name

    def node(
        self,
        type: str,
        inputs: list[str],
        shape: Shape | None = None,
        **attributes: Any,
    ) -> str:
        """A node with one output; one of floats of a known shape may be used by those that come."""
        domain = attributes.pop("domain", "")
        name = self.build.name(type[:1].lower())
        made = helper.make_node(
            type, inputs, [name], self.build.name(type), domain=domain, **attributes
        )
        self.nodes.append(made)
        if shape is not None:
            self.values.append((name, shape))
        return name

    def axes(
        self,
        type: str,
        data: str,
        axes: list[int],
        shape: Shape,
        since: int,
        **attributes: Any,
    ) -> str:
        """A node whose axes are an attribute before the opset ``since``."""
        if self.opset < since:
            return self.node(type, [data], shape, axes=axes, **attributes)
        return self.node(type, [data, self.constant(axes)], shape, **attributes)

    def indices(self, limit: int, shape: Shape) -> str:
        low = 0 if self.opset < 11 else -limit
        array = [
            self.random.randrange(low, limit) for _ in range(int(numpy.prod(shape)))
        ]
        return self.constant(numpy.reshape(array, shape))

    def grow(self, depth: int) -> None:
        steps = [
            _gather,
            _gather,
            _gather,
            _shape_chain,
            _pointwise,
            _transpose,
            _squeezed,
            _reduced,
            _sliced,
            _matmul,
        ]
        steps += [_concat, _split]
        if self.opset >= 11:
            steps += [_elements, _tuples, _elements, _tuples]
        if depth < 2:
            steps += [_branches, _loop, _call]
        self.random.choice(steps)(self, *self.random.choice(self.values[-4:]), depth)


class _Build:
    def __init__(self, random: Random, opset: int) -> None:
        self.random, self.opset = random, opset
        self.functions: list[Any] = []
        self.count = 0

    def name(self, start: str) -> str:
        self.count += 1
        return f"{start}_{self.count}"


def random_model(seed: int) -> ModelProto:
    """A model that runs; an open dim of its input is called for a length that fits: ``d0_3``."""
    random = Random(seed)
    opset = OPSETS[seed % len(OPSETS)]
    build = _Build(random, opset)
    shape = tuple(random.randint(2, 5) for _ in range(random.randint(2, 4)))
    scope = _Scope(build, [("x", shape)])
    scope.grow(3)
    least = random.randint(3, 12)
    while len(scope.nodes) < least or not scope.values[1:]:
        scope.grow(0)
    is_open = random.random() < 0.3
    dims: list[Any] = (
        [f"d{index}_{length}" for index, length in enumerate(shape)]
        if is_open
        else list(shape)
    )
    read = {name for node in _all_nodes(scope.nodes) for name in node.input}
    outputs = [(name, out) for name, out in scope.values if name not in read]
    graph = helper.make_graph(
        scope.nodes,
        "random",
        [helper.make_tensor_value_info("x", FLOAT, dims)],
        [
            helper.make_tensor_value_info(name, FLOAT, [None] * len(out))
            for name, out in outputs
        ],
        scope.constants,
    )
    opsets = [helper.make_opsetid("", opset)]
    if build.functions:
        opsets.append(helper.make_opsetid("local", 1))
    return helper.make_model(
        graph, opset_imports=opsets, functions=build.functions, ir_version=8
    )


def _gather(scope: _Scope, name: str, shape: Shape, depth: int) -> None:
    if not shape or 0 in shape:
        return
    axis = scope.random.randrange(len(shape))
    taken = tuple(scope.random.randint(1, 3) for _ in range(scope.random.randint(0, 2)))
    indices = scope.indices(shape[axis], taken)
    out = (*shape[:axis], *taken, *shape[axis + 1 :])
    scope.node(
        "Gather", [name, indices], out, axis=axis - scope.random.choice([0, len(shape)])
    )


def _elements(scope: _Scope, name: str, shape: Shape, depth: int) -> None:
    if not shape:
        return
    axis = scope.random.randrange(len(shape))
    taken = (*shape[:axis], scope.random.randint(1, 4), *shape[axis + 1 :])
    scope.node(
        "GatherElements", [name, scope.indices(shape[axis], taken)], taken, axis=axis
    )


def _tuples(scope: _Scope, name: str, shape: Shape, depth: int) -> None:
    if not shape:
        return
    length = scope.random.randint(1, len(shape))
    count = scope.random.randint(1, 3)
    rows = [
        [scope.random.randrange(size) for size in shape[:length]] for _ in range(count)
    ]
    scope.node("GatherND", [name, scope.constant(rows)], (count, *shape[length:]))


def _shape_chain(scope: _Scope, name: str, shape: Shape, depth: int) -> None:
    """Shape, Gather of a dim, Concat, Reshape: as exporters flatten."""
    if not shape:
        return
    dims = scope.node("Shape", [name])
    one = scope.node("Gather", [dims, scope.constant(0)], axis=0)
    row = scope.axes("Unsqueeze", one, [0], (), 13)
    scope.values.pop()
    pattern = scope.node("Concat", [row, scope.constant([-1])], axis=0)
    scope.node("Reshape", [name, pattern], (shape[0], int(numpy.prod(shape[1:]))))


def _pointwise(scope: _Scope, name: str, shape: Shape, depth: int) -> None:
    scope.node(
        scope.random.choice(["Relu", "Sigmoid", "Abs", "Exp", "Identity"]),
        [name],
        shape,
    )


def _transpose(scope: _Scope, name: str, shape: Shape, depth: int) -> None:
    if not shape:
        return
    order = scope.random.sample(range(len(shape)), len(shape))
    scope.node("Transpose", [name], tuple(shape[axis] for axis in order), perm=order)


def _squeezed(scope: _Scope, name: str, shape: Shape, depth: int) -> None:
    if 1 in shape:
        axis = shape.index(1)
        scope.axes("Squeeze", name, [axis], (*shape[:axis], *shape[axis + 1 :]), 13)
    elif len(shape) < 6:
        scope.axes("Unsqueeze", name, [0], (1, *shape), 13)


def _reduced(scope: _Scope, name: str, shape: Shape, depth: int) -> None:
    if shape:
        scope.axes("ReduceMean", name, [0], (1, *shape[1:]), 18, keepdims=1)


def _sliced(scope: _Scope, name: str, shape: Shape, depth: int) -> None:
    if not shape:
        return
    if scope.opset < 10:
        scope.node("Slice", [name], (1, *shape[1:]), starts=[0], ends=[1], axes=[0])
    else:
        parts = [scope.constant([each]) for each in (0, 1, 0)]
        scope.node("Slice", [name, *parts], (1, *shape[1:]))


def _matmul(scope: _Scope, name: str, shape: Shape, depth: int) -> None:
    if len(shape) > 1:
        width = scope.random.randint(1, 4)
        weights = scope.constant(numpy.ones((shape[-1], width)), "float32")
        scope.node("MatMul", [name, weights], (*shape[:-1], width))


def _concat(scope: _Scope, name: str, shape: Shape, depth: int) -> None:
    if shape:
        axis = scope.random.randrange(len(shape))
        out = (*shape[:axis], 2 * shape[axis], *shape[axis + 1 :])
        scope.node("Concat", [name, name], out, axis=axis)


def _split(scope: _Scope, name: str, shape: Shape, depth: int) -> None:
    if not shape or shape[0] < 2:
        return
    names = [scope.build.name("s") for _ in range(2)]
    sizes = [1, shape[0] - 1]
    if scope.opset < 13:
        scope.nodes.append(
            helper.make_node("Split", [name], names, axis=0, split=sizes)
        )
    else:
        scope.nodes.append(
            helper.make_node("Split", [name, scope.constant(sizes)], names, axis=0)
        )
    scope.values.append((names[1], (sizes[1], *shape[1:])))


def _branches(scope: _Scope, name: str, shape: Shape, depth: int) -> None:
    if not shape:
        return
    bodies = {}
    axis = scope.random.randrange(len(shape))
    for branch in ("then_branch", "else_branch"):
        body = _Scope(scope.build, [(name, shape)])
        indices = body.indices(shape[axis], (2,))
        output = body.node("Gather", [name, indices], axis=axis)
        info = [helper.make_tensor_value_info(output, FLOAT, None)]
        bodies[branch] = helper.make_graph(body.nodes, branch, [], info, body.constants)
    condition = scope.constant(scope.random.random() < 0.5, "bool")
    scope.node("If", [condition], (*shape[:axis], 2, *shape[axis + 1 :]), **bodies)


def _loop(scope: _Scope, name: str, shape: Shape, depth: int) -> None:
    if not shape:
        return
    body = _Scope(scope.build, [])
    step, going, state = (scope.build.name(each) for each in ("step", "going", "state"))
    row = body.node("Gather", [name, body.constant(0)], axis=0)
    again = body.node("Identity", [going])
    kept = body.node("Identity", [state])
    inputs = [
        helper.make_tensor_value_info(step, INT64, []),
        helper.make_tensor_value_info(going, BOOL, []),
        helper.make_tensor_value_info(state, FLOAT, shape),
    ]
    outputs = [
        helper.make_tensor_value_info(again, BOOL, []),
        helper.make_tensor_value_info(kept, FLOAT, shape),
        helper.make_tensor_value_info(row, FLOAT, None),
    ]
    graph = helper.make_graph(body.nodes, "body", inputs, outputs, body.constants)
    last, rows = scope.build.name("last"), scope.build.name("rows")
    feeds = [scope.constant(3), scope.constant(True, "bool"), name]
    scope.nodes.append(
        helper.make_node(
            "Loop", feeds, [last, rows], scope.build.name("Loop"), body=graph
        )
    )
    scope.values.append((rows, (3, *shape[1:])))


def _call(scope: _Scope, name: str, shape: Shape, depth: int) -> None:
    """A function of the model: a Gather on an axis that the caller gives."""
    if not shape:
        return
    build = scope.build
    if not build.functions:
        gather = helper.make_node("Gather", ["data", "indices"], ["picked"], "gather")
        gather.attribute.append(
            AttributeProto(name="axis", ref_attr_name="axis", type=AttributeProto.INT)
        )
        nodes = [gather, helper.make_node("Identity", ["picked"], ["out"])]
        opsets = [helper.make_opsetid("", build.opset)]
        function = helper.make_function(
            "local", "Pick", ["data", "indices"], ["out"], nodes, opsets, ["axis"]
        )
        build.functions.append(function)
    axis = scope.random.randrange(len(shape))
    out = (*shape[:axis], 2, *shape[axis + 1 :])
    scope.node(
        "Pick", [name, scope.indices(shape[axis], (2,))], out, axis=axis, domain="local"
    )


# Mistakes -----------------------------------------------------------------------------------------------------------


def mistake(model: ModelProto, seed: int) -> tuple[str, ModelProto]:
    """What was done, and a copy of the model with a single mistake."""
    random = Random(seed)
    kinds = list(MISTAKES)
    random.shuffle(kinds)
    for kind in kinds:
        copy = ModelProto()
        copy.CopyFrom(model)
        if MISTAKES[kind](random, copy):
            return kind, copy
    raise AssertionError("no mistake fits")


def _nodes(model: ModelProto, *types: str) -> list[NodeProto]:
    """The nodes of some types, those of bodies included."""
    return [
        node
        for node in _all_nodes(model.graph.node)
        if not types or node.op_type in types
    ]


def _all_nodes(nodes: Any) -> Any:
    for node in nodes:
        yield node
        for attribute in node.attribute:
            if attribute.HasField("g"):
                yield from _all_nodes(attribute.g.node)


def _attribute(
    name: str, value: Any, *types: str
) -> Callable[[Random, ModelProto], bool]:
    def change(random: Random, model: ModelProto) -> bool:
        nodes = _nodes(model, *types)
        if not nodes:
            return False
        node = random.choice(nodes)
        kept = [each for each in node.attribute if each.name != name]
        del node.attribute[:]
        node.attribute.extend([*kept, helper.make_attribute(name, value)])
        return True

    return change


def _edit(
    change: Callable[[Random, NodeProto], object], *types: str
) -> Callable[[Random, ModelProto], bool]:
    def apply(random: Random, model: ModelProto) -> bool:
        nodes = [node for node in _nodes(model, *types) if node.input]
        return bool(nodes) and change(random, random.choice(nodes)) is not False

    return apply


def _set_type(name: str) -> Callable[[Random, NodeProto], object]:
    return lambda random, node: setattr(node, "op_type", name)


def _rename_input(random: Random, node: NodeProto) -> None:
    node.input[random.randrange(len(node.input))] = "nowhere"


def _domain(random: Random, node: NodeProto) -> None:
    node.domain = "com.example"


def _leave_out(random: Random, node: NodeProto) -> bool:
    del node.input[-1]
    return True


def _swap(random: Random, node: NodeProto) -> bool:
    if len(node.input) < 2:
        return False
    node.input[0], node.input[1] = node.input[1], node.input[0]
    return True


def _constants(model: ModelProto) -> list[TensorProto]:
    found = list(model.graph.initializer)
    found += [
        each.t
        for node in _nodes(model, "Constant")
        for each in node.attribute
        if each.name == "value"
    ]
    return found


def _constant_edit(
    change: Callable[[Random, TensorProto], bool],
) -> Callable[[Random, ModelProto], bool]:
    def apply(random: Random, model: ModelProto) -> bool:
        tensors = _constants(model)
        return bool(tensors) and change(random, random.choice(tensors))

    return apply


def _numbers(
    change: Callable[[Any], Any], kind: str = "int64"
) -> Callable[[Random, ModelProto], bool]:
    def apply(random: Random, tensor: TensorProto) -> bool:
        array = numpy_helper.to_array(tensor)
        if array.dtype.name != kind or not array.size:
            return False
        tensor.CopyFrom(numpy_helper.from_array(change(array.copy()), tensor.name))
        return True

    return _constant_edit(apply)


def _last(array: Any, value: int) -> Any:
    array.reshape(-1)[-1] = value
    return array


def _cut_values(random: Random, tensor: TensorProto) -> bool:
    tensor.raw_data = tensor.raw_data[:-1]
    return True


def _first_input(
    change: Callable[[Any], object],
) -> Callable[[Random, ModelProto], bool]:
    def apply(random: Random, model: ModelProto) -> bool:
        return change(model.graph.input[0].type.tensor_type) is not False

    return apply


def _input_dims(tensor_type: Any) -> None:
    del tensor_type.shape.dim[-1:]


def _input_length(tensor_type: Any) -> None:
    tensor_type.shape.dim[0].dim_value = 7


def _input_kind(kind: int) -> Callable[[Any], object]:
    return lambda tensor_type: setattr(tensor_type, "elem_type", kind)


def _reversed(random: Random, model: ModelProto) -> bool:
    if len(model.graph.node) < 3:
        return False
    nodes = list(model.graph.node)[::-1]
    del model.graph.node[:]
    model.graph.node.extend(nodes)
    return True


def _output(random: Random, model: ModelProto) -> bool:
    model.graph.output[0].name = "nowhere"
    return True


def _twice(random: Random, model: ModelProto) -> bool:
    nodes = [node for node in model.graph.node if node.op_type != "Constant"]
    if len(nodes) < 2:
        return False
    nodes[-1].output[0] = nodes[0].output[0]
    return True


def _opset(version: int) -> Callable[[Random, ModelProto], bool]:
    def apply(random: Random, model: ModelProto) -> bool:
        model.opset_import[0].version = version
        return True

    return apply


def _no_opset(random: Random, model: ModelProto) -> bool:
    del model.opset_import[:1]
    return True


def _no_function(random: Random, model: ModelProto) -> bool:
    had = bool(model.functions)
    del model.functions[:]
    return had


def _no_constant(random: Random, model: ModelProto) -> bool:
    if not model.graph.initializer:
        return False
    del model.graph.initializer[random.randrange(len(model.graph.initializer))]
    return True


def _scalar(array: Any) -> Any:
    return array.reshape(-1)[0]


MISTAKES: dict[str, Callable[[Random, ModelProto], bool]] = {
    "gather axis": _attribute("axis", 9, "Gather"),
    "elements axis": _attribute("axis", -7, "GatherElements"),
    "batch dims": _attribute("batch_dims", 3, "GatherND"),
    "concat axis": _attribute("axis", 8, "Concat"),
    "perm": _attribute("perm", [0, 0], "Transpose"),
    "unknown attribute": _attribute(
        "axsi", 1, "Gather", "Transpose", "Concat", "Reshape"
    ),
    "attribute type": _attribute("axis", 1.5, "Gather", "Concat", "GatherElements"),
    "axes": _attribute("axes", [11], "ReduceMean", "Unsqueeze", "Squeeze"),
    "input name": _edit(_rename_input),
    "domain": _edit(_domain, "Gather", "MatMul", "Relu", "GatherND", "Concat"),
    "input missing": _edit(
        _leave_out, "Gather", "GatherElements", "MatMul", "Reshape", "Unsqueeze"
    ),
    "inputs swapped": _edit(
        _swap, "Gather", "GatherElements", "GatherND", "MatMul", "Reshape"
    ),
    "typo": _edit(_set_type("Gathr"), "Gather"),
    "elements for gather": _edit(_set_type("GatherElements"), "Gather"),
    "tuples for gather": _edit(_set_type("GatherND"), "Gather"),
    "training operation": _edit(
        _set_type("SoftmaxCrossEntropyLoss"), "Relu", "Exp", "Abs", "Identity"
    ),
    "sequence operation": _edit(
        _set_type("SequenceLength"), "Relu", "Exp", "Abs", "Identity"
    ),
    "string operation": _edit(
        _set_type("StringNormalizer"), "Relu", "Exp", "Abs", "Sigmoid"
    ),
    "index out of range": _numbers(lambda array: _last(array, 77)),
    "index beyond 32 bits": _numbers(lambda array: _last(array, 1 << 33)),
    "indices int8": _numbers(lambda array: array.astype("int8")),
    "indices float": _numbers(lambda array: array.astype("float32")),
    "indices scalar": _numbers(_scalar),
    "values cut": _constant_edit(_cut_values),
    "weights double": _numbers(lambda array: array.astype("float64"), "float32"),
    "weights short": _numbers(lambda array: array[:-1], "float32"),
    "constant gone": _no_constant,
    "input rank": _first_input(_input_dims),
    "input length": _first_input(_input_length),
    "input complex": _first_input(_input_kind(TensorProto.COMPLEX64)),
    "input text": _first_input(_input_kind(TensorProto.STRING)),
    "input double": _first_input(_input_kind(TensorProto.DOUBLE)),
    "input int64": _first_input(_input_kind(TensorProto.INT64)),
    "order": _reversed,
    "output name": _output,
    "output twice": _twice,
    "opset 6": _opset(6),
    "opset 10": _opset(10),
    "opset 13": _opset(13),
    "opset 99": _opset(99),
    "no opset": _no_opset,
    "no function": _no_function,
}
