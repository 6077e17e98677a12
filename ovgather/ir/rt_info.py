"""The ``<rt_info>`` of layers and ports: OpenVINO checks a little of it in IR v11, and rejects what it dislikes."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ovgather.ir.model import Layer
    from ovgather.ir.reader import Reader

_LAYOUT = re.compile(r"\[?[A-Za-z0-9_,?. ]*\]?", re.ASCII)


def read(reader: Reader, layer: Layer, where: str) -> None:
    """Go through the element just opened: a repeated attribute or a bad layout is a problem, the rest is not."""
    parser = reader.parser
    before = (parser.StartElementHandler, parser.EndElementHandler)
    seen: set[tuple[str, str]] = set()
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
    seen: set[tuple[str, str]],
    layer: Layer,
    where: str,
    offset: int,
) -> None:
    """File what is wrong with one ``<attribute>`` of an ``<rt_info>``; ``seen`` gathers those before it."""
    label = attributes.get("name", "")
    key = (label, attributes.get("version", ""))
    if key in seen:
        reader.problem("rt-info-repeated", label, where, layer, offset)
    seen.add(key)
    layout = attributes.get("layout") if label == "layout" else None
    if layout is not None and not _LAYOUT.fullmatch(layout):
        reader.problem("rt-info-layout", "layout", layout, layer, offset)
