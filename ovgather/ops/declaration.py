"""What a file of ``declared`` says of an operation, and how its rules see one node of a graph.

A ``Declaration`` names the inputs with the element types they take, the attributes, the outputs, and two rules:
``infer`` gives shape and element type of each output or refuses the node as OpenVINO's core does; ``value`` gives the
elements of a small output that may become a shape, an axis or an index.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from math import isfinite
from typing import Any, NamedTuple, NoReturn, TypeAlias

from ovgather.errors import ShapeInferenceError
from ovgather.tensor import element_type as element_types
from ovgather.tensor.interval import Interval, Item, Items
from ovgather.tensor.shape import DYNAMIC_RANK, Dimension, PartialShape, of_dims
from ovgather.tensor.tensor import Tensor
from ovgather.text import count as counted

Dims: TypeAlias = "tuple[Dimension, ...]"

ALL_TYPES = frozenset(item.name for item in element_types.ALL)
BOOLEAN = frozenset({"boolean"})
REALS = frozenset(item.name for item in element_types.ALL if item.is_real) - {"nf4"}
INTEGERS = ALL_TYPES - REALS - BOOLEAN - {"dynamic"}
"""OpenVINO's core calls every type an integer that it does not call real."""
INTEGERS_OR_BOOLEAN = INTEGERS | BOOLEAN
NUMBERS_OR_STRINGS = INTEGERS | REALS
NUMBERS = NUMBERS_OR_STRINGS - {"string"}
INT32_64 = frozenset({"i32", "i64"})
UNREADABLE = frozenset(
    [
        *("boolean", "f4e2m1", "f8e4m3", "f8e5m2", "f8e8m0", "string"),
        *("nf4", "u1", "u2", "u3", "u6"),
    ]
)
"""The types of which OpenVINO reads no lengths, axes or other arguments: of ``nf4`` its CPU plugin reads none."""
READABLE_REALS = REALS - UNREADABLE


NO_ATTRIBUTES: dict[str, object] = {}


class Missing:
    """The default of an attribute without which OpenVINO refuses the layer."""

    def __repr__(self) -> str:
        return "MISSING"


MISSING = Missing()


class Attribute(NamedTuple):
    """An attribute of ``<data>``.

    Attributes:
        name: as written in the file.
        kind: ``integer``, ``integers``, ``number``, ``numbers``, ``boolean``, ``enum``, ``text``, ``texts``, ``type``
            (an element type), ``shape`` (a partial shape).
        default: the value that OpenVINO takes where it is absent; ``MISSING``: it refuses the layer.
        required: the specification requires it.
        values: the members of an ``enum``, in lower case; the only values of a ``text``.
        unsigned: OpenVINO reads no item of ``integers`` with a sign.
    """

    name: str
    kind: str = "integer"
    default: Any = None
    required: bool = False
    values: tuple[str, ...] = ()
    unsigned: bool = False


class Input(NamedTuple):
    """An input; ``types`` are the names of the element types it takes, None: any. ``dynamic`` is always taken.

    ``optional``: it may be left out, with all behind it. ``repeated``: it stands for any number of further inputs.
    """

    name: str
    types: frozenset[str] | None = None
    optional: bool = False
    repeated: bool = False


