"""What the versions of an ONNX operation share."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ovgather.ops import gather, gather_elements, gather_nd
from ovgather.ops.operation import AXIS, Operation, OperationInput
from ovgather.tensor.onnx_types import ANY_1, name_of, name_of_dtype

if TYPE_CHECKING:
    import numpy as np

    from ovgather.ops.call import Call
    from ovgather.tensor.element_type import ElementType


class OnnxOperation(Operation):
    """An ONNX operation; a subclass states the types of its indices."""

    index_types = frozenset(("int32", "int64"))

    def __init__(self, version: int, page: str | None, **facts: Any) -> None:
        """``facts``: those in which the version differs from most."""
        common = {
            "negative_indices": "counted",
            "out_of_range": "error",
            "attributes": (AXIS,),
            "data_types": ANY_1,
        }
        super().__init__(
            version, page, **{**common, "index_types": self.index_types, **facts}
        )

    def type_of(self, dtype: np.dtype[np.generic]) -> str:
        return name_of_dtype(dtype)

    def _type_name(self, text: str | ElementType) -> str:
        name = name_of(text)
        if name is None:
            return str(text)
        return f"tensor({name})"

    def _type_message(self, item: OperationInput, text: str | ElementType) -> str:
        name = name_of(text)
        if name is None:
            return f"{item.name} element type {text} is none of ONNX's"
        if name in (item.types or ()):
            return ""
        if item.name == "data":
            return f"{self.name} takes no data of tensor({name})"
        types = " or ".join([f"tensor({each})" for each in sorted(item.types or ())])
        return f"{item.name} must be {types}, not tensor({name})"


class OnnxGather(OnnxOperation, gather.GatherOperation):
    """OpenVINO's without ``batch_dims``: the axis is an attribute, and an index outside is an error."""

    axis_from = "attribute"


class OnnxGatherElements(OnnxOperation, gather_elements.GatherElements):
    """OpenVINO's, but that off the axis indices may be smaller than data."""

    relation = "indices are longer than data"
    freedom = "be longer"
    indices_may_be_shorter = True


class OnnxGatherND(OnnxOperation, gather_nd.GatherND):
    """OpenVINO's GatherND-8, but index tuples are not empty, and data are broadcast over batch dims as runtimes do."""

    broadcasts_batch_dims = True
    index_types = frozenset(("int64",))

    def _find_problems(self, call: Call) -> None:
        super()._find_problems(call)
        if not call.problems and call.indices and call.indices[-1].max == 0:
            message = "the last dim of indices is 0, but index tuples have a length of 1 or more"
            call.report("dims_mismatch", "indices", message, len(call.indices) - 1)
