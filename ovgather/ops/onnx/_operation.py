"""What the operations of ONNX have in common, beside what all operations have: their types."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ovgather.errors import ShapeInferenceError
from ovgather.ops.operation import Attribute, Input, Operation
from ovgather.tensor.onnx_types import name_of, name_of_dtype

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np

    from ovgather.tensor.element_type import ElementType

AXIS = Attribute(
    name="axis",
    default=0,
    required=False,
    range="[-r, r-1], r = rank(data)",
    doc="The dim of data to gather along; negative: counted from the end.",
)
INDEX_TYPES = frozenset(("int32", "int64"))


def inputs(types: frozenset[str], index_types: frozenset[str], indices: str) -> tuple[Input, ...]:
    """The two inputs, of these types, in ONNX's words."""
    return (
        Input("data", types, "What is gathered from, of rank 1 or more."),
        Input("indices", index_types, indices),
    )


class OnnxOperation(Operation):
    """An operation whose inputs are of the types that ONNX's document lists."""

    def type_of(self, dtype: np.dtype[np.generic]) -> str:
        """See the base."""
        return name_of_dtype(dtype)

    def _type_problems(self, element_types: Sequence[str | ElementType | None]) -> list[ShapeInferenceError]:
        pairs = [(item, text) for item, text in zip(self.inputs, element_types, strict=False) if text is not None]
        bindings = ", ".join([f"{item.name} {_written(text)}" for item, text in pairs])
        problems = []
        for item, text in pairs:
            name = name_of(text)
            if name in (item.types or ()):
                continue
            if name is None:
                message = f"{item.name} element type {text} is none of ONNX's"
            elif item.name == "data":
                message = f"{self.name} takes no data of tensor({name})"
            else:
                wanted = " or ".join([f"tensor({each})" for each in sorted(item.types or ())])
                message = f"{item.name} must be {wanted}, not tensor({name})"
            problems.append(ShapeInferenceError(f"{message}: {bindings}", kind="element_type", argument=item.name))
        return problems


def _written(text: str | ElementType) -> str:
    name = name_of(text)
    return str(text) if name is None else f"tensor({name})"
