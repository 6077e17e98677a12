"""What the versions of an ONNX operation share."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from ovgather.ops import gather, gather_elements, gather_nd
from ovgather.ops.call import Origin, Source, copied
from ovgather.ops.inference import Inference
from ovgather.ops.operation import AXIS, Attribute, Input, Operation
from ovgather.tensor.onnx_types import ANY_1, name_of, name_of_dtype
from ovgather.tensor.shape import ANY, Dimension, PartialShape

if TYPE_CHECKING:
    import numpy as np

    from ovgather.ops.call import Call
    from ovgather.ops.operation import Dims
    from ovgather.tensor.element_type import ElementType


class OnnxOperation(Operation):
    """An ONNX operation; a subclass states the types of its indices."""

    index_types = frozenset(("int32", "int64"))

    def __init__(
        self,
        version: int,
        page: str | None,
        *,
        data_types: frozenset[str] = ANY_1,
        attributes: tuple[Attribute, ...] = (AXIS,),
        negative_indices: Literal["counted", "excluded"] = "counted",
    ) -> None:
        super().__init__(
            version,
            page,
            negative_indices=negative_indices,
            out_of_range="error",
            attributes=attributes,
            data_types=data_types,
            index_types=self.index_types,
        )

    def type_of(self, dtype: np.dtype[np.generic]) -> str:
        return name_of_dtype(dtype)

    def _type_name(self, text: str | ElementType) -> str:
        name = name_of(text)
        return str(text) if name is None else f"tensor({name})"

    def _type_message(self, item: Input, text: str | ElementType) -> str:
        name = name_of(text)
        if name is None:
            return f"{item.name} element type {text} is none of ONNX's"
        if name in (item.types or ()):
            return ""
        if item.name == "data":
            return f"{self.name} takes no data of tensor({name})"
        types = " or ".join([f"tensor({each})" for each in sorted(item.types or ())])
        return f"{item.name} must be {types}, not tensor({name})"


class Gather(OnnxOperation, gather.Gather):
    """OpenVINO's without ``batch_dims``: the axis is an attribute, and an index outside is an error."""

    axis_from = "attribute"


class GatherElements(OnnxOperation, gather_elements.GatherElements):
    """OpenVINO's, but that off the axis indices may be smaller than data."""

    relation, freedom = "indices are longer than data", "be longer"

    def plain_output(self, data: Dims, indices: Dims, axis: int | None, batch_dims: int) -> Dims | None:
        return None

    def _differing(self, data: Dims, indices: Dims) -> list[int]:
        return [place for place, dim in enumerate(data) if dim.max is not None and indices[place].min > dim.max]

    def _from_data(self, call: Call, data: Dims, axis: int | None) -> Inference:
        rank = len(data)
        place = None if axis is None else axis % rank
        dims = [ANY if axis is None or at == place else Dimension(0, dim.max) for at, dim in enumerate(data)]
        why = "indices have a dynamic rank"
        notes = [why if axis is None or at == place else f"at most data dim {at}, {why}" for at in range(rank)]
        origins = [Origin("unknown", (), note) for note in notes]
        return Inference(call, PartialShape(tuple(dims)), lambda: origins, (f"rank(indices) == {rank}",))

    def _merged(self, call: Call, data: Dims, indices: Dims, axis: int) -> Inference:
        dims = [dim if at == axis else dim & Dimension(0, data[at].max) for at, dim in enumerate(indices)]

        def origins() -> list[Origin]:
            pairs = [Origin("bounded", (Source("indices", at), Source("data", at))) for at in range(len(indices))]
            pairs[axis] = copied("indices", [axis], "the axis")[0]
            return pairs

        return Inference(call, PartialShape(tuple(dims)), origins)


class GatherND(OnnxOperation, gather_nd.GatherND):
    """OpenVINO's GatherND-8, but index tuples are not empty, and data are broadcast over batch dims as runtimes do."""

    broadcasts_batch_dims = True
    index_types = frozenset(("int64",))

    def _find_problems(self, call: Call) -> None:
        super()._find_problems(call)
        if not call.problems and call.indices and call.indices[-1].max == 0:
            message = "the last dim of indices is 0, but index tuples have a length of 1 or more"
            call.report("dims_mismatch", "indices", message, len(call.indices) - 1)
