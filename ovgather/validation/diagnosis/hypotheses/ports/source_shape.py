"""What: a Parameter or a Const, and its port, have another shape or element type than all that takes it.
Why: with the one that the layers behind it declare nothing contradicts anything.
Bad::
    Parameter [1,32,32,3] -> Convolution, whose input says [1,3,32,32]
Good::
    Parameter [1,3,32,32] -> Convolution, whose input says [1,3,32,32]
"""

from collections.abc import Iterator
from math import prod

from ovgather.ir.edit.layer_text import dims_text
from ovgather.ir.graph import Layer, Port
from ovgather.tensor import element_type
from ovgather.validation.diagnosis.case import Case, called, same
from ovgather.validation.diagnosis.hypothesis import Hypothesis
from ovgather.validation.diagnostic import Fix

ORDER = 22
_MANY = "{count} Parameters and Consts have another shape or type than what takes them"


def propose(case: Case) -> Iterator[Hypothesis]:
    for layer in case.nearby:
        is_source = layer.type in ("Parameter", "Const") and len(layer.outputs) == 1
        # If it is wrong, only one of its <data> and its port is; what flows into a body is none of both.
        is_given = layer.type == "Parameter" and layer.graph.parent is not None
        if is_source and (is_given or not case.is_wrong(layer)):
            takers = layer.consumers(0)
            ports = [target.inputs[index] for target, index in takers]
            if (
                ports
                and all(same(port, ports[0]) for port in ports)
                and not same(ports[0], layer.outputs[0])
            ):
                yield from _hypothesis(case, layer, ports[0])


def _hypothesis(case: Case, layer: Layer, port: Port) -> Iterator[Hypothesis]:
    fixes = case.file.fixes
    own = layer.outputs[0]
    data = case.element(layer).first("data")
    repairs: list[Fix | None] = []
    if port.dims != own.dims and port.dims:
        text = dims_text(port.dims)
        repairs += [
            fixes.port_dims(
                layer, "output", 0, case.file.forward.port_tensor(port).shape
            )
        ]
        repairs += [fixes.value(data, "shape", text, f"shape is {text}")]
        const = case.constant(layer)
        if const is not None and const.size == const.bytes_needed > 0:
            needed = const.size * prod(port.dims) // const.elements
            if needed not in (const.size, 0):
                repairs += [fixes.value(data, "size", str(needed), f"size is {needed}")]
    kind = element_type.from_port(port.precision or "")
    if kind is not None and port.precision != own.precision:
        repairs += [fixes.precision(layer, "output", 0, kind)]
        repairs += [
            fixes.value(data, "element_type", kind.name, f"element_type is {kind.name}")
        ]
    fitting = [fix for fix in repairs if fix is not None]
    if fitting:
        edits = tuple(edit for fix in fitting for edit in fix.edits)
        count = len([*layer.consumers(0)])
        if count == 1:
            takers = "its consumer declares"
        else:
            takers = f"all its {count} consumers declare"
        own_text = own.precision
        other_text = port.precision
        place = "data/element_type"
        if port.dims != own.dims and port.dims:
            place = "data/shape"
            own_text, other_text = (f"[{dims_text(each.dims)}]" for each in (own, port))
        message = f"{called(layer)} is a {layer.type} of {own_text}, but {takers} {other_text}"
        help = f"did you mean {other_text}?"
        what = "; ".join(fix.what for fix in fitting)
        yield Hypothesis(
            message,
            layer,
            place,
            edits,
            what,
            1.6,
            many=_MANY,
            help=help,
        )
