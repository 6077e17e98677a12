"""What: an output port declares dims or a precision that its layer does not compute. This holds for every type of
OpenVINO's opsets; OVG203 reports the output of a Gather layer.
Why: the file contradicts itself. A precision is a warning. Either the port is wrong, or an attribute, a constant or an
edge of the layer is. Where several layers compute something else, the finding is at the first of them.
OpenVINO: ignores ports, and infers shapes and types anew. Layers behind may reject what is computed.
Bad::
    data [2,3], [2,5] -> Concat, axis 1 -> port [2,9]
Good::
    data [2,3], [2,5] -> Concat, axis 1 -> port [2,8]
"""

from ovgather.layers.tensors import port_tensor
from ovgather.tensor.tensor import Tensor
from ovgather.validation.context import File, Findings, Port, Rule
from ovgather.validation.facts.flow import IGNORES_PORTS

RULE = Rule(
    "OVG215",
    "declared output that differs from the computed one",
    "error warning",
    "accepts",
    needs="deviations.roots",
)


def check(file: File) -> Findings:
    for layer in file.deviations.roots:
        if layer.offset in file.gathers or layer.type in ("Parameter", "Const"):
            continue
        tensors = file.forward.outputs[layer.offset]
        for index, (tensor, port) in enumerate(
            zip(tensors, layer.outputs, strict=False)
        ):
            difference = _difference(tensor, port)
            if difference is not None and layer.is_read(index):
                severity, message, part = difference
                place = f"output/{index}{part}"
                yield file.report(
                    RULE,
                    f"output {index} {message}",
                    place,
                    layer,
                    effect=IGNORES_PORTS,
                    severity=severity,
                )
                break


def _difference(tensor: Tensor, port: Port) -> tuple[str, str, str] | None:
    """The severity, what a port says beside the computed tensor, and the part of the port; None: both agree."""
    declared = port_tensor(port)
    if not tensor.shape.compatible(declared.shape):
        dim = _first_dim(tensor, port)
        if dim is None:
            part = ""
        else:
            part = f"/dim/{dim}"
        return (
            "error",
            f"is declared {declared.shape}, but the layer computes {tensor.shape}",
            part,
        )
    kind = declared.element_type
    if (
        kind is not None
        and "dynamic" not in (kind.name, tensor.element_type)
        and kind.name != tensor.element_type
    ):
        return (
            "warning",
            f"is declared {kind.name}, but the layer computes {tensor.element_type}",
            "/precision",
        )
    return None


def _first_dim(tensor: Tensor, port: Port) -> int | None:
    """The first dim that differs; None where the ranks do."""
    declared = port_tensor(port).shape
    if declared.rank != tensor.shape.rank:
        return None
    pairs = zip(tensor.shape, declared, strict=True)
    return next(
        index for index, (dim, other) in enumerate(pairs) if not dim.compatible(other)
    )
