"""``openvino.Model`` -> Model: the text of a file, made of the objects, and the constants where they lie in memory.

No file is written, and nothing of a constant is copied. The ``.bin`` is one that is read part by part: each Const has a
range of its own in it, behind those before it. OpenVINO lets Python see that a layer has a runtime attribute, but not
its value: of these the text has the layouts of inputs and outputs, and the attributes that have no value.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Any

from ovgather.ir.constants import Weights
from ovgather.ir.edit.edits import Held
from ovgather.ir.elements import BODIES
from ovgather.ir.model import Model
from ovgather.ir.read import read_held
from ovgather.ir.writer import quote
from ovgather.tensor.element_type import find
from ovgather.tensor.shape import Dimension, PartialShape

_TYPES = {"Constant": "Const", "PRelu": "PReLU", "Relu": "ReLU", "Softmax": "SoftMax"}
"""Types that are called otherwise in a file."""
_PADDED = ("same_upper", "same_lower", "valid")
"""Values of ``auto_pad`` from which the padding follows: a file has zeros."""
_SLICED = ("start", "end", "stride", "part_size")
_ELEMENT = re.compile(r"[A-Za-z_][\w.-]*")
_MARKS = ("decompression_0", "precise_0")
"""Runtime attributes that have no value, and that change what a runtime computes."""
_DISTINCT = 1 << 12  # texts that stand in many layers
_ANY_LAYOUT = "[...]"


def model_of(source: Any, path: str) -> Model:
    """The model of an ``openvino.Model``, which messages call ``path``."""
    held = _HeldConstants()
    text = _Text(held).net(source).encode("utf-8", "surrogateescape")
    model = read_held(Held(text, path), Weights(part=held.part, size=held.size))
    model.has_lines = False
    shapes = _symbolic_shapes(source.get_parameters())
    model.symbols = {model.graph.offsets[row]: shape for row, shape in shapes.items()}
    return model


def _symbolic_shapes(parameters: Iterable[Any]) -> dict[int, PartialShape]:
    """The shapes of Parameters in which dims have symbols; these have no names in OpenVINO: here ``s0``, ``s1``."""
    symbols: list[Any] = []
    shapes: dict[int, PartialShape] = {}
    for row, parameter in enumerate(parameters):
        shape = parameter.get_partial_shape()
        if shape.rank.is_dynamic:
            dims = []
        else:
            dims = [*shape]
        names: list[str | None] = []
        for dim in dims:
            if dim.is_static or not dim.has_symbol():
                names.append(None)
                continue
            symbol = dim.get_symbol()
            if symbol not in symbols:
                symbols.append(symbol)
            names.append(f"s{symbols.index(symbol)}")
        if any(names):
            known = PartialShape.of(shape)
            pairs = zip(known, names, strict=True)
            shapes[row] = PartialShape(
                tuple([Dimension(dim.min, dim.max, symbol=name) for dim, name in pairs])
            )
    return shapes


class _HeldConstants:
    """The bytes of constants, and the offset of each in a ``.bin`` that exists in memory only."""

    def __init__(self) -> None:
        self.size = 0
        self._views: list[memoryview] = []
        self._starts: list[int] = []
        self._offsets: dict[tuple[int, int], int] = {}

    def put(self, node: Any, kind: str) -> tuple[int, int]:
        """Offset and size of the elements of a Constant; those at one address are one."""
        if kind == "string":
            from ovgather.tensor.packing import pack_strings  # ``data`` has none

            texts = node.get_value_strings()
            view = memoryview(
                pack_strings(text.encode("utf-8", "surrogateescape") for text in texts)
            )
            key = (len(self._views), -1)
        else:
            flat = node.data.reshape(-1)
            view = memoryview(flat.view("u1") if flat.size else b"")
            key = (flat.__array_interface__["data"][0], len(view))
        if not view:  # OpenVINO writes a byte
            view = memoryview(b"\0")
        if key not in self._offsets:
            self._offsets[key] = self.size
            self._starts.append(self.size)
            self._views.append(view)
            self.size += len(view)
        return self._offsets[key], len(view)

    def part(self, offset: int, size: int) -> memoryview:
        parts = []
        index = bisect_right(self._starts, offset) - 1
        while size > 0:
            start = offset - self._starts[index]
            parts.append(self._views[index][start : start + size])
            size -= len(parts[-1])
            offset += len(parts[-1])
            index += 1
        if len(parts) == 1:
            return parts[0]
        return memoryview(b"".join(parts))


class _Text:
    """The text of a model; of each output it keeps what an edge says, and its port behind the id."""

    def __init__(self, constants: _HeldConstants) -> None:
        self._constants = constants
        self._outputs: dict[Any, tuple[str, str]] = {}
        self._layouts: dict[Any, str] = {}
        self._variables: dict[str, Any] = {}

    def net(self, model: Any) -> str:
        outputs = [(each, each.output(0)) for each in model.get_parameters()]
        outputs += [(each, each.input_value(0)) for each in model.get_results()]
        for node, output in outputs:
            if (layout := str(node.get_layout())) != _ANY_LAYOUT:
                self._layouts[output] = layout
        information = dict(model.get_rt_info().items())
        version = 11
        if "version" in information:  # it was read from a file
            version = information.pop("version").astype(int)
        inside = "".join(_information(*each) for each in information.items())
        head = f'<net name={quote(_name(model))} version="{version}">'
        return f"{head}{self._graph(model)}<rt_info>{inside}</rt_info></net>"

    def _graph(self, model: Any) -> str:
        layers = []
        edges = []
        infos = [variable.get_info() for variable in model.get_variables()]
        self._variables |= {info.variable_id: info.data_shape for info in infos}
        for number, node in enumerate(_nodes(model)):
            inputs = [self._outputs[output] for output in node.input_values()]
            if node.get_type_name() == "LSTMCell":
                del inputs[6:]  # a file has no weights of peepholes
            layers.append(self._layer(node, number, [port for _, port in inputs]))
            for place, (source, _) in enumerate(inputs):
                edges.append(f'{source} to-layer="{number}" to-port="{place}"/>')
        layers_text = "\n".join(layers)
        edges_text = "\n".join(edges)
        return f"<layers>{layers_text}</layers><edges>{edges_text}</edges>"

    def _layer(self, node: Any, number: int, inputs: list[str]) -> str:
        kind = node.get_type_name()
        type = _TYPES.get(kind, kind)
        version = node.get_type_info().version_id
        data = _data(node)
        runtime: Any = {}
        if kind == "Constant":
            offset, size = self._constants.put(node, data["element_type"])
            data |= {"offset": str(offset), "size": str(size)}
        else:
            runtime = node.get_rt_info()
        if kind == "Parameter":
            data["shape"] = _shape(node.get_partial_shape())
        elif kind == "ReadValue" and "variable_shape" in data:
            data["variable_shape"] = _shape(self._variables[data["variable_id"]])
        bodies = ""
        if kind in BODIES:
            data = {}
            bodies = self._bodies(node, kind)
        if "layerType" in runtime:  # of a compiled model
            data |= {name: value.astype(str) for name, value in runtime.items()}
            type = data.pop("layerType")
            version = None
        inside = ""
        if data:
            attributes = [_attribute(*item) for item in data.items()]
            inside = f"<data{''.join(attributes)}/>"
        for mark in _MARKS:
            if mark in runtime:
                inside += _runtime_attribute(mark)
        if inputs:
            ports = [f'<port id="{at}"{port}' for at, port in enumerate(inputs)]
            inside += f"<input>{''.join(ports)}</input>"
        if kind != "Result":
            inside += self._output_side(node, number)
        head = _attribute("type", type)
        if version is not None:
            head += _attribute("version", version)
        name = quote(_name(node))
        return f'<layer id="{number}" name={name}{head}>{inside}{bodies}</layer>'

    def _output_side(self, node: Any, number: int) -> str:
        ports = ""
        for place, output in enumerate(node.outputs(), node.get_input_size()):
            type = output.get_element_type().get_type_name()
            port = _port(type, str(output.get_partial_shape()))
            edge = f'<edge from-layer="{number}" from-port="{place}"'
            self._outputs[output] = (edge, port)
            if names := output.get_names():
                text = ",".join(name.replace(",", r"\,") for name in sorted(names))
                port = f" names={quote(text)}{port}"
            if self._layouts and output in self._layouts:
                layout = f" layout={quote(self._layouts[output])}"
                attribute = _runtime_attribute("layout_0", layout)
                port = port.replace("</port>", f"{attribute}</port>")
            ports += f'<port id="{place}"{port}'
        if not ports:
            return ""
        return f"<output>{ports}</output>"

    def _bodies(self, node: Any, kind: str) -> str:
        """The bodies of a layer, each with its port map and its back edges."""
        parts: list[str] = []
        for place, body in enumerate(BODIES[kind]):
            which = []
            if kind == "If":
                which = [place]
            inner = node.get_function(*which)
            graph = f"<{body}>{self._graph(inner)}</{body}>"
            parts = [*_maps(node, which, body, inner), *parts, graph]
        return "".join(parts)


def _nodes(model: Any) -> list[Any]:
    """The operations in the order of a file: Parameters first, as the model has them; sinks and Results last."""
    ends = [*model.get_sinks(), *model.get_results()]
    known = {node.get_name() for node in (*model.get_parameters(), *ends)}
    between = [node for node in model.get_ordered_ops() if node.get_name() not in known]
    return [*model.get_parameters(), *between, *ends]


def _name(named: Any) -> str:
    """The name of an operation or model; bytes that are no UTF-8 are escaped."""
    try:
        return str(named.get_friendly_name())
    except UnicodeDecodeError as error:
        return error.object.decode("utf-8", "surrogateescape")


@lru_cache(_DISTINCT)
def _attribute(name: str, text: str) -> str:
    return f" {name}={quote(text)}"


@lru_cache(_DISTINCT)
def _port(type: str, shape: str) -> str:
    """A port behind its id, of a shape such as ``[2,?,1..8]``."""
    precision = ""
    kind = find(type)
    if kind is not None:
        precision = f' precision="{kind.port}"'
    dims = ""
    if shape not in ("[]", "[...]"):
        lengths = shape[1:-1].split(",")
        dims = "".join(
            f"<dim>{length if length.isdigit() else -1}</dim>" for length in lengths
        )
    return f"{precision}>{dims}</port>"


def _data(node: Any) -> dict[str, str]:
    """The attributes of an operation, as a file has them."""
    values = node.get_attributes()
    if values.get("auto_pad") in _PADDED:
        for name in ("pads_begin", "pads_end"):
            if name in values:
                values[name] = [0] * len(values[name])
    return {name: _text(value) for name, value in values.items()}


def _text(value: Any) -> str:
    """An attribute as OpenVINO writes it."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, float):
        return f"{value:.17g}"
    if isinstance(value, list):
        return ", ".join(
            [f"{each:g}" if isinstance(each, float) else _text(each) for each in value]
        )
    return str(value)


