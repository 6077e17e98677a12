"""Whether ONNX Runtime loads a model: by onnx's checker and inference, which it has as well, of the model as it reads
it, and by rules of its own."""

from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any, NamedTuple

from ovgather.onnx_file import kernels
from ovgather.onnx_file.graphs import (
    OnnxGraph,
    graphs,
    names_of,
    ordered_places,
    tensors_in,
    without_shape,
)
from ovgather.tensor.onnx_types import NUMBERS

DOMAINS = frozenset(
    {
        "ai.onnx.ml",
        "ai.onnx.preview.training",
        "ai.onnx.training",
        "com.microsoft",
        "com.microsoft.nchwc",
        "com.ms.internal.nhwc",
    }
)
"""The domains beside that of onnx whose operations ONNX Runtime may have; a model need not import them."""
_LONGEST = 300
_ANY_CONSTANT = 9  # the first opset whose Constant holds other than real numbers
_REAL = ("double", "float", "float16")
_OWN_INITIALIZERS = 4  # the first ir_version whose initializers need not be inputs
_ALIAS = "ai.onnx"
_OF_ITS_OWN = {
    "GroupNormalization": range(18, 21),
    "LayerNormalization": range(1, 17),
    "MeanVarianceNormalization": range(9, 1 << 16),
    "ThresholdedRelu": range(1, 10),
}
"""The opsets in which ONNX Runtime runs what onnx deprecates, does not have, or fails to infer; the output is like the
input."""


def typed_graphs(model: Any) -> list[OnnxGraph]:
    """The graphs of a model but for those of functions, which declare no values."""
    return [graph for graph in graphs(model) if not graph.is_function]


def objection(check: Callable[[], object]) -> str | None:
    """What ``check`` raises, on one line."""
    try:
        check()
    except Exception as error:  # of onnx: several classes without a common one
        return " ".join(str(error).split())[:_LONGEST] or type(error).__name__
    return None


class Opinions(NamedTuple):
    """What onnx's checker says against a model, what its strict inference does, and why ONNX Runtime does not load
    it."""

    invalid: str | None
    misfit: str | None
    refusal: str | None


def opinions(model: Any) -> Opinions:
    invalid = _invalid(model)
    misfit, typed = _strictly_inferred(model)
    refusal = _form_refusal(model)
    if refusal is not None:
        return Opinions(invalid, misfit, refusal)
    if invalid is not None or typed is None or _is_read_otherwise(model):
        refusal, typed = _refusal(model)
    if typed is not None:
        refusal = next(kernels.lacking(typed), None)
    return Opinions(invalid, misfit, refusal)


def _invalid(model: Any) -> str | None:
    from onnx import checker

    return objection(lambda: checker.check_model(model))


def _strictly_inferred(model: Any) -> tuple[str | None, Any]:
    """What onnx's inference says against the model, or None and the model with its types."""
    from onnx import shape_inference

    inferred: list[Any] = []
    said = objection(
        lambda: inferred.append(
            shape_inference.infer_shapes(model, check_type=True, strict_mode=True)
        )
    )
    return said, next(iter(inferred), None)


def _is_read_otherwise(model: Any) -> bool:
    """Whether ONNX Runtime reads more into a model than onnx, which may accept it: functions, a second opset, or one
    output twice."""
    own = [item for item in model.opset_import if item.domain in ("", _ALIAS)]
    outputs = {item.name for item in model.graph.output}
    is_twice = len(outputs) < len(model.graph.output)
    return bool(model.functions) or len(own) > 1 or is_twice


def _form_refusal(model: Any) -> str | None:
    """Why ONNX Runtime does not load a model whatever onnx says of it: its names, element types and functions."""
    return next(_form_refusals(model), None)


def _form_refusals(model: Any) -> Iterator[str]:
    last = _last_opsets()
    for imports in (model, *model.functions):
        for item in imports.opset_import:
            domain = "" if item.domain == _ALIAS else item.domain
            if domain in last and item.version > last[domain]:
                title = f"opset {item.version} {domain and f'of {domain} '}"
                yield f"{title}is newer than {last[domain]}"
    for item in model.graph.output:
        type = item.type
        if type.HasField("tensor_type") and not type.tensor_type.elem_type:
            yield f"the output {item.name!r} has no element type"
    for graph in typed_graphs(model):
        nodes = [node for node in graph.proto.node if node.op_type != "Constant"]
        for name, count in Counter(node.name for node in nodes).items():
            if name and count > 1:
                yield f"{count} nodes are called {name!r}"
        tensors = [*graph.proto.initializer]
        for node in graph.proto.node:
            if node.op_type == "Constant":
                tensors += tensors_in(node)
        for tensor in tensors:
            if tensor.data_type not in NUMBERS:
                yield f"the constant {tensor.name!r} has the unknown element type {tensor.data_type}"
    if model.functions:
        yield from _function_refusals(model)


