"""What a file of an operation declares, and what all operations share; knows no particular operation."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ovgather.errors import ShapeInferenceError
from ovgather.ops.call import Call
from ovgather.ops.inference import Inference
from ovgather.ops.symbols import Relations
from ovgather.tensor import element_type as _element_type
from ovgather.tensor.shape import PartialShape

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np

    from ovgather.ops.kernels import Plan
    from ovgather.tensor.element_type import ElementType
    from ovgather.tensor.shape import Dimension

    Dims = tuple[Dimension, ...]

INTEGERS = frozenset(item.name for item in _element_type.ALL if item.is_integral)
DYNAMIC = frozenset(("dynamic",))


class Attribute(NamedTuple):
    """An attribute of ``<data>``.

    ``default`` is what OpenVINO takes when the attribute is absent, ``required`` what the specification says,
    ``range`` the legal values in the specification's words.
    """

    name: str
    default: int | None
    required: bool
    range: str
    doc: str


class Input(NamedTuple):
    """An input; ``types`` are the names of the element types it may have, None: any."""

    name: str
    types: frozenset[str] | None
    doc: str


class Operation:
    """One version of an operation.

    Attributes:
        type, version: ``Gather``, 8. name: ``Gather-8``.
        opsets: the opsets that hold this version, oldest first.
        attributes, inputs: as declared.
        axis_from: where its axis is given: ``attribute``, ``input``, or None when it has none.
        allows_negative: its page lets indices count from the end.
        page: its page, Markdown.
    """

    axis_from: str | None = None
    allows_negative = False

    def __init__(
        self,
        *,
        type: str,
        version: int,
        opsets: tuple[str, ...],
        attributes: tuple[Attribute, ...],
        inputs: tuple[Input, ...],
        page: str | None,
    ) -> None:
        self.type = type
        self.version = version
        self.name = f"{type}-{version}"
        self.opsets = opsets
        self.attributes = attributes
        self.inputs = inputs
        self.page = page or ""

    def check(
        self,
        shapes: Sequence[PartialShape],
        *,
        axis: int | None = None,
        batch_dims: int = 0,
        element_types: Sequence[str | ElementType | None] | None = None,
    ) -> list[ShapeInferenceError]:
        """All that is certainly wrong, in the order in which OpenVINO checks; empty when nothing is.

        Args:
            shapes: of the inputs in order; that of ``axis`` may be left out.
            axis: its value; None: not known.
            batch_dims: the attribute as written.
            element_types: of the inputs in order; None for the whole or for one of them: not checked.
        """
        found = self._type_problems(element_types) if element_types else []
        if len(shapes) != len(self.inputs) and not (self.axis_from == "input" and len(shapes) == 2):
            found.append(self._count_problem(len(shapes)))
            return found
        call = Call(shapes, axis, batch_dims, self.axis_from)
        wrong = self._problems(call)
        if not wrong and (shapes[0].symbolic or shapes[1].symbolic):
            wrong = self._relations(call, self._output(call)).problems
        return found + wrong

    def infer(
        self,
        shapes: Sequence[PartialShape],
        *,
        axis: int | None = None,
        batch_dims: int = 0,
        element_types: Sequence[str | ElementType | None] | None = None,
    ) -> Inference:
        """The output shape; the arguments are those of ``check``.

        Raises:
            ShapeInferenceError: the first problem that ``check`` finds.
        """
        found = self.check(shapes, axis=axis, batch_dims=batch_dims, element_types=element_types)
        if found:
            raise found[0]
        call = Call(shapes, axis, batch_dims, self.axis_from)
        made = self._output(call)
        if not (shapes[0].symbolic or shapes[1].symbolic):
            return made
        relations = self._relations(call, made)
        same = [relations.resolved(shape) for shape in shapes[:2]]
        made = self._output(Call([*same, *shapes[2:]], axis, batch_dims, self.axis_from))
        made.call = call
        return made

    def plain_output(self, data: Dims, indices: Dims, axis: int | None, batch_dims: int) -> Dims | None:
        """The dims of the output where all is known, all is right and nothing has a symbol; None: look closer."""
        return None

    def plan(
        self, shape: tuple[int, ...], data: tuple[int, ...], indices: tuple[int, ...], axis: int, batch_dims: int
    ) -> Plan:
        """How to move the elements of a call that has no problems, from the lengths of output and inputs."""
        raise NotImplementedError

    def type_of(self, dtype: np.dtype[np.generic]) -> str | None:
        """What data of this dtype is checked as; None: it need not be, the operation takes any."""
        return None

    def _problems(self, call: Call) -> list[ShapeInferenceError]:
        raise NotImplementedError

    def _output(self, call: Call) -> Inference:
        """The output of a call that has no problems."""
        raise NotImplementedError

    def _relations(self, call: Call, made: Inference) -> Relations:

        return Relations(call, made.origins)

    def _count_problem(self, count: int) -> ShapeInferenceError:
        names = ", ".join([item.name for item in self.inputs])
        message = f"{self.name} takes {len(self.inputs)} inputs ({names}), it is given {count}"
        return ShapeInferenceError(message, kind="input_count", argument="inputs")

    def _type_problems(self, given: Sequence[str | ElementType | None]) -> list[ShapeInferenceError]:
        pairs = [(item, text) for item, text in zip(self.inputs, given, strict=False) if text is not None]
        bindings = ", ".join([f"{item.name} {text}" for item, text in pairs])
        found = []
        for item, text in pairs:
            known = _element_type.find(text) if isinstance(text, str) else text
            if known is None:
                message = f"{item.name} element type {text} is none of OpenVINO's"
            elif item.types is None or known.name in item.types:
                continue
            elif item.types >= INTEGERS:
                hole = " (OpenVINO's own check lets it through)" if known.name in ("string", "nf4") else ""
                message = f"{item.name} must be of an integer type, not {known}{hole}"
            else:
                message = f"{item.name} must be {' or '.join(sorted(item.types))}, not {known}"
            found.append(ShapeInferenceError(f"{message}: {bindings}", kind="element_type", argument=item.name))
        return found

    def __repr__(self) -> str:
        return f"<Operation {self.name}>"
