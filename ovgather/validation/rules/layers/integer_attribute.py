"""What: ``axis`` or ``batch_dims`` is not written as digits with at most a minus sign, or exceeds 64 bits.

Why: OpenVINO reads the leading digits and ignores the rest, so it runs with another value than the one written.

OpenVINO: reads ``1.9``, ``1abc`` and ``1,2`` as 1, and ``0x1`` as 0. It rejects ``+1``, an empty text and words,
without naming the layer.

Bad::

    <data axis="1.9" />

Good::

    <data axis="1" />
"""

from functools import partial

from ovgather.ir.graph import Layer
from ovgather.ir.numbers import leading_integer, strict_integer
from ovgather.layers.gather_layer import GatherLayer
from ovgather.validation.context import File, Findings
from ovgather.validation.diagnostic import Fix

CODE = "OVG103"
TITLE = "attribute that is not a plain integer"
SEVERITIES = ("error",)
VERDICTS = ("rejects", "accepts")


def check(file: File) -> Findings:
    """The text of integer attributes."""
    for gather in file.gather_layers_where(_may_be_wrong):
        for attribute in gather.operation.attributes:
            text = gather.layer.data.get(attribute.name)
            # An entity is dealt with where it stands: what it was meant to say is not known.
            if text is None or strict_integer(text) is not None or (text.startswith("&") and text.endswith(";")):
                continue
            read = leading_integer(text, sign="-")
            accepted = read is not None
            yield file.report(
                CODE,
                "error",
                f"{attribute.name} {text!r} is not an integer",
                file.data_span(gather.layer, attribute.name),
                layer=gather.layer,
                openvino="accepts" if accepted else "rejects",
                effect=f"reads it as {read}" if accepted else "rejects it without naming the layer",
                help=f"write {read}, if that is meant" if accepted else None,
                fix=partial(_fix, file, gather.layer, attribute.name),
            )


def _may_be_wrong(gather: GatherLayer) -> bool:
    texts = [gather.layer.data.get(attribute.name) for attribute in gather.operation.attributes]
    return not all(text is None or strict_integer(text) is not None for text in texts)


def _fix(file: File, layer: Layer, name: str) -> Fix | None:
    """What OpenVINO reads; of text that it rejects only what can mean nothing else, such as ``+1``."""
    text = layer.data[name]
    read = leading_integer(text, sign="-")
    if read is None:
        read = strict_integer(text.strip().removeprefix("+"))
    data = file.element(layer).first("data")
    if read is None or data is None:
        return None
    return file.fixes.value(data, name, str(read), f"{name} is {read}")