@cache
def _last_opsets() -> dict[str, int]:
    """Of each domain that ONNX Runtime has."""
    from onnx import defs

    last = dict.fromkeys(DOMAINS, 1)
    for schema in defs.get_all_schemas():
        if schema.domain in DOMAINS:
            last[schema.domain] = max(last[schema.domain], schema.since_version)
    return {**last, "": defs.onnx_opset_version()}


def _function_refusals(model: Any) -> Iterator[str]:
    from onnx import defs

    functions = {(each.domain, each.name): each for each in model.functions}
    called = set()
    for graph in graphs(model):
        imports = graph.proto.opset_import if graph.is_function else model.opset_import
        known = {item.domain for item in imports}
        for node in graph.proto.node:
            function = functions.get((node.domain, node.op_type))
            if graph.is_function and node.domain not in known:
                yield f"the function {graph.proto.name!r} imports no opset of the domain {node.domain!r}"
            if function is None:
                continue
            called.add((node.domain, node.op_type))
            if not graph.is_function and node.domain not in known:
                yield f"the domain {node.domain!r} of a function is not imported"
            for ports in ("input", "output"):
                given, taken = len(getattr(node, ports)), len(getattr(function, ports))
                if given > taken:
                    yield f"a call of {function.name!r} has {given} {ports}s, the function {taken}"
    for key in called:
        function = functions[key]
        made = {name for node in function.node for name in node.output}
        for name in {*function.output} - made:
            yield f"the function {function.name!r} gives {name!r}, which no node of it computes"
        for node in function.node:
            yield from _constant_refusals(function, node)
        if not function.domain and not defs.has(function.name):
            yield f"the function {function.name!r} is in the domain of onnx, which has none of this name"


def _constant_refusals(function: Any, node: Any) -> Iterator[str]:
    """In a function of an old opset a Constant holds real numbers, as onnx says."""
    opsets = [item.version for item in function.opset_import if not item.domain]
    if node.op_type != "Constant" or not opsets or opsets[0] >= _ANY_CONSTANT:
        return
    for tensor in tensors_in(node):
        name = NUMBERS.get(tensor.data_type, "")
        if name not in _REAL:
            yield f"the function {function.name!r} has a Constant of {name} in opset {opsets[0]}"


def _refusal(model: Any) -> tuple[str | None, Any]:
    """What onnx says of the model as ONNX Runtime reads it, and then of one that declares no shape of an output of a
    node; or None and the model with its types."""
    bare = type(model)()
    bare.CopyFrom(_inlined(model))
    main = bare.graph
    main.name = main.name or "graph"
    del bare.metadata_props[:]
    places = ordered_places(main.node)
    if places is not None and places != sorted(places):
        _replace(main.node, [main.node[place] for place in places])
    _import_opsets(bare)
    typed = typed_graphs(bare)
    for graph in typed:
        _read_nodes(graph.proto, graph.opset or 1)
    # Of two outputs with one name the first counts.
    first = {item.name: item for item in reversed(main.output)}
    _keep(
        main.output, [each for each in first.values() if each.type.WhichOneof("value")]
    )
    open_inputs = without_shape(main.input)
    for item in (*open_inputs, *without_shape(main.output)):
        item.type.tensor_type.shape.SetInParent()
    too_old = _unlisted(bare)
    _list_initializers(bare)
    for graph in typed:
        _hold_constants(graph.proto, graph.outer is None)
    said = too_old or _invalid(bare)
    if said is not None:
        return said, None
    for graph in typed:
        _forget(graph.proto)
    for item in open_inputs:
        item.type.tensor_type.ClearField("shape")
    for item in main.input:
        for dim in item.type.tensor_type.shape.dim:
            if dim.dim_value < 0:  # any length
                dim.Clear()
    return _strictly_inferred(bare)


def _keep(field: Any, items: list[Any]) -> None:
    """Make ``items``, which a repeated field has, all that it has."""
    if len(items) < len(field):
        _replace(field, items)


def _replace(field: Any, items: list[Any]) -> None:
    copies = [type(item)() for item in items]
    for copy, item in zip(copies, items, strict=True):
        copy.CopyFrom(item)
    del field[:]
    field.extend(copies)


def _inlined(model: Any) -> Any:
    """The model with the nodes of functions in the place of their calls, as ONNX Runtime makes it."""
    if not model.functions:
        return model
    from onnx import inliner

    try:
        return inliner.inline_local_functions(model, convert_version=True)
    except Exception:  # of onnx, without a common class
        return model


