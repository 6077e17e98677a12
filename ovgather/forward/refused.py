"""What else is wrong with a layer that OpenVINO refuses: it stops at the first attribute or input that it rejects.

Such an attribute may have been meant to be anything, so it gets several values: what is refused with all of them is
refused, and what is computed with all of them is computed. Nothing is known of such inputs.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import islice, product
from typing import Any, NamedTuple

from ovgather.errors import ArgumentError
from ovgather.forward import evaluate
from ovgather.forward.attributes import readable_attributes
from ovgather.forward.records import Outputs
from ovgather.ir.graph import LayerSignature
from ovgather.ops.declaration import Attribute, Declaration, Node, Refused
from ovgather.tensor import element_type
from ovgather.tensor.dimension import ANY
from ovgather.tensor.shape import DYNAMIC_RANK, PartialShape, of_dims
from ovgather.tensor.tensor import Tensor

_INTEGERS = (1, 0, 2, 3, 4, 5, 6, 7, -1)
_LENGTHS = (2, 1, 3, 4, 0)
_NUMBERS = (1.0, 0.5, 0.0, 2.0)
_TYPES = tuple([each.name for each in element_type.ALL])
_MOST_TRIED = 64
_LEAST_AGREEING = 2
"""Fewer values say nothing of others."""
_UNKNOWN = Tensor(DYNAMIC_RANK, "dynamic")


class Rest(NamedTuple):
    """Why OpenVINO refuses a layer, and what is known of its outputs nevertheless."""

    errors: tuple[Refused, ...]
    outputs: Outputs


def looked_at(
    declaration: Declaration,
    signature: LayerSignature,
    data: dict[str, str],
    inputs: Outputs,
    first: Refused,
) -> Rest:
    """All that is wrong with a layer that OpenVINO refuses for the ``first`` reason."""
    attributes, unreadable = readable_attributes(declaration, data)
    errors = unreadable or [first]
    declared = {each.name: each for each in declaration.attributes}
    open = {each.argument for each in errors if each.argument in declared}
    is_known = bool(open)
    if not is_known:
        inputs = _unknown(declaration, inputs)
    while True:
        outcomes = []
        for values in _stand_ins([declared[name] for name in open], attributes):
            node = Node(
                declaration,
                inputs,
                {**attributes, **values},
                len(signature.outputs),
                {name: text for name, text in data.items() if name not in open},
            )
            outcome = _inferred(node, declared)
            if not isinstance(outcome, Refused) or outcome.argument not in open:
                outcomes.append(outcome)
        again = _common_refusal(outcomes, _LEAST_AGREEING if open else 1)
        if again is None or not (is_known or again.argument in declared):
            break
        errors.append(again)
        if again.argument in declared:
            open.add(again.argument)
        else:
            is_known = False
            inputs = _unknown(declaration, inputs)
    computed = [each for each in outcomes if not isinstance(each, Refused)]
    return Rest(tuple(errors), _common(computed) if is_known else ())


def _unknown(declaration: Declaration, inputs: Outputs) -> Outputs:
    """As many tensors as the operation takes, of which nothing is known."""
    count = max(len(inputs), declaration.least_inputs)
    if not (declaration.inputs and declaration.inputs[-1].repeated):
        count = min(count, len(declaration.inputs))
    return (_UNKNOWN,) * count


def _inferred(node: Node, declared: Collection[str]) -> list[Tensor] | Refused:
    """The outputs, or why OpenVINO does not take the node: of what it does not compile, only an attribute."""
    try:
        outputs = evaluate.infer(node)
    except Refused as error:
        return error.without_frames()
    except ArgumentError as error:  # a length beyond 64 bits
        return Refused("inputs", str(error))
    late = node.compile_error
    return outputs if late is None or late.argument not in declared else late


def _stand_ins(
    open: Collection[Attribute], attributes: Mapping[str, Any]
) -> Iterator[dict[str, Any]]:
    """Values for the attributes that are ``open``, beside ``attributes`` that OpenVINO takes."""
    most = int(_MOST_TRIED ** (1 / max(1, len(open))))
    values = [_values(each, open, attributes)[: max(2, most)] for each in open]
    names = [each.name for each in open]
    for each in islice(product(*values), _MOST_TRIED):
        yield dict(zip(names, each, strict=True))


def _values(
    attribute: Attribute, open: Collection[Attribute], attributes: Mapping[str, Any]
) -> Sequence[Any]:
    kind = attribute.kind
    if attribute.values:
        return attribute.values
    if kind == "integer":
        return _INTEGERS
    if kind == "number":
        return _NUMBERS
    if kind == "type":
        return _TYPES
    if kind in ("integers", "numbers"):
        items = _INTEGERS if kind == "integers" else _NUMBERS
        lengths = _lengths(attributes, {each.name for each in open}) or _LENGTHS
        return [(item,) * length for item in items for length in lengths]
    return (DYNAMIC_RANK,) if kind == "shape" else (attribute.default,)


def _lengths(attributes: Mapping[str, Any], open: Collection[str]) -> list[int]:
    """How many items most of the lists have that OpenVINO takes: one of each spatial dim."""
    counts = Counter(
        len(value)
        for name, value in attributes.items()
        if isinstance(value, tuple) and value and name not in open
    )
    return [length for length, _ in counts.most_common(1)]


def _common_refusal(
    outcomes: Sequence[list[Tensor] | Refused], least: int
) -> Refused | None:
    """The refusal that all of ``outcomes`` are, if there are enough of them."""
    refusals = [each for each in outcomes if isinstance(each, Refused)]
    arguments = {each.argument for each in refusals}
    if len(arguments) == 1 and len(refusals) == len(outcomes) >= least:
        return refusals[0]
    return None


def _common(outcomes: Sequence[Sequence[Tensor]]) -> Outputs:
    """What all of ``outcomes`` say of the outputs."""
    outputs = []
    for tensors in zip(*outcomes, strict=False):
        kinds = {tensor.element_type for tensor in tensors}
        kind = kinds.pop() if len(kinds) == 1 else "dynamic"
        outputs.append(Tensor(_common_shape([each.shape for each in tensors]), kind))
    return tuple(outputs)


def _common_shape(shapes: Sequence[PartialShape]) -> PartialShape:
    if len(shapes) < _LEAST_AGREEING or len({shape.rank for shape in shapes}) > 1:
        return DYNAMIC_RANK
    dims = [shape.dims for shape in shapes]
    if None in dims:
        return DYNAMIC_RANK
    columns = zip(*[each for each in dims if each is not None], strict=True)
    return of_dims(tuple([each[0] if len({*each}) == 1 else ANY for each in columns]))
