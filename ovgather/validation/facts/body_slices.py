"""How an entry of a ``<port_map>`` cuts a tensor into slices: its axis, start, end, stride and part_size."""

from collections.abc import Iterator
from typing import NamedTuple

from ovgather.ir.graph import Layer, Mapping
from ovgather.ir.numbers import read_id, whole_integer
from ovgather.validation.releases import SEEN

_NUMBERS = ("axis", "start", "end", "stride", "part_size")
_REFUSED = "reads it, and the CPU refuses it when it compiles it"
_CUTS = "reads and compiles it; what is cut then is not defined"


class Wrong(NamedTuple):
    """What is wrong with attribute ``name`` of an entry, and OpenVINO's ``verdict`` and its effect."""

    name: str
    message: str
    effect: str = ""
    verdict: str = "rejects"


def wrong_slices(layer: Layer, entry: Mapping) -> Iterator[Wrong]:
    """The attributes that are not numbers, and the numbers that give no slices."""
    numbers: dict[str, int] = {}
    for name in _NUMBERS:
        text = entry.attributes.get(name)
        if text is None:
            continue
        value = read_id(text) if name == "axis" and entry.name == "input" else whole_integer(text)
        if value is None:
            yield Wrong(name, f"{name} {text!r} is not a number")
        else:
            numbers[name] = value
    if layer.type == "If" or "axis" not in numbers:
        return
    if numbers.get("stride") == 0:
        dies = layer.type == "Loop"
        effect = f"reads it, and dies when it compiles it ({SEEN['stride'].on})" if dies else _REFUSED
        yield Wrong("stride", "stride 0 never comes to the end", effect, "crashes" if dies else "rejects_on_compile")
    size = numbers.get("part_size", 1)
    if size < 1:
        effect, verdict = _CUTS, "undefined"
        if layer.type == "TensorIterator":
            effect, verdict = _REFUSED, "rejects_on_compile"
            if size == 0 and entry.name == "input":
                effect = f"dies while it reads the file (SIGFPE; {SEEN['part-size'].on}): it divides by it"
                verdict = "crashes"
        yield Wrong("part_size", f"part_size {size}: slices of nothing", effect, verdict)
