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

from ovgather.ir.numbers import leading_integer, strict_integer
from ovgather.validation.context import File, Findings, Fix, GatherLayer, Layer, Rule

RULE = Rule("OVG103", "attribute that is not a plain integer", "error", "rejects accepts", "safe")


def check(file: File) -> Findings:
    for gather in file.gather_layers_where(lambda gather: bool(_suspects(gather))):
        for name in _suspects(gather):
            text, layer = gather.layer.data[name], gather.layer
            if text.startswith("&") and text.endswith(";"):
                continue  # OVG006 reports an entity: its meaning is unknown
            number = leading_integer(text, sign="-")
            verdict, effect, help = "rejects", "rejects it without naming the layer", None
            if number is not None:
                verdict, effect, help = "accepts", f"reads it as {number}", f"write {number}, if that is meant"
            message, fix = f"{name} {text!r} is not an integer", partial(_fix, file, layer, name)
            yield file.report(RULE, message, f"data/{name}", layer, verdict, effect, help=help, fix=fix)


def _suspects(gather: GatherLayer) -> list[str]:
    names = [attribute.name for attribute in gather.operation.attributes if attribute.name in gather.layer.data]
    return [name for name in names if strict_integer(gather.layer.data[name]) is None]


def _fix(file: File, layer: Layer, name: str) -> Fix | None:
    """The number that OpenVINO reads; of a text that it rejects, only an unambiguous one such as ``+1``."""
    text = layer.data[name]
    number = leading_integer(text, sign="-")
    if number is None:
        number = strict_integer(text.strip().removeprefix("+"))
    data, what = file.element(layer).first("data"), f"{name} is {number}"
    return file.fixes.value(data, name, str(number), what) if number is not None else None
