"""A node of ONNX as a translation sees it: its attributes, its inputs, and the layers that it becomes."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from math import isfinite
from typing import Any, NamedTuple, NoReturn

from ovgather.forward import evaluate
from ovgather.forward.bodies.port_map import PortMap
from ovgather.forward.bodies.subgraph import Rule, Subgraph
from ovgather.forward.records import find_declaration
from ovgather.onnx_file.schemas import schema_of
from ovgather.ops.declaration import Node, Refused
from ovgather.tensor.dimension import LENGTHS
from ovgather.tensor.interval import Items
from ovgather.tensor.onnx_types import NUMBERS, OPENVINO
from ovgather.tensor.shape import DYNAMIC_RANK, PartialShape
from ovgather.tensor.tensor import Basis, Tensor

_OPSET = "opset16"
ABSENT = Tensor(DYNAMIC_RANK, "dynamic")
"""The input that a node leaves out."""
_FIELDS = {
    1: "f", 2: "i", 3: "s", 4: "t", 5: "g", 6: "floats", 7: "ints", 8: "strings", 9: "tensors", 10: "graphs",
}  # fmt: skip
"""The fields of an ``AttributeProto`` by its type."""
_ONE = (4, 5)
_INTS = 7


class NotFollowed(Exception):
    """It is not known what OpenVINO makes of the node."""


class RefusedForm(Refused):
    """OpenVINO refuses a node for its own form, whatever flows in."""


class BodyForm(NamedTuple):
    """What becomes of the bodies of a node.

    Attributes:
        type: of the layer, in small letters.
        rule: one pass over the layer.
        maps: of each body, the places of its inputs and outputs are the ids.
        names: the attributes that hold the bodies.
        squeezed, unsqueezed: the axes of the inputs and outputs that are slices, by place.
        kinds: the element types that inputs have in place of those that the file declares.
        first_result: what stands in the place of the first output, if anything does.
    """

    type: str
    rule: Rule
    maps: Sequence[PortMap]
    names: tuple[str, ...]
    squeezed: Mapping[int, int] = {}
    unsqueezed: Mapping[int, int] = {}
    kinds: Mapping[int, str] = {}
    first_result: Tensor | None = None


class NodeCall:
    """A node to be translated.

    Attributes:
        proto: the ``NodeProto``.
        inputs: the tensors that flow in, ``ABSENT`` for an input that is left out.
        opset: that of the domain ``ai.onnx``.
        empty: the places of the inputs that are constants without elements.
        run_bodies: a layer with bodies, computed once; None: the node has none.
        sliced: the inputs of the Slice that gives the first input.
        is_misread: the first input is a sequence, and nobody asked for its elements.
        given: those of the sequence that the node gives; None: it gives tensors.
    """

    def __init__(
        self,
        proto: Any,
        inputs: Sequence[Tensor],
        opset: int,
        sliced: Sequence[Tensor] = (),
        empty: Collection[int] = (),
        run_bodies: Callable[[BodyForm, Sequence[Tensor]], Subgraph] | None = None,
        elements: Sequence[Tensor] | None = None,
    ) -> None:
        self.proto = proto
        self.inputs = list(inputs)
        for index in empty:
            self.inputs[index] = scalar(0, inputs[index].element_type)
        self.opset = opset
        self._run_bodies = run_bodies
        self.empty = empty
        self.numbers = set(empty)
        """The empty inputs that are not asked for: each is the number 0 to OpenVINO."""
        self.sliced = sliced
        self._elements = elements
        self.is_misread = elements is not None
        self.given: Sequence[Tensor] | None = None
        # Of two with one name OpenVINO reads the first.
        self.attributes = {
            attribute.name: attribute for attribute in reversed(proto.attribute)
        }
        self._read: set[str] = set()
        self.compile_error: Refused | None = None
        self.is_open = False  # a layer of it has an output of unknown rank

    def has(self, index: int) -> bool:
        return index < len(self.inputs) and self.inputs[index] is not ABSENT

    def is_empty(self, index: int) -> bool:
        """Whether an input is a constant without elements, and OpenVINO treats it as such here."""
        self.numbers.discard(index)
        return index in self.empty

    @property
    def elements(self) -> Sequence[Tensor]:
        """Those of the sequence that is the first input. Raises NotFollowed where they are not known."""
        self.is_misread = False
        if self._elements is None:
            raise NotFollowed("a sequence of unknown elements")
        return self._elements

    def input(self, index: int) -> Tensor:
        """An input. Raises Refused where the node has none; of one that it leaves out nothing is known."""
        message = f"{self.proto.op_type} needs an input {index}"
        if index >= len(self.inputs):
            self.refuse_form("inputs", f"{message}, but has {len(self.inputs)}")
        if not self.has(index):
            late = RefusedForm("inputs", f"{message}, it leaves it out", "compile")
            self.compile_error = self.compile_error or late
        return self.inputs[index]

    def integer(self, name: str, default: int) -> int:
        return int(self._number(name, default))

    def number(self, name: str, default: float) -> float:
        return float(self._number(name, default))

    def scalar(self, name: str, default: float, kind: str) -> Tensor:
        """A constant with the number of an attribute, which must be finite. Raises Refused."""
        number = self.any_number(name, default)
        if not isfinite(number):
            message = f"{name} is {number}, and OpenVINO makes no constant of it"
            self.refuse_form(name, message)
        return scalar(number, kind)

    def _number(self, name: str, default: float) -> float:
        value = self.any_number(name, default)
        if not isfinite(value):
            raise NotFollowed(f"{name} is {value}")
        return value

    def any_number(self, name: str, default: float) -> float:
        """OpenVINO takes an integer for a real number, cuts a real one off, and reads text. Raises Refused."""
        value = self._value(name)
        if value is None:
            return default
        if isinstance(value, bytes):
            try:
                return float(value or 0)  # an empty text is 0
            except ValueError:
                self.refuse_form(name, f"{name} is text, and no number")
        if not isinstance(value, (int, float)):
            self.refuse_form(name, f"{name} must be one number")
        return value

    def integers(self, name: str) -> list[int] | None:
        """Raises Refused where the attribute holds no integers."""
        value = self._value(name)
        if isinstance(value, bytes):
            raise NotFollowed(f"{name} is text")
        is_list = isinstance(value, list) and self.attributes[name].type == _INTS
        if value is not None and not is_list:
            self.refuse_form(name, f"{name} must be a list of integers")
        return value  # type: ignore[return-value]

    def text(self, name: str, default: str) -> str:
        """Of another attribute it is what OpenVINO writes for its value."""
        value = self._value(name)
        if value is None:
            return default
        if isinstance(value, list):
            value = value[0] if len(value) == 1 else b""
        if isinstance(value, bytes):
            return value.decode("utf-8", "replace")
        return str(value)

    def _value(self, name: str) -> float | bytes | list[Any] | object | None:
        """The value of an attribute; None: the node does not have it. Raises Refused where it has no type."""
        self._read.add(name)
        attribute = self.attributes.get(name)
        if attribute is None:
            return None
        if attribute.ref_attr_name:
            raise NotFollowed(f"the caller of the function gives {name}")
        if attribute.type not in _FIELDS:
            self.refuse_form(name, f"{name} has no type that OpenVINO reads")
        value = getattr(attribute, _FIELDS[attribute.type])
        if isinstance(value, (int, float, bytes)) or attribute.type in _ONE:
            return value  # type: ignore[no-any-return]
        return list(value)

    def require_types(self) -> None:
        """Raises NotFollowed where an attribute has another type than onnx says, or there are more inputs: OpenVINO may
        refuse that."""
        others = [
            each
            for name, each in self.attributes.items()
            if name not in self._read and each.type not in _ONE
        ]
        schema = schema_of(self.proto.op_type, self.opset)
        if schema is None:
            return
        if any(map(self.has, range(schema.max_input, len(self.inputs)))):
            raise NotFollowed("more inputs than the operation has")
        for each in others:
            known = schema.attributes.get(each.name)
            if known is not None and each.type != int(known.type):
                raise NotFollowed(f"{each.name} has another type")

    def refuse(self, argument: str, message: str) -> NoReturn:
        raise Refused(argument, message)

    def refuse_form(self, argument: str, message: str) -> NoReturn:
        raise RefusedForm(argument, message)

    @property
    def bodies(self) -> list[Any]:
        """The graphs in its attributes."""
        return [each.g for each in self.proto.attribute if each.HasField("g")]

    def layers(
        self, type: str, *inputs: Tensor, count: int = 1, **attributes: Any
    ) -> list[Tensor]:
        """The outputs of a layer of IR. Raises Refused."""
        node = _node(type, inputs, count, attributes)
        result = _outputs(node)
        late = node.compile_error
        # What the layers beside it decide is not known of a node.
        if late is not None and late.is_certain:
            self.compile_error = self.compile_error or late
        self.is_open |= any([each.is_open for each in result])
        return result

    def with_bodies(self, form: BodyForm, inputs: Sequence[Tensor]) -> list[Tensor]:
        """The outputs of a layer with the bodies of the node. Raises Refused."""
        if self._run_bodies is None:
            raise NotFollowed("no bodies")
        layer = self._run_bodies(form, inputs)
        self.compile_error = self.compile_error or layer.compile_error
        flows = [
            body.parameter(inlet.parameter)
            for body, around in zip(layer.bodies, layer.maps, strict=True)
            for inlet in around.inlets
        ]
        if any(
            [
                each.shape.rank is None and each.basis is not Basis.UNCHECKED
                for each in flows
            ]
        ):
            message = "the rank of what flows into its body is not known, and the CPU plugin takes no such input"
            late = Refused("body", message, "compile")
            self.compile_error = self.compile_error or late
        basis = max([each.basis for each in inputs], default=Basis.COMPUTED)
        return [
            Tensor(each.shape, each.element_type, each.value, max(basis, each.basis))
            for each in layer.outputs
        ]

    def layer(self, type: str, *inputs: Tensor, **attributes: Any) -> Tensor:
        """The first output of a layer of IR. Raises Refused."""
        return self.layers(type, *inputs, **attributes)[0]

    def reshaped(self, data: Tensor, *lengths: int) -> Tensor:
        """The elements of ``data`` in other dims; without any they are one scalar. Raises Refused."""
        return self.layer("Reshape", data, integers(lengths), special_zero=False)

    def number_input(self, index: int) -> Tensor:
        """An input of one element, which OpenVINO makes a scalar. Raises Refused."""
        given = self.input(index)
        if given.shape.rank is None:
            return given
        return self.reshaped(given)

    def switch(self, name: str) -> bool:
        """An attribute that is 0 or 1. Raises Refused."""
        value = self.integer(name, 0)
        if value not in (0, 1):
            self.refuse_form(name, f"{name} is {value}, but must be 0 or 1")
        return value == 1

    def axes(self, since: int, index: int = 1) -> Tensor | None:
        """The axes: an attribute in opsets before ``since``, then an input; None: there are none. Raises Refused."""
        if self.opset >= since:
            if self.has(index):
                return self.inputs[index]
            return None
        axes = self.integers("axes")
        if axes is None:
            return None
        return integers(axes)

    def same(self, index: int = 0) -> list[Tensor]:
        """An output like an input, but for its values."""
        return [derived(self.input(index))]


def _node(
    type: str, inputs: tuple[Tensor, ...], count: int, written: Mapping[str, Any]
) -> Node:
    """Raises NotFollowed where nothing is declared of the type."""
    declaration = find_declaration(type, _OPSET)
    if declaration is None:
        raise NotFollowed(type)
    defaults = {each.name: each.default for each in declaration.attributes}
    return Node(declaration, inputs, {**defaults, **written}, count, written)


def _outputs(node: Node) -> list[Tensor]:
    """Raises Refused."""
    outputs = evaluate.infer(node)
    basis = max(
        [each.basis for each in (*node.inputs, *outputs)], default=Basis.COMPUTED
    )
    is_constant = node.declaration.is_pure and all(
        [each.is_constant for each in node.inputs]
    )
    if is_constant and node.inputs and basis is Basis.COMPUTED:
        outputs = evaluate.of_constants(node, outputs)
    return [
        Tensor(
            each.shape,
            each.element_type,
            each.value,
            basis,
            is_constant,
            is_unfolded=each.is_unfolded,
        )
        for each in outputs
    ]


def layer_output(type: str, *inputs: Tensor) -> Tensor:
    """The output of a layer of IR that stands beside those of a node. Raises Refused."""
    return _outputs(_node(type, inputs, 1, {}))[0]


def derived(
    source: Tensor, shape: PartialShape | None = None, element_type: str | None = None
) -> Tensor:
    """A tensor that is computed from another one, of its shape and type where none are given.

    Raises NotFollowed for text, which few layers take.
    """
    require_numbers(source.element_type)
    if shape is None:
        shape = source.shape
    kind = element_type or source.element_type
    return Tensor(shape, kind, None, source.basis, source.is_constant)


def require_numbers(kind: str) -> None:
    """Raises NotFollowed for text."""
    if kind == "string":
        raise NotFollowed("text")


def has_one_element(tensor: Tensor) -> bool:
    """Whether it is a scalar, or a list with one element."""
    dims = tensor.shape.dims
    return dims is not None and all(dim.is_static and dim.min == 1 for dim in dims)


class FromNode(NamedTuple):
    """The attribute of a layer that an attribute of the node gives; its default tells its type.

    ``words`` are the spellings of IR; a text that they lack is refused.
    """

    name: str
    default: int | float | str
    words: Mapping[str, str] = {}

    def read(self, call: NodeCall) -> Any:
        if isinstance(self.default, float):
            return call.number(self.name, self.default)
        if isinstance(self.default, int):
            return call.integer(self.name, self.default)
        text = call.text(self.name, self.default)
        if text not in self.words:
            call.refuse_form(
                self.name,
                f"{self.name} is {text!r}, OpenVINO takes {', '.join(self.words)}",
            )
        return self.words[text]


def direct(
    type: str, count: int, **attributes: Any
) -> Callable[[NodeCall], list[Tensor]]:
    """The translation to one layer with the first ``count`` inputs of the node."""

    def translate(call: NodeCall) -> list[Tensor]:
        values = {
            name: value.read(call) if isinstance(value, FromNode) else value
            for name, value in attributes.items()
        }
        return [
            call.layer(type, *[call.input(index) for index in range(count)], **values)
        ]

    return translate


def integers(values: Sequence[int], kind: str = "i64") -> Tensor:
    """A constant list."""
    return constant(PartialShape((LENGTHS[len(values)],)), kind, tuple(values))


def scalar(value: float, kind: str = "i64") -> Tensor:
    if kind == "string":
        raise Refused("data", "OpenVINO has no constant number of the type string")
    return constant(PartialShape(()), kind, (value,))


def constant(shape: PartialShape, kind: str, items: Items | None = None) -> Tensor:
    return Tensor(shape, kind, items, Basis.COMPUTED, is_constant=True, is_stored=True)


def type_of(number: int) -> str:
    """OpenVINO's name of a ``TensorProto.DataType``. Raises Refused."""
    if number == 0:
        return "dynamic"
    kind = OPENVINO.get(NUMBERS.get(number, ""))
    if kind is None:
        raise RefusedForm("to", f"OpenVINO reads no element type {number}")
    return kind.name
