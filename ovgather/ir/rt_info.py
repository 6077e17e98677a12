"""The ``<rt_info>`` of layers and ports: OpenVINO checks a little of it in IR v11, and rejects what it dislikes."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ovgather.ir.model import Layer
    from ovgather.ir.reader import Reader

_KNOWN = frozenset(
    (
        "fused_names",
        "primitives_priority",
        "old_api_map_order",
        "old_api_map_element_type",
        "decompression",
        "layout",
        "preprocessing",
        "memory_type",
        "precise",
    )
)
"""What OpenVINO reads, where the version is 0; whatever else may stand there is passed over."""
_LAYOUT_NAME = re.compile(r"[A-Za-z0-9_]*[A-Za-z0-9][A-Za-z0-9_]*", re.ASCII)
_BLANKS = " \t\n\r\f\v"


def read(reader: Reader, layer: Layer, where: str) -> None:
    """Go through the element just opened: a repeated attribute or a bad layout is a problem, the rest is not."""
    parser = reader.parser
    before = (parser.StartElementHandler, parser.EndElementHandler)
    seen: set[str] = set()
    depth = 0

    def start(name: str, attributes: dict[str, str]) -> None:
        nonlocal depth
        depth += 1
        if depth > reader.max_depth:
            reader.too_deep()
        if depth == 1 and name == "attribute":
            check(reader, attributes, seen, layer, where, reader.at())

    def end(name: str) -> None:
        nonlocal depth
        depth -= 1
        if depth < 0:
            parser.StartElementHandler, parser.EndElementHandler = before

    parser.StartElementHandler = start
    parser.EndElementHandler = end


def check(
    reader: Reader,
    attributes: dict[str, str],
    seen: set[str],
    layer: Layer,
    where: str,
    offset: int,
) -> None:
    """File what is wrong with one ``<attribute>`` of an ``<rt_info>``; ``seen`` gathers those before it."""
    label = attributes.get("name", "")
    if label not in _KNOWN or attributes.get("version") != "0":
        return
    if label in seen:
        reader.problem("rt-info-repeated", label, where, layer, offset)
    seen.add(label)
    layout = attributes.get("layout") if label == "layout" else None
    if layout is not None and not is_layout(layout):
        reader.problem("rt-info-layout", "layout", layout, layer, offset)


def is_layout(text: str) -> bool:
    """Whether OpenVINO takes ``text`` for a layout.

    >>> [text for text in ("NCHW", "[N,...,batch]", "N?", "NN", "[N,C", "N,C") if not is_layout(text)]
    ['NN', '[N,C', 'N,C']
    """
    layout = text.strip(_BLANKS)
    if not text or layout == "**SCALAR**":
        return True
    if len(layout) >= 2 and layout[0] == "[" and layout[-1] == "]":
        names = [name.strip(_BLANKS) for name in layout[1:-1].split(",")]
        if len(names) > 1 and not names[-1]:
            names.pop()  # a comma at the end is taken
    else:
        names = re.findall(r"\.\.\.|.", layout, re.DOTALL)
    named = [name.upper() for name in names if name not in ("?", "...")]
    known = all(_LAYOUT_NAME.fullmatch(name) for name in named) and len(set(named)) == len(named)
    return bool(names) and known and names.count("...") <= 1
