"""``openvino.Model`` -> Model: the text that OpenVINO would write, and the constants where they lie in memory.

Only the text is made; nothing of a constant is copied or written. The ``.bin`` is one that is read part by part: each
Const has a range of its own in it, behind those before it.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from ovgather.ir.constants import Weights
from ovgather.ir.edit.edits import Held
from ovgather.ir.model import Model
from ovgather.ir.read import read_held
from ovgather.ir.writer import quote
from ovgather.tensor.element_type import find
from ovgather.tensor.shape import Dimension, PartialShape

_TYPES = {"Constant": "Const", "PRelu": "PReLU", "Relu": "ReLU", "Softmax": "SoftMax"}
"""Types that are called otherwise in a file."""
_PADS = ("pads_begin", "pads_end")
_BODIES = {
    "Loop": ("body",),
    "TensorIterator": ("body",),
    "If": ("then_body", "else_body"),
}


def model_of(source: Any, path: str) -> Model:
    """The model of an ``openvino.Model``, which messages call ``path``."""
    held = _Held()
    text = held.net(source)
    model = read_held(Held(text.encode("utf-8", "surrogatepass"), path), held.weights)
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


class _Held:
    """The text, and the bytes of constants with where each begins in a ``.bin`` that nobody writes."""

    def __init__(self) -> None:
        self._views: list[memoryview] = []
        self._starts: list[int] = []
        self._size = 0
        self._offsets: dict[tuple[int, int], int] = {}

    @property
    def weights(self) -> Weights:
        return Weights(part=self._part, size=self._size)

    def _part(self, offset: int, size: int) -> memoryview:
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

    def _put(self, node: Any, kind: str) -> tuple[int, int]:
        """Offset and size of the elements of a Constant; those at one address are one."""
        if kind == "string":  # ``data`` has none of them
            from ovgather.tensor.packing import pack_strings

            texts = node.get_value_strings()
            view = memoryview(
                pack_strings(text.encode("utf-8", "surrogateescape") for text in texts)
            )
            key = (len(self._views), -1)
        else:
            flat = node.data.reshape(-1)
            if flat.size:
                view = memoryview(flat.view("u1"))
            else:
                view = memoryview(b"")
            key = (flat.__array_interface__["data"][0], len(view))
        if not view:  # OpenVINO writes a byte
            view = memoryview(b"\0")
        if key not in self._offsets:
            self._offsets[key] = self._size
            self._starts.append(self._size)
            self._views.append(view)
            self._size += len(view)
        return self._offsets[key], len(view)

    def net(self, model: Any) -> str:
        information = "".join(_information(model.get_rt_info()))
        if information:
            information = f"<rt_info>{information}</rt_info>"
        name = quote(_name(model))
        return f'<?xml version="1.0"?>\n<net name={name} version="11">{self._graph(model)}{information}</net>\n'

    def _graph(self, model: Any) -> str:
        nodes = _nodes(model)
        ids = {node.get_name(): number for number, node in enumerate(nodes)}
        layers = []
        edges = []
        for number, node in enumerate(nodes):
            layers.append(self._layer(node, number))
            for place, port in enumerate(_inputs(node)):
                source = port.get_source_output()
                maker = source.get_node()
                out = maker.get_input_size() + source.get_index()
                edges.append(
                    f'<edge from-layer="{ids[maker.get_name()]}" from-port="{out}"'
                    f' to-layer="{number}" to-port="{place}"/>'
                )
        return "<layers>\n{}\n</layers>\n<edges>\n{}\n</edges>".format(
            "\n".join(layers), "\n".join(edges)
        )

    def _layer(self, node: Any, number: int) -> str:
        kind = node.get_type_name()
        type = _TYPES.get(kind, kind)
        version = node.get_type_info().version_id or ""
        data = {name: _text(value) for name, value in node.get_attributes().items()}
        if data.get("auto_pad") in (
            "same_upper",
            "same_lower",
        ):  # what follows from it is not written
            data |= {
                name: _text([0] * len(node.get_attributes()[name]))
                for name in _PADS
                if name in data
            }
        if "variable_shape" in data:
            data["variable_shape"] = (
                data["variable_shape"].replace("-1", "?").replace(" ", "")
            )
        if kind == "Parameter":
            data["shape"] = str(node.get_partial_shape()).strip("[]").replace(" ", "")
        if kind == "Constant":
            offset, size = self._put(node, data["element_type"])
            data |= {"offset": str(offset), "size": str(size)}
        inside: list[str] = []
        bodies: list[str] = []
        if kind in _BODIES:
            data = {}
            for place, body in enumerate(_BODIES[kind]):
                if kind == "If":
                    inner = node.get_function(place)
                else:
                    inner = node.get_function()
                inside[:0] = _maps(node, kind, place, body, inner)
                bodies.append(f"<{body}>{self._graph(inner)}</{body}>")
        if data:
            inside.insert(0, f"<data{_attributes(data)}/>")
        count = node.get_input_size()
        if count:
            inside.append(
                f"<input>{''.join(_port(place, port) for place, port in enumerate(_inputs(node)))}</input>"
            )
        if node.get_output_size() and kind != "Result":
            ports = "".join(
                _port(count + place, port, names=True)
                for place, port in enumerate(node.outputs())
            )
            inside.append(f"<output>{ports}</output>")
        name = quote(_name(node))
        head = f'<layer id="{number}" name={name} type={quote(type)} version={quote(version)}>'
        return f"{head}{''.join(inside)}{''.join(bodies)}</layer>"


def _nodes(model: Any) -> list[Any]:
    """The operations in the order of a file: Parameters first, as the model has them; sinks and Results last."""
    ends = [*model.get_sinks(), *model.get_results()]
    known = {node.get_name() for node in (*model.get_parameters(), *ends)}
    between = [node for node in model.get_ordered_ops() if node.get_name() not in known]
    return [*model.get_parameters(), *between, *ends]


def _inputs(node: Any) -> list[Any]:
    """The inputs in a file, which has no weights of peepholes."""
    inputs: list[Any] = node.inputs()
    if node.get_type_name() == "LSTMCell":
        return inputs[:6]
    return inputs


def _name(named: Any) -> str:
    """The name of an operation or model; it may have bytes that are no UTF-8."""
    try:
        return str(named.get_friendly_name())
    except UnicodeDecodeError as error:
        return error.object.decode("utf-8", "replace")


def _attributes(data: Mapping[str, str]) -> str:
    return "".join(f" {name}={quote(value)}" for name, value in data.items())


def _port(number: int, port: Any, names: bool = False) -> str:
    kind = find(str(port.get_element_type().get_type_name()))
    if kind is None:
        precision = ""
    else:
        precision = f' precision="{kind.port}"'
    shape = port.get_partial_shape()
    if shape.rank.is_dynamic:
        dims = ""
    else:
        dims = "".join(f"<dim>{_length(dim)}</dim>" for dim in shape)
    called = ""
    if names and (texts := sorted(port.get_names())):
        called = f" names={quote(','.join(text.replace(',', chr(92) + ',') for text in texts))}"
    return f'<port id="{number}"{precision}{called}>{dims}</port>'


def _length(dim: Any) -> int:
    if dim.is_static:
        return int(dim.get_length())
    return -1


def _text(value: Any) -> str:
    """An attribute as OpenVINO writes it."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        return f"{value:.17g}"
    if isinstance(value, str) or not isinstance(value, Iterable):
        return str(value)
    return ", ".join(
        f"{each:g}" if isinstance(each, float) else _text(each) for each in value
    )


