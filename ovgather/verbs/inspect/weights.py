"""What is compressed in a model, and what its tables weigh."""

from __future__ import annotations

from collections.abc import Iterator
from math import prod

from ovgather.layers.formats import AnyModel
from ovgather.layers.gather_layer import is_family_type
from ovgather.tensor import element_type
from ovgather.verbs.inspect.records import CompressedWeights, TableSize
from ovgather.verbs.network.of_model import Folded, of_model
from ovgather.verbs.network.records import Form, NetworkConstant


def stored_weights(
    model: AnyModel,
) -> tuple[tuple[CompressedWeights, ...], tuple[TableSize, ...]]:
    """The compressed weights by their form, the largest part first, and the constants that Gather layers index."""
    folded = of_model(model)
    forms: dict[Form, list[NetworkConstant]] = {}
    for number, node in enumerate(folded.network.nodes):
        constant = node.constant
        if (
            number not in folded.inner
            and constant is not None
            and constant.form.is_compressed
        ):
            forms.setdefault(constant.form, []).append(constant)
    compressed = [
        CompressedWeights(
            *form,
            len(some),
            sum(each.size for each in some),
            sum(map(_plain_size, some)),
        )
        for form, some in forms.items()
    ]
    tables = sorted(_tables(folded), key=lambda table: -table.size)
    return tuple(sorted(compressed, key=lambda each: -each.size)), tuple(tables)


def _plain_size(constant: NetworkConstant) -> int:
    """The bytes of the values as the layers behind see them."""
    kind = element_type.find(constant.form.computed)
    return prod(constant.shape) * (kind.bits if kind is not None else 0) // 8


def _tables(folded: Folded) -> Iterator[TableSize]:
    nodes = folded.network.nodes
    seen = set[int]()
    for number, node in enumerate(nodes):
        source = None
        if node.inputs:
            source = node.inputs[0]
        is_reader = (
            number not in folded.inner
            and is_family_type(node.type)
            and source is not None
        )
        if is_reader and source is not None and source[0] not in seen:
            table = nodes[source[0]]
            constant = table.constant
            if constant is not None and len(constant.shape) > 1:
                seen.add(source[0])
                yield TableSize(
                    node.layer,
                    table.layer.name,
                    constant.shape,
                    str(constant.form),
                    constant.size,
                )
