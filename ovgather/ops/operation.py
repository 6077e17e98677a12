"""What a file of an operation declares, and what all operations share; knows no particular operation."""

from __future__ import annotations

from importlib import import_module
from pkgutil import iter_modules
from typing import TYPE_CHECKING, Literal, NamedTuple

from ovgather.errors import ShapeInferenceError
from ovgather.ops.call import Call
from ovgather.ops.inference import Inference, Relations
from ovgather.tensor import element_type as _element_type
from ovgather.tensor.shape import PartialShape

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    import numpy as np

    from ovgather.ops.kernels import KernelPlan
    from ovgather.tensor.element_type import ElementType
    from ovgather.tensor.shape import Dimension

    Dims = tuple[Dimension, ...]
    Ints = tuple[int, ...]
    Shapes = Sequence[PartialShape]
    Types = Sequence[str | ElementType | None] | None

INTEGERS = frozenset(item.name for item in _element_type.ALL if item.is_integral)


class OperationAttribute(NamedTuple):
    """An attribute of ``<data>``: OpenVINO's default, and whether the specification requires it."""

    name: str
    default: int | None
    required: bool = False


class OperationInput(NamedTuple):
    """An input; ``types`` are the names of the element types it may have, None: any."""

    name: str
    types: frozenset[str] | None


AXIS = OperationAttribute("axis", 0)
BATCH_DIMS = OperationAttribute("batch_dims", 0)


