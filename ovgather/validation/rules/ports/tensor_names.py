r"""What: ``names`` of an output port has an empty item (``a,,b``), ends with a backslash, or repeats a name of another
output of the model.

Why: programs access tensors by name.

OpenVINO: drops empty items, keeps the backslash as a character (``\,`` is a comma within a name), and silently renames
the second of two equal names, ``t`` to ``t_1``.

Bad::

    <port id="0" precision="FP32" names="scores,,logits">

Good::

    <port id="0" precision="FP32" names="scores,logits">
"""

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator

from ovgather.ir.graph import Layer
from ovgather.ir.positions import Element, split_names
from ovgather.validation.context import File, Findings
from ovgather.validation.diagnostic import Diagnostic
from ovgather.validation.releases import SEEN

CODE = "OVG213"
TITLE = "tensor names that are lost or changed"
SEVERITIES = ("warning",)
VERDICTS = ("accepts",)
_KEEPS = f"keeps it as a letter of the name ({SEEN['tensor-names'].on}: dies while it reads the file)"
_PLAIN = re.compile(rb' names="([^"]*)"')
_ANY = re.compile(rb"""\snames\s*=\s*(?:"([^"]*)"|'([^']*)')""")
# Fixed letters first: found ten times as quickly. The group holds names that are written as everybody writes them, from
# the quote on, and nothing of others.
_BOTH = re.compile(rb"""names(?:=("(?<= names=")[^"]*)"|(?<=\snames)\s*=)""")


def check(file: File) -> Findings:
    """The names of all outputs, where the text shows that some may be wrong."""
    data, end = file.model.source.data, _end(file)
    if file.model.fatal or not _may_be_wrong(_BOTH.findall(data, 0, end)):
        return
    owners: dict[str, Layer] = {}
    for layer, odd in _suspects(file, data, end):
        if odd or layer.graph.parent is None:
            yield from _names(file, layer, owners)


def _end(file: File) -> int:
    """Where names end: a file has its edges behind its layers."""
    graph = file.model.graph
    behind = graph.edges and graph.layers and graph.edges[0].offset > graph.layers[-1].offset
    return graph.edges[0].offset if behind else len(file.model.source.data)


def _may_be_wrong(texts: list[bytes]) -> bool:
    """Whether any names repeat, are empty, hold a backslash, or are written in an unusual way."""
    joined = b",".join(texts).replace(b'"', b"")
    names = joined.split(b",")
    return len(set(names)) < len(names) or (bool(texts) and b"" in names) or b"\\" in joined


def _suspects(file: File, data: bytes, end: int) -> Iterator[tuple[Layer, bool]]:
    """The layers with a name that comes more than once, and those whose names are odd in themselves (True)."""
    layers = sorted(file.layers, key=lambda layer: layer.offset)
    offsets = [layer.offset for layer in layers]
    pattern = _ANY if b"" in _BOTH.findall(data, 0, end) else _PLAIN
    matches = [(match.start(), match[match.lastindex or 1]) for match in pattern.finditer(data, 0, end)]
    counts = Counter(name for _, text in matches for name in set(text.split(b",")))
    last = -1
    for start, text in matches:
        odd = b",," in text or text.startswith(b",") or text.endswith((b",", b"\\"))
        index = bisect_right(offsets, start) - 1
        if index > last and (odd or any(counts[name] > 1 for name in text.split(b","))):
            last = index
            yield layers[index], odd


def _names(file: File, layer: Layer, owners: dict[str, Layer]) -> Findings:
    for port in file.element(layer).ports("output"):
        text = port.attributes.get("names")
        if not text:
            continue
        if "" in re.split(r"(?<!\\),", text):
            yield _finding(file, layer, port, f"names {text!r} has an empty item", "drops the empty item")
        if text.endswith("\\"):
            message = f"names {text!r} ends with a backslash that escapes nothing"
            yield _finding(file, layer, port, message, _KEEPS)
        for name in dict.fromkeys(split_names(text)) if layer.graph.parent is None else ():
            owner = owners.setdefault(name, layer)
            if owner is not layer and owner.id != layer.id:  # OVG109 reports two layers of one id
                message = f'tensor name {name!r} is taken by layer {owner.id} "{owner.name}"'
                yield _finding(file, layer, port, message, "renames it, with a number at its end")


def _finding(file: File, layer: Layer, port: Element, message: str, effect: str) -> Diagnostic:
    span = port.attribute_span("names")
    return file.report(CODE, "warning", message, span, layer=layer, openvino="accepts", effect=effect)
