"""What: a Gather layer has a meaning that ONNX's operation of the same name lacks: an element type, an index type,
``batch_dims`` of a Gather, one output dim for all batch dims (GatherND-5), empty index tuples, a computed axis, zeros
for an index out of range (unless the indices are constants in range). Reported only on request: ``--select OVG,OVG85``.
Why: to move the model to ONNX, the layer must be rebuilt from several nodes, or cannot be moved. ``ovgather convert``
does what is possible. ``ovgather explain portability`` shows the results of each runtime.
OpenVINO: accepts it; the layer is valid.
Bad::
    <layer … type="Gather" version="opset8"><data batch_dims="1" /> …
Good::
    <layer … type="GatherElements" version="opset6"><data axis="1" /> …   <!-- f32 data, i64 indices -->
"""

from collections.abc import Iterator

from ovgather.tensor.shape import ANY
from ovgather.validation.context import File, Findings, GatherLayer, Rule

RULE = Rule(
    "OVG851",
    "layer without an ONNX equivalent",
    "note",
    "accepts",
    needs="gather_layers",
)


def check(file: File) -> Findings:
    for gather in file.gather_layers:
        if len(gather.tensors) < 2 or gather.errors:
            continue
        for message, help in (*_types(gather), *_semantics(gather)):
            yield file.report(RULE, message, "name", gather.layer, help=help)


def _types(gather: GatherLayer) -> Iterator[tuple[str, str]]:
    from ovgather.ops import onnx  # few select this rule
    from ovgather.tensor.onnx_types import name_of

    operation = onnx.find(gather.operation.type)
    assert operation is not None
    for name, kind, declared in zip(
        ("data", "indices"), gather.element_types, operation.inputs, strict=False
    ):
        types = declared.types
        if (
            kind is None
            or kind.kind == "dynamic"
            or types is None
            or name_of(kind) in types
        ):
            continue
        if name == "data":
            yield (
                f"data are {kind}, which {operation.name} of ONNX does not take",
                "there is no equivalent",
            )
        else:
            names = " or ".join(sorted(types))
            yield (
                f"indices are {kind}, and {operation.name} of ONNX takes {names}",
                "a Cast before it",
            )


def _semantics(gather: GatherLayer) -> Iterator[tuple[str, str]]:
    kind = gather.operation.type
    batch = gather.batch_dims
    if kind == "Gather":
        if batch:
            yield (
                f"batch_dims is {batch}, and ONNX's Gather has no batch_dims",
                "use a GatherND with batch_dims",
            )
        if gather.axis_source == "unknown":
            yield (
                "the axis is computed or not known, and in ONNX it is an attribute",
                "there is no equivalent",
            )
        elif not _in_range(gather):
            yield (
                "an index outside gives zeros, and is an error in ONNX",
                "append a slice of zeros to data",
            )
    elif kind == "GatherND":
        if gather.operation.joins_batch_dims and batch > 1:
            yield (
                f"batch_dims {batch} come out as one dim, in ONNX as {batch}",
                "a Reshape after it",
            )
        dims = gather.shapes[1].dims
        if dims and dims[-1].max == 0:
            yield (
                "its index tuples are empty, which ONNX does not have",
                "there is no equivalent",
            )


def _in_range(gather: GatherLayer) -> bool:
    """Whether all indices are known and in range."""
    const = gather.constant(1)
    dims = gather.shapes[0].dims
    values = None
    if const is not None:
        values = const.integers()
    if dims is not None and gather.axis is not None:
        size = dims[gather.axis]
    else:
        size = ANY
    return (
        values is not None
        and size.is_static
        and all(-size.min <= value < size.min for value in values)
    )