class Operation:
    """One version of an operation, and the facts about it that others ask for.

    Attributes:
        type, version: ``Gather``, 8. name: ``Gather-8``.
        opsets: the opsets that hold this version, oldest first.
        attributes, inputs: as declared.
        negative_indices: what the page says of them: they are ``counted`` from the end; they are ``excluded``; or
            ``tolerated``: the page states ``[0, s-1]``, but ONNX and OpenVINO count them from the end.
        allows_negative_indices: they are not excluded, so random indices may be negative.
        out_of_range: what an index out of range gives: ``zeros``, an ``error``, or ``undefined`` by the page.
        axis_from: where its axis is given: ``attribute``, ``input``, or None when it has none.
        has_axis, takes_axis: it has an axis; the axis is an input.
        has_batch_dims: it has the attribute ``batch_dims``.
        joins_batch_dims: two or more batch dims come out as one, their product.
        indices_replace_axis: the dims of indices take the place of the axis in the output, as in Gather.
        indices_have_rank_of_data: as in GatherElements.
        indexes_by_tuples: the last dim of indices holds index tuples, as in GatherND.
        page: its page, Markdown.
    """

    type: str
    attributes: tuple[OperationAttribute, ...] = (AXIS,)
    axis_from: str | None = None
    indices_replace_axis = False
    indices_have_rank_of_data = False
    indexes_by_tuples = False

    def __init__(
        self,
        version: int,
        page: str | None,
        *,
        negative_indices: Literal["counted", "tolerated", "excluded"],
        out_of_range: Literal["zeros", "error", "undefined"],
        opsets: tuple[str, ...] = (),
        attributes: tuple[OperationAttribute, ...] | None = None,
        data_types: frozenset[str] | None = None,
        index_types: frozenset[str] | None = INTEGERS | {"dynamic"},
        joins_batch_dims: bool = False,
    ) -> None:
        """Without ``attributes``, those that most versions share are taken from the class."""
        self.version, self.name, self.page = (
            version,
            f"{self.type}-{version}",
            page or "",
        )
        self.opsets = opsets
        if attributes is not None:
            self.attributes = attributes
        self.negative_indices = negative_indices
        self.out_of_range = out_of_range
        self.allows_negative_indices = negative_indices != "excluded"
        self.has_axis, self.takes_axis = (
            self.axis_from is not None,
            self.axis_from == "input",
        )
        axis = (OperationInput("axis", index_types),) if self.takes_axis else ()
        self.inputs = (
            OperationInput("data", data_types),
            OperationInput("indices", index_types),
            *axis,
        )
        self.has_batch_dims = any(
            attribute.name == "batch_dims" for attribute in self.attributes
        )
        self.joins_batch_dims = joins_batch_dims

    def indexed_dims(
        self, rank: int, indices: Sequence[int], axis: int | None, batch_dims: int
    ) -> range:
        """The dims of data that indices point into: the axis (none if unknown), or one for each number of a tuple."""
        if axis is None:
            return range(0)
        axis %= rank
        return range(axis, axis + 1)

    def index_sizes(
        self,
        data: Sequence[int],
        indices: Sequence[int],
        axis: int | None,
        batch_dims: int,
    ) -> list[int]:
        """How long these dims are, from the lengths of data and indices."""
        return [
            data[dim] for dim in self.indexed_dims(len(data), indices, axis, batch_dims)
        ]

    def check(
        self,
        shapes: Shapes,
        *,
        axis: int | None = None,
        batch_dims: int = 0,
        element_types: Types = None,
    ) -> list[ShapeInferenceError]:
        """All certain problems, in OpenVINO's order; None: an unknown ``axis``, element types that are not checked."""
        return self.check_and_infer(shapes, axis, batch_dims, element_types)[0]

    def infer(
        self,
        shapes: Shapes,
        *,
        axis: int | None = None,
        batch_dims: int = 0,
        element_types: Types = None,
    ) -> Inference:
        """The output shape; raises the first problem that ``check`` returns."""
        problems, inference = self.check_and_infer(
            shapes, axis, batch_dims, element_types
        )
        if problems or inference is None:
            raise problems[0]
        return inference

    def check_and_infer(
        self,
        shapes: Shapes,
        axis: int | None,
        batch_dims: int,
        element_types: Types = None,
    ) -> tuple[list[ShapeInferenceError], Inference | None]:
        """The problems, and the output unless the shapes have one."""
        if element_types:
            problems = self._type_problems(element_types)
        else:
            problems = []
        if len(shapes) != len(self.inputs) and not (
            self.takes_axis and len(shapes) == 2
        ):
            message = self.count_message(len(shapes))
            return [
                *problems,
                ShapeInferenceError(message, kind="input_count", argument="inputs"),
            ], None
        call = Call(shapes, axis, batch_dims, self.has_axis)
        self._find_problems(call)
        if call.problems:
            return problems + call.problems, None
        inference = self._output(call)
        if not (shapes[0].symbolic or shapes[1].symbolic):
            return problems, inference
        relations = Relations(call, inference.origins)
        if relations.problems:
            return problems + relations.problems, None
        resolved = [relations.resolved(shape) for shape in shapes[:2]]
        inference = self._output(
            Call([*resolved, *shapes[2:]], axis, batch_dims, self.has_axis)
        )
        inference.call = call
        return problems, inference

    def broadcast(self, shapes: Shapes, batch_dims: int) -> list[ShapeInferenceError]:
        """Problems of shapes by the page, with which runtimes run the operation all the same."""
        return []

    def plain_output(
        self, data: Dims, indices: Dims, axis: int | None, batch_dims: int
    ) -> Dims | None:
        """The output dims of correct, known dims; None: ask ``infer`` (``infer_shape`` then takes 10 us, not 7)."""
        return None

    def plan(
        self, shape: Ints, data: Ints, indices: Ints, axis: int, batch_dims: int
    ) -> KernelPlan:
        """How to move the elements of a call that has no problems, from the lengths of output and inputs."""
        raise NotImplementedError

    def type_of(self, dtype: np.dtype[np.generic]) -> str | None:
        """What data of this dtype is checked as; None: it need not be, the operation takes any."""
        return None

    def _find_problems(self, call: Call) -> None:
        """Report all certain problems of a call to it."""
        raise NotImplementedError

    def _output(self, call: Call) -> Inference:
        """The output of a call that has no problems."""
        raise NotImplementedError

    def count_message(self, count: int) -> str:
        """The message for ``count`` inputs, which are too few or too many."""
        names = ", ".join([item.name for item in self.inputs])
        return f"{self.name} takes {len(self.inputs)} inputs ({names}), but is given {count}"

    def _type_problems(
        self, element_types: Sequence[str | ElementType | None]
    ) -> list[ShapeInferenceError]:
        pairs = [
            (item, text)
            for item, text in zip(self.inputs, element_types, strict=False)
            if text is not None
        ]
        bindings = ", ".join(
            [f"{item.name} {self._type_name(text)}" for item, text in pairs]
        )
        return [
            ShapeInferenceError(
                message, kind="element_type", argument=item.name, bindings=bindings
            )
            for item, text in pairs
            if (message := self._type_message(item, text))
        ]

    def _type_name(self, text: str | ElementType) -> str:
        return str(text)

    def _type_message(self, item: OperationInput, text: str | ElementType) -> str:
        """What is wrong with the element type of an input; empty: nothing."""
        if isinstance(text, str):
            element_type = _element_type.find(text)
        else:
            element_type = text
        if element_type is None:
            return f"{item.name} element type {text} is none of OpenVINO's"
        if item.types is None or element_type.name in item.types:
            return ""
        if item.types >= INTEGERS:
            if element_type.name in ("string", "nf4"):
                hole = " (OpenVINO's own check lets it through)"
            else:
                hole = ""
            return f"{item.name} must be of an integer type, not {element_type}{hole}"
        return (
            f"{item.name} must be {' or '.join(sorted(item.types))}, not {element_type}"
        )

    def __repr__(self) -> str:
        return f"<Operation {self.name}>"


def opsets(first: int, last: int) -> tuple[str, ...]:
    """The names of OpenVINO's opsets from ``first`` to ``last``."""
    return tuple([f"opset{number}" for number in range(first, last + 1)])


def load(package: str, path: Iterable[str]) -> tuple[Operation, ...]:
    """The ``OPERATION`` of every file of a package whose name ends in a version, by type and version."""
    names = [
        entry.name
        for entry in iter_modules(path)
        if not entry.ispkg and entry.name[-1].isdigit()
    ]
    modules = [import_module(f"{package}.{name}") for name in names]
    for module in modules:
        if not module.OPERATION.page:
            from ovgather.text import docstring

            # Under -OO there is no ``__doc__``.
            module.OPERATION.page = docstring(module)
    operations: list[Operation] = [module.OPERATION for module in modules]
    return tuple(
        sorted(operations, key=lambda operation: (operation.type, operation.version))
    )
