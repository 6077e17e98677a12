"""What: a Parameter of static shape, or the output of a Gather layer, takes more than 256 TiB (2^48 bytes).
Why: no process can address so much memory. Usually a dim is corrupt, or it stands for an unknown dim: write ``?``.
OpenVINO: reads the file, but fails to allocate the inputs when it compiles the model for the CPU: "Cannot allocate
memory for type: f32 and shape: [2147483648,1,2147483648]", or ``std::bad_alloc``. Tensors with a dynamic dim are
allocated only when the model runs.
Bad::
    <data shape="2147483648,1,2147483648" element_type="f32"/>
Good::
    <data shape="?,1,?" element_type="f32"/>
"""

from ovgather.layers.tensors import output_tensor, too_large
from ovgather.validation.context import (
    ElementType,
    File,
    Findings,
    GatherLayer,
    PartialShape,
    Rule,
)

RULE = Rule("OVG709", "tensor larger than any memory", "error", "rejects_on_compile")
_LARGEST = (1 << 63) - 1
_EFFECT = "reads it; there is no memory for it when it compiles it for the CPU"


def check(file: File) -> Findings:
    large = set()
    if not file.model.snippet:
        for layer in file.layers_of(["Parameter"]):
            if (
                "shape" not in layer.data
                or not layer.outputs
                or layer.graph.parent is not None
            ):
                continue
            tensor = output_tensor(layer, 0)
            if (
                tensor.certain
                and (size := _size(tensor.shape, tensor.element_type)) is not None
            ):
                large.add(layer)
                message = f"a Parameter of shape {tensor.shape} takes {size}"
                help = "is one of the dims not known? Then it is ?"
                yield file.report(
                    RULE, message, "data/shape", layer, effect=_EFFECT, help=help
                )
    for gather in file.unusual_gathers_where(
        lambda gather: _output_size(gather) is not None
    ):
        sources = [
            gather.layer.producer(index) for index in range(len(gather.layer.inputs))
        ]
        if gather.inference is not None and not any(
            source is not None and source[0] in large for source in sources
        ):
            message = f"the output of shape {gather.inference.shape} takes {_output_size(gather)}"
            yield file.report(RULE, message, "output/0", gather.layer, effect=_EFFECT)


def _output_size(gather: GatherLayer) -> str | None:
    if gather.inference is None:
        return None
    return _size(gather.inference.shape, gather.output_type)


def _size(shape: PartialShape, kind: ElementType | None) -> str | None:
    """The bytes of a tensor that no memory holds; None for any other tensor."""
    # OVG210 reports dims beyond 63 bits, which OpenVINO reads as others.
    size = too_large(shape, kind)
    if size is None or any(dim.length >= _LARGEST for dim in shape):
        return None
    if size < 1 << 100:
        return f"{size} bytes"
    return "more than 2^100 bytes"
