"""What a message of OpenVINO tells of the place that it is about.

OpenVINO names no line. It gives an offset in the text, the name or id of a layer, a node by a made-up name with its
inputs, or the text of an attribute; or nothing of the kind.
"""

import re
from collections.abc import Iterable
from operator import attrgetter
from typing import NamedTuple

from ovgather.ir.graph import Layer
from ovgather.ir.model import Model
from ovgather.layers.reference import LayerReference, reference

_OFFSET = re.compile(r"\bat offset (\d{1,18})\b")
_LAYER_AND_ID = re.compile(r"\blayer (.+?) (?:with )?id: ?(\d+)")
_LAYER = [
    re.compile(pattern)
    for pattern in (r"\bin layer (.+)$", r"\bOperation name: (.+)$", r"\bnode with name '(.+?)'", r"\bname: '(.+?)'")
]
_NODE = re.compile(r"\bnode:? '?opset\d+::(\w+) (\S+) \((.*?)\) -> ")
_INPUT = re.compile(r"opset\d+::\w+ (.+?)\[\d+\]:")
_TEXTS = [
    re.compile(pattern)
    for pattern in (
        r"Cannot parse '(.*?)' (?:to|in)\b",
        r'Cannot parse dimension: "(.*?)"',
        r'dimensions! "(.*?)" is',
        r' = "(.*?)" which is not',
        r"^dimension \((.*?)\) in node",
        r"Unsupported element type: (\S+)",
        r'"(.*?)" is not a member',
        r"mandatory attribute: (\S+)",
        r"Missing attribute '(.*?)'",
        r"attributes are detected: (\S+)",
        r"operation with type: (.+?)$",
        r"unsupported opset: (\S+)$",
    )
]
_TYPE = re.compile(r"operation with type: (.+?)$|^Missing attribute '.*?' for (\w+)")


class Spot(NamedTuple):
    """A byte of the parsed text, the line it stands in, and the last layer that starts before it."""

    offset: int
    line: int
    layer: LayerReference | None


class Clues(NamedTuple):
    """What the message tells: a place that OpenVINO stopped at, the layers it may mean, texts it quotes."""

    spot: Spot | None
    layers: tuple[Layer, ...]
    texts: tuple[str, ...]


def clues(message: str, model: Model) -> Clues:
    """The clues in ``message`` to a position in ``model``."""
    offset = _OFFSET.search(message)
    texts = tuple(match[1] for pattern in _TEXTS for match in pattern.finditer(message))
    return Clues(_spot(int(offset[1]), model) if offset else None, tuple(_layers(message, model)), texts)


def _spot(offset: int, model: Model) -> Spot:
    source = model.source
    # Of UTF-16 and UTF-32 it counts in the UTF-8 that it makes of them, in which the mark takes up three bytes.
    mark = 3 if source.encoding in ("utf-16", "utf-32") else 0
    offset = max(0, min(offset - mark, len(source.original) - 1))
    parsed = offset + sum(len(edit.inserted) - edit.removed for edit in source.edits if edit.start < offset)
    before = [layer for layer in model.layers() if layer.offset <= parsed]
    around = max(before, key=attrgetter("offset"), default=None)
    return Spot(parsed, source.original_position(offset)[0], reference(around) if around is not None else None)


def _layers(message: str, model: Model) -> Iterable[Layer]:
    layers = list(model.layers())
    if match := _LAYER_AND_ID.search(message):
        return [layer for layer in layers if layer.name == match[1] and layer.id == int(match[2])]
    if match := next(filter(None, (pattern.search(message) for pattern in _LAYER)), None):
        return [layer for layer in layers if layer.name == match[1]]
    if match := _NODE.search(message):
        # While it is built, a node has a made-up name, but its inputs have theirs.
        alike = [layer for layer in layers if layer.type.lower() == match[1].lower()]
        same_name = [layer for layer in alike if layer.name == match[2]]
        inputs = _INPUT.findall(match[3])
        return same_name or [layer for layer in alike if _producers(layer) == inputs] or alike
    if match := _TYPE.search(message):
        return [layer for layer in layers if layer.type == (match[1] or match[2])]
    return ()


def _producers(layer: Layer) -> list[str | None]:
    return [source[0].name if source is not None else None for source in layer.graph.producers(layer)]