class Declaration(NamedTuple):
    """One version of an operation.

    Attributes:
        type: as OpenVINO writes it into a file.
        since: the number of the first opset that holds this version.
        inputs, attributes: as declared.
        infer: the tensors of the outputs; it refuses a wrong node with ``Node.refuse``.
        page: the specification page, below ``operation-specs``.
        value: the elements of each output, None for an unknown one; asked only of outputs that are small enough.
        outputs: their names.
        extra_inputs: OpenVINO does not count the inputs: of an IR of version 10 it takes further ones, without a use.
        until: the number of the last opset that holds this version, where no later version follows: by default the
            newest opset that is known. ``tests/ir/measure_opsets.py`` writes the opsets themselves.
        deterministic: equal inputs give equal outputs, in the same state of the model.
        stateful: it gives what an earlier inference kept, so it is no constant even where all inputs are.
        moves: the inputs whose elements the outputs hold, and no others; a repeated input stands for all of it.
        in_order: the output holds every element, in the same order, perhaps as another element type.
        of_plugin: OpenVINO's core does not compute it, even where all inputs are constant.
        of_variable: its attributes are those of the ReadValue of its variable, where there is one.
    """

    type: str
    since: int
    inputs: tuple[Input, ...]
    attributes: tuple[Attribute, ...]
    infer: Callable[[Node], Iterable[Tensor]]
    page: str
    value: Callable[[Node, Sequence[Tensor]], Sequence[Items | None]] | None = None
    outputs: tuple[str, ...] = ("output",)
    extra_inputs: bool = False
    until: int = 17
    deterministic: bool = True
    stateful: bool = False
    moves: tuple[int, ...] = ()
    in_order: bool = False
    of_variable: bool = False
    of_plugin: bool = False

    @property
    def name(self) -> str:
        return f"{self.type}-{self.since}"

    @property
    def is_pure(self) -> bool:
        """Whether equal inputs always give equal outputs: OpenVINO computes it once where all inputs are constant."""
        return self.deterministic and not self.stateful

    @property
    def least_inputs(self) -> int:
        return sum(not item.optional for item in self.inputs)

    def moved_inputs(self, count: int) -> Sequence[int]:
        """Which of ``count`` inputs give the elements of the outputs; none where the outputs are computed."""
        if self.moves and self.inputs[-1].repeated:
            return range(self.moves[0], count)
        return [index for index in self.moves if index < count]

    def input_name(self, index: int) -> str:
        """The name of an input; its index goes with one that is repeated."""
        if index < len(self.inputs) and not self.inputs[index].repeated:
            return self.inputs[index].name
        if self.inputs and self.inputs[-1].repeated:
            return f"{self.inputs[-1].name}{index}"
        return f"input {index}"


class Refused(ShapeInferenceError):
    """OpenVINO refuses the node; ``argument`` is an input's or an attribute's name, ``stage`` what refuses it.

    It is ``read``, ``compile``, or ``reshape``: OpenVINO reads it, and neither reshapes nor compiles it; or
    ``sometimes``: processors differ, or runs; or ``run``: the compiled model fails, whatever its inputs are.
    ``is_certain``: whatever layers are beside it; else ``ovgather.forward.kernels`` tells.
    """

    def __init__(
        self,
        argument: str,
        message: str,
        stage: str = "read",
        is_certain: bool = True,
    ) -> None:
        super().__init__(message, kind="refused", argument=argument)
        self.stage = stage
        self.is_certain = is_certain

    def without_frames(self) -> Refused:
        """Itself, to be kept: where it was raised holds the whole file."""
        self.__traceback__ = self.__context__ = None
        return self