def _maps(node: Any, kind: str, place: int, body: str, inner: Any) -> Iterator[str]:
    """The port map of a body, and its back edges."""
    which = (place,) if kind == "If" else ()
    ids = {each.get_name(): number for number, each in enumerate(_nodes(inner))}
    parameters = [ids[each.get_name()] for each in inner.get_parameters()]
    results = [ids[each.get_name()] for each in inner.get_results()]
    entries = []
    back = []
    for each in node.get_input_descriptions(*which):
        entry = {
            "external_port_id": each.input_index,
            "internal_layer_id": parameters[each.body_parameter_index],
        }
        entries.append(f"<input{_entry(each, entry)}/>")
        if hasattr(each, "body_value_index"):
            to = parameters[each.body_parameter_index]
            back.append(
                f'<edge from-layer="{results[each.body_value_index]}" to-layer="{to}"/>'
            )
    count = node.get_input_size()
    for each in node.get_output_descriptions(*which):
        entry = {
            "external_port_id": count + each.output_index,
            "internal_layer_id": results[each.body_value_index],
        }
        entries.append(f"<output{_entry(each, entry)}/>")
    if kind == "Loop":
        iteration, condition = node.get_special_body_ports()
        if iteration >= 0:
            entry = {"external_port_id": -1, "internal_layer_id": parameters[iteration]}
            entries.append(f'<input{_entry(None, entry)} purpose="current_iteration"/>')
        if condition >= 0:
            entry = {"external_port_id": -1, "internal_layer_id": results[condition]}
            entries.append(
                f'<output{_entry(None, entry)} purpose="execution_condition"/>'
            )
    around = body.replace("body", "port_map")
    yield f"<{around}>{''.join(entries)}</{around}>"
    if back:
        yield f"<back_edges>{''.join(back)}</back_edges>"


def _entry(description: Any, numbers: Mapping[str, int]) -> str:
    """The attributes of an entry; one that cuts or joins slices has an axis."""
    texts = {name: str(number) for name, number in numbers.items()}
    if hasattr(description, "axis"):
        texts = {"axis": str(description.axis)} | texts
        texts |= {
            name: str(getattr(description, name))
            for name in ("start", "end", "stride", "part_size")
        }
    return _attributes(texts)


def _information(table: Any) -> Iterator[str]:
    """What ``rt_info`` of a model says, element in element."""
    for name, value in table.items():
        inner = getattr(value, "value", value)
        if hasattr(inner, "items"):
            yield f"<info name={quote(str(name))}>{''.join(_information(inner))}</info>"
        else:
            yield f"<info name={quote(str(name))} value={quote(_text(inner))}/>"
