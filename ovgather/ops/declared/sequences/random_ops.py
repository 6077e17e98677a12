"""Random numbers.

Pages: generation/multinomial-13, generation/random-uniform-8.
"""

from __future__ import annotations

from ovgather.ops.declaration import (
    INT32_64,
    INTEGERS,
    REALS,
    Attribute,
    Declaration,
    Input,
    Node,
    tensor,
)
from ovgather.ops.declared.common.movement import (
    dim_of_value,
    dims_of_value,
    require_one_element,
    require_rank,
)
from ovgather.tensor.dimension import ANY
from ovgather.tensor.interval import Interval
from ovgather.tensor.tensor import Tensor

_MOST_DIMS = 1024
_SEEDS = (Attribute("global_seed", default=0), Attribute("op_seed", default=0))


def _multinomial(node: Node) -> list[Tensor]:
    node.require_count()
    node.require_types()
    kind = node["convert_type"]
    require_rank(node, 0, 2)
    require_one_element(node, 1)
    node.refuse_on_compile(
        "output",
        "several inputs read the output, the CPU plugin takes one",
        is_certain=False,
    )
    dims = node.dims(0)
    if dims is None:
        return [tensor(None, kind)]
    return [tensor((dims[0], dim_of_value(node, 1)), kind)]


def _random_uniform(node: Node) -> list[Tensor]:
    node.require_count()
    node.require_types()
    kind = node["output_type"]
    if kind not in REALS | INT32_64:
        node.refuse(
            "output_type",
            f"output_type must be i32, i64 or a floating-point type, not {kind}",
        )
    for index in (1, 2):
        if node.type(index) != kind:
            name = node.input_name(index)
            node.refuse(name, f"{name} is {node.type(index)}, output_type is {kind}")
    require_rank(node, 0, 1)
    require_one_element(node, 1)
    require_one_element(node, 2)
    _require_range(node)
    lengths, counts = node.value(0), node.dims(0)
    if lengths is not None:
        if -1 in lengths and all([each.shape.is_static for each in node.inputs]):
            node.refuse_on_compile("shape", "the CPU plugin takes no -1")
        return [tensor(dims_of_value(node, 0), kind)]
    # Of a dim that is not known, OpenVINO takes the largest length as the rank.
    if counts is None or counts[0].max is None or counts[0].max > _MOST_DIMS:
        return [tensor(None, kind)]
    return [tensor([ANY] * counts[0].max, kind)]


def _require_range(node: Node) -> None:
    """Refuse numbers of which the first is not less than the second."""
    low, high = node.value(1), node.value(2)
    if (
        not low
        or not high
        or isinstance(low[0], Interval)
        or isinstance(high[0], Interval)
    ):
        return
    if not low[0] < high[0]:
        node.refuse(
            "min_val",
            f"min_val is {low[0]:g}, less than max_val {high[0]:g} is expected",
        )


MULTINOMIAL = Declaration(
    "Multinomial",
    13,
    (Input("probs", REALS), Input("num_samples", INTEGERS)),
    (
        Attribute("convert_type", "type", "dynamic", required=True),
        Attribute("with_replacement", "boolean", False, required=True),
        Attribute("log_probs", "boolean", False, required=True),
        *_SEEDS,
    ),
    _multinomial,
    "generation/multinomial-13",
)
RANDOM_UNIFORM = Declaration(
    "RandomUniform",
    8,
    (Input("shape", INT32_64), Input("min_val"), Input("max_val")),
    (
        Attribute("output_type", "type", "dynamic", required=True),
        *_SEEDS,
        Attribute("alignment", "enum", "tensorflow", values=("tensorflow", "pytorch")),
    ),
    _random_uniform,
    "generation/random-uniform-8",
)
DECLARATIONS = (MULTINOMIAL, RANDOM_UNIFORM)