class Node:
    """One use of an operation: what its rules know of inputs and attributes.

    Attributes:
        declaration: the operation.
        inputs: the tensors that flow in.
        attributes: values by name, read as OpenVINO reads them; absent ones have their default.
        written: the attributes that the file states, by name.
        output_count: how many outputs the file declares.
        lacks_value: a rule has asked for a value that is not known.
        unreadable: an input whose elements a rule has asked for, and which OpenVINO's core does not read.
        compile_error: why OpenVINO does not compile it for the CPU, if that is certain.
        is_compared_on_read: of an Assign, whether OpenVINO knows its variable when it reads it.
    """

    __slots__ = (
        "attributes",
        "compile_error",
        "declaration",
        "inputs",
        "is_compared_on_read",
        "lacks_value",
        "output_count",
        "unreadable",
        "written",
    )

    def __init__(
        self,
        declaration: Declaration,
        inputs: tuple[Tensor, ...],
        attributes: dict[str, Any],
        output_count: int = 1,
        written: Mapping[str, object] = NO_ATTRIBUTES,
    ) -> None:
        self.declaration = declaration
        self.inputs = inputs
        self.attributes = attributes
        self.output_count = output_count
        self.written = written
        self.lacks_value = False
        self.unreadable: Tensor | None = None
        self.compile_error: Refused | None = None
        self.is_compared_on_read = False

    def __getitem__(self, attribute: str) -> Any:
        return self.attributes[attribute]

    def has(self, index: int) -> bool:
        """Whether input ``index`` is there."""
        return index < len(self.inputs)

    def shape(self, index: int) -> PartialShape:
        if index < len(self.inputs):
            return self.inputs[index].shape
        return DYNAMIC_RANK

    def dims(self, index: int) -> Dims | None:
        """The dims of an input; None where its rank is not known."""
        return self.inputs[index].shape.dims

    def rank(self, index: int) -> int | None:
        dims = self.inputs[index].shape.dims
        if dims is None:
            return None
        return len(dims)

    def type(self, index: int) -> str:
        return self.inputs[index].element_type

    def value(self, index: int) -> Items | None:
        """The elements of an input, some of them intervals; None where nothing is known of them."""
        if index >= len(self.inputs):
            self.lacks_value = True
            return None
        given = self.inputs[index]
        if given.value is None and not given.is_input:
            self.lacks_value = True
        if given.is_null or (given.element_type in UNREADABLE and given.is_constant):
            self.unreadable = given
        return given.value

    def integers(self, index: int) -> list[int] | None:
        """The elements of an input, where all are known; numbers are cut off as OpenVINO does."""
        value = self.value(index)
        if value is None:
            return None
        numbers = [
            int(item)
            for item in value
            if not isinstance(item, Interval) and isfinite(item)
        ]
        if len(numbers) == len(value):
            return numbers
        return None

    def integer(self, index: int) -> int | None:
        """The first element of an input, if it is known."""
        value = self.value(index)
        if not value or isinstance(value[0], Interval) or not isfinite(value[0]):
            return None
        return int(value[0])

    def refuse(self, argument: str, message: str) -> NoReturn:
        """OpenVINO refuses to read the node: ``message`` says what is wrong with ``argument``, with the actual value.

        The bindings are added.
        """
        raise Refused(argument, self._bound(message))

    def _bound(self, message: str) -> str:
        """``message`` with the bindings, if there are any."""
        bindings = self.bindings
        return f"{message}: {bindings}" if bindings else message

    def refuse_value(self, attribute: str, message: str) -> NoReturn:
        """OpenVINO refuses the value of ``attribute``, whatever the rest is: bindings would only distract."""
        raise Refused(attribute, message)

    def refuse_on_compile(
        self,
        argument: str,
        message: str,
        stage: str = "compile",
        is_certain: bool = True,
    ) -> None:
        """OpenVINO reads the node, with the outputs that are inferred, and does not compile it for the CPU."""
        known = self.compile_error
        if known is None or (is_certain and not known.is_certain):
            self.compile_error = Refused(
                argument, self._bound(message), stage, is_certain
            )

    @property
    def bindings(self) -> str:
        """Inputs and attributes, as every message ends with them: ``data [3,4] f32, axis 1``."""
        return ", ".join([*self._input_texts(), *self._attribute_texts()])

    def _input_texts(self) -> list[str]:
        texts = []
        for index, tensor in enumerate(self.inputs[:_MOST_NAMED]):
            if tensor.value is not None:
                value = f" = {_items_text(tensor.value)}"
            else:
                value = ""
            if (tensor.shape.rank or 0) > _MOST_NAMED:
                shape = f"rank {len(tensor.shape)}"
            else:
                shape = shown_text(tensor.shape)
            texts.append(f"{self.input_name(index)} {shape}{value}")
        if len(self.inputs) > _MOST_NAMED:
            texts.append(f"{len(self.inputs) - _MOST_NAMED} further inputs")
        return texts

    def _attribute_texts(self) -> list[str]:
        texts = []
        for attribute in self.declaration.attributes:
            value = self.attributes.get(attribute.name)
            if attribute.name in self.written and len(str(value)) <= _LONGEST_VALUE:
                texts.append(f"{attribute.name} {attribute_text(value)}".rstrip())
        return texts

    def input_name(self, index: int) -> str:
        return self.declaration.input_name(index)

    def front_axis(
        self, argument: str, axis: int, rank: int, least_rank: int = 0
    ) -> int:
        """``axis`` counted from the front; refuses one outside ``[-rank, rank - 1]``.

        ``least_rank`` is 1 where OpenVINO takes axis 0 and -1 of a scalar.
        """
        length = max(rank, least_rank)
        if not -length <= axis < length:
            self.refuse(
                argument, f"{argument} {axis} is out of range [{-length}, {length - 1}]"
            )
        if axis < 0:
            return axis + length
        return axis

    def same_type(self, *indices: int) -> str:
        """The element type that all of these inputs have; refuses two that differ."""
        merged = "dynamic"
        first = 0
        for index in indices:
            if (
                index >= len(self.inputs)
                or self.inputs[index].element_type == "dynamic"
            ):
                continue
            element_type = self.inputs[index].element_type
            if merged not in ("dynamic", element_type):
                names = f"{self.input_name(first)} and {self.input_name(index)}"
                self.refuse(
                    self.input_name(index),
                    f"the element types of {names} differ: {merged} and {element_type}",
                )
            merged = element_type
            first = index
        return merged

    def require_types(self) -> None:
        """Refuse an input of an element type that the declaration does not take."""
        declared = self.declaration.inputs
        for index, tensor in enumerate(self.inputs):
            types = None
            if declared:
                types = declared[min(index, len(declared) - 1)].types
            if (
                types is not None
                and tensor.element_type not in types
                and tensor.element_type != "dynamic"
            ):
                name = self.input_name(index)
                self.refuse(
                    name,
                    f"{name} must be {type_words(types)}, not {tensor.element_type}",
                )

    def require_count(self) -> None:
        """Refuse too few inputs, or too many."""
        declared = self.declaration.inputs
        if len(self.inputs) == len(declared):
            return
        least = self.declaration.least_inputs
        most = None
        if not (declared and declared[-1].repeated):
            most = len(declared)
        count = len(self.inputs)
        if count < least or (most is not None and count > most):
            names = ", ".join(item.name for item in declared)
            if most == least:
                bounds = counted(least, "input")
            else:
                if most is None:
                    bounds = f"{least} or more inputs"
                else:
                    bounds = f"{least} to {most} inputs"
            self.refuse(
                "inputs",
                f"{self.declaration.name} takes {bounds} ({names}), but is given {count}",
            )