def _shape(shape: Any) -> str:
    return str(shape).strip("[]")


def _runtime_attribute(key: str, more: str = "") -> str:
    name, _, version = key.rpartition("_")
    return f'<rt_info><attribute name="{name}" version="{version}"{more}/></rt_info>'


def _maps(node: Any, which: list[int], body: str, inner: Any) -> Iterator[str]:
    """The port map of a body, and its back edges."""
    ids = {each.get_name(): number for number, each in enumerate(_nodes(inner))}
    parameters = [ids[each.get_name()] for each in inner.get_parameters()]
    results = [ids[each.get_name()] for each in inner.get_results()]
    entries = []
    back = []
    for each in node.get_input_descriptions(*which):
        target = parameters[each.body_parameter_index]
        entries.append(_entry("input", each.input_index, target, each))
        if hasattr(each, "body_value_index"):
            source = results[each.body_value_index]
            back.append(f'<edge from-layer="{source}" to-layer="{target}"/>')
    count = node.get_input_size()
    for each in node.get_output_descriptions(*which):
        source = results[each.body_value_index]
        entries.append(_entry("output", count + each.output_index, source, each))
    if node.get_type_name() == "Loop":
        iteration, condition = node.get_special_body_ports()
        if iteration >= 0:
            purpose = ' purpose="current_iteration"'
            entries.append(_entry("input", -1, parameters[iteration], end=purpose))
        if condition >= 0:
            purpose = ' purpose="execution_condition"'
            entries.append(_entry("output", -1, results[condition], end=purpose))
    around = body.replace("body", "port_map")
    yield f"<{around}>{''.join(entries)}</{around}>"
    if back:
        yield f"<back_edges>{''.join(back)}</back_edges>"


def _entry(
    side: str, outside: int, inside: int, description: Any = None, end: str = ""
) -> str:
    """An entry of a port map; one that cuts or joins slices has an axis."""
    start = ""
    if hasattr(description, "axis"):
        start = f' axis="{description.axis}"'
        slices = {name: getattr(description, name) for name in _SLICED}
        end = "".join(f' {name}="{text}"' for name, text in slices.items())
    ports = f' external_port_id="{outside}" internal_layer_id="{inside}"'
    return f"<{side}{start}{ports}{end}/>"


def _information(name: str, value: Any) -> str:
    """What ``rt_info`` of a model says, element in element."""
    inner = getattr(value, "value", value)
    start = f"info name={quote(name)}"
    end = "info"
    if _ELEMENT.fullmatch(name):
        start = end = name
    if not hasattr(inner, "items"):
        return f"<{start} value={quote(value.astype(str))}/>"
    inside = "".join(_information(*each) for each in inner.items())
    return f"<{start}>{inside}</{end}>"
