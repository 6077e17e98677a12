"""What: a Convert that is marked as ``decompression`` has a Const of f16 and the ``destination_type`` f16, and a MatMul
or a convolution takes it.
Why: the mark says that the constant is stored in fewer bits than the layer takes. Usually a script replaced f32 by f16
in the whole text; ``compress_to_fp16`` leaves the Converts to f32.
OpenVINO: reads the file. When it compiles it for the CPU, it leaves out the Convert and keeps the constant as it is
stored, and computes everything else in f32: the element types of the layer differ.
Bad::
    <data destination_type="f16"/><rt_info><attribute name="decompression" version="0"/></rt_info>
Good::
    <data destination_type="f32"/><rt_info><attribute name="decompression" version="0"/></rt_info>
"""

from ovgather.forward.kernels import is_only_measured
from ovgather.validation.context import File, Findings, Layer, LayerSignature, Rule

RULE = Rule(
    "OVG715",
    "decompression to f16 of a constant that is f16",
    "error",
    "rejects_on_compile",
    needs="Convert",
)
_KEPT = "f16"
_MOST_SHOWN = 8
_MARK = {"name": "decompression", "version": "0"}
_OF_WEIGHTS = frozenset(
    [
        "Convolution",
        "ConvolutionBackpropData",
        "GroupConvolution",
        "GroupConvolutionBackpropData",
        "MatMul",
    ]
)
_EFFECT = "keeps the constant in f16 and computes the rest in f32: it does not compile the layer for the CPU"


def check(file: File) -> Findings:
    found = [
        (layer, readers[0])
        for layer in file.layers_where(_is_to_half, ["Convert"])
        if _keeps_half(file, layer)
        and (readers := _readers(file, layer))
        and _is_marked(file, layer)
    ]
    if not found:
        return
    layer, reader = found[0]
    message = f"the constant is {_KEPT} already, and {_called(reader)} takes it"
    if len(found) > 1:
        message += f" (and {len(found) - 1} more like it)"
    related = [
        (f"{_called(other)} takes this one", file.place(each, "data/destination_type"))
        for each, other in found[1:_MOST_SHOWN]
    ]
    yield file.report(
        RULE,
        message,
        "data/destination_type",
        layer,
        effect=_EFFECT,
        related=related,
    )


def _is_to_half(signature: LayerSignature) -> bool:
    return signature.data.get("destination_type", "").lower() == _KEPT


def _keeps_half(file: File, layer: Layer) -> bool:
    """Whether a Convert of the model itself, not of a body, has a Const of the type that it converts to."""
    source = layer.producer(0)
    if source is None or source[0].type != "Const" or layer.graph.parent is not None:
        return False
    return file.forward.inputs[layer.offset][0].element_type == _KEPT


def _readers(file: File, layer: Layer) -> list[Layer]:
    """The layers that OpenVINO compiles, and that multiply data that it does not know by what ``layer`` gives."""
    return [
        reader
        for reader, _ in layer.consumers(0)
        if reader.type in _OF_WEIGHTS
        and not all([each.is_constant for each in file.forward.inputs[reader.offset]])
        and file.is_built(reader)
        and not is_only_measured(reader, file.forward.outputs[reader.offset])
    ]


def _is_marked(file: File, layer: Layer) -> bool:
    information = file.element(layer).first("rt_info")
    if information is None:
        return False
    return any(
        [
            _MARK.items() <= mark.attributes.items()
            for mark in information.children.get("attribute", [])
        ]
    )


def _called(layer: Layer) -> str:
    return f'{layer.type} layer {layer.id} "{layer.name}"'
