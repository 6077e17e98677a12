"""Einsum: sums of products along the dims that an equation names.

Page: matrix/einsum-7.
"""

from __future__ import annotations

from typing import NamedTuple

from ovgather.ops.declaration import (
    NUMBERS,
    Attribute,
    Declaration,
    Dims,
    Input,
    Node,
    tensor,
)
from ovgather.ops.declared.algebra._known import require_numeric
from ovgather.ops.declared.common.broadcasting import broadcast_dim, broadcast_dims
from ovgather.ops.declared.common.checks import require_elements_for_plugin
from ovgather.tensor.dimension import ANY, Dimension
from ovgather.tensor.tensor import Tensor

ELLIPSIS = "..."


class Equation(NamedTuple):
    """The labels of each input and of the output; three dots are a label."""

    inputs: list[list[str]]
    output: list[str]


class LabelSizes:
    """What the inputs say of the dims of each label.

    Attributes:
        dims: by label, those of one letter.
        ellipsis: the dims that three dots stand for, in inputs of known rank.
    """

    def __init__(self) -> None:
        self.dims: dict[str, Dimension] = {}
        self.ellipsis: Dims = ()


def _infer(node: Node) -> list[Tensor]:
    node.require_count()
    require_numeric(node, 0)
    for index in range(1, len(node.inputs)):
        if "dynamic" not in (node.type(0), node.type(index)) and node.type(
            index
        ) != node.type(0):
            name = node.input_name(index)
            node.refuse(
                name,
                f"{name} is {node.type(index)}, {node.input_name(0)} is {node.type(0)}: they must be equal",
            )
    if node.has(1):  # it becomes a product of matrices
        places = range(len(node.inputs))
        require_elements_for_plugin(node, *places, stage="sometimes")
    equation = _parse(node)
    if len(equation.inputs) != len(node.inputs):
        node.refuse(
            "equation",
            f"the equation names {len(equation.inputs)} inputs, {len(node.inputs)} are given",
        )
    if len({*equation.output}) < len(equation.output):
        node.refuse_on_compile(
            "equation", "a label that is twice in an input has no place in the output"
        )
    _require_transposition(node, equation)
    sizes = LabelSizes()
    for index, labels in enumerate(equation.inputs):
        if (
            node.dims(index) is None
            and ELLIPSIS in labels
            and ELLIPSIS in equation.output
        ):
            # OpenVINO does not look at the inputs behind it.
            return [tensor(None, node.type(0))]
        _take_input(node, index, labels, sizes)
    return [tensor(_output_dims(node, equation.output, sizes), node.type(0))]


def _require_transposition(node: Node, equation: Equation) -> None:
    """Refuse on compile what computes with strings."""
    is_moved = len(equation.inputs) == 1 and {*equation.inputs[0]} == {*equation.output}
    if node.type(0) == "string" and not is_moved:
        node.refuse_on_compile("equation", "the CPU plugin only moves strings")


def _parse(node: Node) -> Equation:
    left, arrow, right = node["equation"].partition("->")
    inputs = [_labels(node, subscript) for subscript in left.split(",")]
    if arrow:
        return Equation(inputs, _labels(node, right))
    counts: dict[str, int] = {}
    for labels in inputs:
        for label in set(labels):
            counts[label] = counts.get(label, 0) + 1
    single = sorted(
        [
            label
            for labels in inputs
            for label in labels
            if label != ELLIPSIS and counts[label] == 1
        ]
    )
    return Equation(inputs, [ELLIPSIS, *single] if ELLIPSIS in counts else single)


def _labels(node: Node, subscript: str) -> list[str]:
    before, dots, after = subscript.partition(ELLIPSIS)
    letters = before + after
    if letters and not (letters.isascii() and letters.isalpha()):
        node.refuse(
            "equation",
            f"subscript {subscript[:40]!r} must consist of letters, with one ellipsis at most",
        )
    if dots:
        return [*before, ELLIPSIS, *after]
    return [*before]


def _take_input(node: Node, index: int, labels: list[str], sizes: LabelSizes) -> None:
    """Add what an input says of its labels."""
    dims, name = node.dims(index), node.input_name(index)
    own, spread = _own_dims(node, index, labels, dims)
    if ELLIPSIS in labels and dims is not None:
        both = broadcast_dims(sizes.ellipsis, spread)
        if both is None:
            node.refuse(
                name,
                f"the dims that ... stands for in {name} cannot be broadcast to those before it",
            )
        sizes.ellipsis = both
    for label, dim in own.items():
        earlier = sizes.dims.get(label)
        if earlier is None or dims is None:
            sizes.dims.setdefault(label, dim)
            continue
        joined = broadcast_dim(earlier, dim)
        if joined is None:
            node.refuse(
                name, f"label {label} stands for dim {earlier}, and for {dim} in {name}"
            )
        sizes.dims[label] = joined


def _own_dims(
    node: Node, index: int, labels: list[str], dims: Dims | None
) -> tuple[dict[str, Dimension], Dims]:
    """The dims of each letter in one input, and those that three dots stand for."""
    if dims is None:
        return {label: ANY for label in labels if label != ELLIPSIS}, ()
    name = node.input_name(index)
    rest = len(dims) - len(labels)
    if rest < -1 or (rest != 0 and ELLIPSIS not in labels):
        text = "".join(labels)
        node.refuse(
            name,
            f"{name} has rank {len(dims)}, its subscript {text!r} names {len(labels)} dims",
        )
    own: dict[str, Dimension] = {}
    spread: Dims = ()
    place = 0
    for label in labels:
        if label == ELLIPSIS:
            spread = dims[place : place + rest + 1]
            place += rest + 1
            continue
        dim = dims[place]
        place += 1
        if label in own and not own[label].compatible(dim):
            node.refuse(
                name, f"label {label} stands for dims {own[label]} and {dim} of {name}"
            )
        if label in own:
            own[label] = own[label] & dim
        else:
            own[label] = dim
    return own, spread


def _output_dims(node: Node, labels: list[str], sizes: LabelSizes) -> Dims:
    dims: list[Dimension] = []
    for label in labels:
        if label == ELLIPSIS:
            dims.extend(sizes.ellipsis)
        elif label in sizes.dims:
            dims.append(sizes.dims[label])
        else:
            node.refuse("equation", f"label {label} of the output is in no input")
    return tuple(dims)


DECLARATIONS = (
    Declaration(
        "Einsum",
        7,
        (Input("input", NUMBERS, repeated=True),),
        (Attribute("equation", "text", "", required=True),),
        _infer,
        "matrix/einsum-7",
    ),
)