def _import_opsets(model: Any) -> None:
    """Of two opsets of the domain of onnx ONNX Runtime takes the last, without one the newest; others are there."""
    from onnx import defs

    imports = {item.domain: item.version for item in model.opset_import}
    own = [item.version for item in model.opset_import if item.domain in ("", _ALIAS)]
    if model.opset_import:
        imports[""] = own[-1] if own else defs.onnx_opset_version()
        del model.opset_import[:]
    imports.pop(_ALIAS, None)
    for domain, version in {**dict.fromkeys(DOMAINS, 1), **imports}.items():
        model.opset_import.add(domain=domain, version=version)


def _read_nodes(graph: Any, opset: int) -> None:
    for node in graph.node:
        if node.domain == _ALIAS:
            node.domain = ""
        opsets = _OF_ITS_OWN.get(node.op_type, ())
        if opset in opsets and not node.domain and node.input and node.output:
            node.op_type = "Identity"
            del node.attribute[:], node.input[1:], node.output[1:]


def _unlisted(model: Any) -> str | None:
    """What is wrong with an initializer of a body in an old file: it must be an input of it."""
    if not model.HasField("ir_version") or model.ir_version >= _OWN_INITIALIZERS:
        return None
    model.ir_version = _OWN_INITIALIZERS
    for graph in graphs(model):
        if graph.outer is None or graph.is_function:
            continue
        listed = {item.name for item in graph.proto.input}
        for tensor in graph.proto.initializer:
            if tensor.name not in listed:
                return f"{tensor.name} in initializer but not in graph input"
    return None


def _list_initializers(model: Any) -> None:
    """Of two initializers with one name ONNX Runtime takes one, which may be an input twice; nothing reads its values
    where no node does, and of values in two fields it reads the bytes."""
    from onnx import helper

    graph = model.graph
    read = names_of(graph)
    read.add("")  # which is refused
    held = {tensor.name: tensor for tensor in graph.initializer if tensor.name in read}
    for sparse in graph.sparse_initializer:  # onnx's inference misreads their dims
        value = sparse.values
        graph.input.append(
            helper.make_tensor_value_info(value.name, value.data_type, sparse.dims)
        )
    del graph.sparse_initializer[:]
    _keep(graph.initializer, [*held.values()])
    listed = {item.name: item for item in graph.input if item.name in held}
    others = [item for item in graph.input if item.name not in held]
    _keep(graph.input, [*others, *listed.values()])
    unread = [
        node
        for node in graph.node
        if node.op_type == "Constant" and read.isdisjoint(node.output)
    ]
    for node in unread:
        graph.node.remove(node)


def _hold_constants(graph: Any, is_main: bool) -> None:
    """Constants become initializers, which old opsets limit less, whatever is declared of them; in the main graph two
    may have one name."""
    names = set()
    for node in [each for each in graph.node if each.op_type == "Constant"]:
        tensor = _held(node)
        if tensor is not None and len(node.output) == 1 and not node.input:
            tensor.name = node.output[0]
            if not is_main or tensor.name not in names:
                graph.initializer.append(tensor)
            names.add(tensor.name)
            graph.node.remove(node)
    for tensor in graph.initializer:
        if tensor.raw_data:
            for field in ("float_data", "int32_data", "int64_data", "double_data"):
                tensor.ClearField(field)
    _keep(
        graph.value_info, [item for item in graph.value_info if item.name not in names]
    )


def _held(node: Any) -> Any:
    """The tensor of a Constant: ONNX Runtime reads its first attribute, whatever it is called."""
    from onnx import AttributeProto, TensorProto, helper

    attribute = next(iter(node.attribute), AttributeProto())
    if attribute.type == AttributeProto.TENSOR:
        tensor = TensorProto()
        tensor.CopyFrom(attribute.t)
        return tensor
    kinds = {
        AttributeProto.INT: (TensorProto.INT64, "i"),
        AttributeProto.INTS: (TensorProto.INT64, "ints"),
        AttributeProto.FLOAT: (TensorProto.FLOAT, "f"),
        AttributeProto.FLOATS: (TensorProto.FLOAT, "floats"),
        AttributeProto.STRING: (TensorProto.STRING, "s"),
        AttributeProto.STRINGS: (TensorProto.STRING, "strings"),
    }
    if attribute.type not in kinds or attribute.ref_attr_name:
        return None
    kind, field = kinds[attribute.type]
    values = getattr(attribute, field)
    if isinstance(values, (int, float, bytes)):
        return helper.make_tensor("", kind, [], [values])
    return helper.make_tensor("", kind, [len(values)], list(values))


def _forget(graph: Any) -> None:
    """Drop the shapes that are declared of the outputs of nodes."""
    for item in (*graph.value_info, *graph.output):
        if item.type.HasField("tensor_type"):
            item.type.tensor_type.ClearField("shape")