_MOST_NAMED = 16
_LONGEST_VALUE = 200
_MOST_ITEMS = 12


def shown_text(shape: PartialShape) -> str:
    """A shape in a message."""
    return str(shape)


def _item_text(item: Item) -> str:
    if not isinstance(item, Interval):
        if isinstance(item, float):
            return f"{item:g}"
        return str(item)
    if item.low is None and item.high is None:
        return "?"
    if item.low is None:
        low = ""
    else:
        low = str(item.low)
    if item.high is None:
        high = ""
    else:
        high = str(item.high)
    return f"{low}..{high}"


def _items_text(items: Items) -> str:
    text = ",".join(map(_item_text, items[:_MOST_ITEMS]))
    return f"({text}{',...' if len(items) > _MOST_ITEMS else ''})"


def attribute_text(value: Any) -> str:
    """The value of an attribute as files write it."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (tuple, list)):
        return ",".join(map(attribute_text, value))
    if isinstance(value, float):
        return f"{value:g}"
    return str(value)


def type_words(types: frozenset[str]) -> str:
    """Element types in words: ``of an integer type``, ``i32 or i64``."""
    if types == INTEGERS:
        return "of an integer type"
    if types == INTEGERS_OR_BOOLEAN:
        return "of an integer type or boolean"
    if types == REALS:
        return "of a floating-point type"
    if types in (NUMBERS, NUMBERS_OR_STRINGS):
        return "numeric"
    names = sorted(types)
    if len(names) == 1:
        return names[0]
    return f"{', '.join(names[:-1])} or {names[-1]}"


def tensor(
    dims: Iterable[Dimension] | None, element_type: str, value: Items | None = None
) -> Tensor:
    """An output of these dims; None: of dynamic rank."""
    if dims is None:
        return Tensor(DYNAMIC_RANK, element_type, value)
    return Tensor(shape_of(dims), element_type, value)


def shape_of(dims: Iterable[Dimension]) -> PartialShape:
    dims = tuple(dims)
    return of_dims(dims, any([dim.symbol is not None for dim in dims]))
