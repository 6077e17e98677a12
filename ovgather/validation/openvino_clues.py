"""What a message of OpenVINO tells of the place that it is about.

OpenVINO names no line. It gives an offset in the text, the name or id of a layer, a node by a made-up name with its
inputs, or the text of an attribute; or nothing of the kind.
"""

import re
from collections.abc import Iterable
from typing import NamedTuple

from ovgather.ir.graph import Layer
from ovgather.ir.model import Model

_OFFSET = re.compile(r"\bat offset (\d{1,18})\b")
_LAYER_AND_ID = re.compile(r"\blayer (.+?) (?:with )?id: ?(\d+)")
_LAYER = (
    re.compile(r"\bin layer (.+)$"),
    re.compile(r"\bOperation name: (.+)$"),
    re.compile(r"\bnode with name '(.+?)'"),
    re.compile(r"\bname: '(.+?)'"),
)
_NODE = re.compile(r"\bnode:? '?opset\d+::(\w+) (\S+) \((.*?)\) -> ")
_INPUT = re.compile(r"opset\d+::\w+ (.+?)\[\d+\]:")
_TEXTS = (
    re.compile(r"Cannot parse '(.*?)' (?:to|in)\b"),
    re.compile(r'Cannot parse dimension: "(.*?)"'),
    re.compile(r'dimensions! "(.*?)" is'),
    re.compile(r' = "(.*?)" which is not'),
    re.compile(r"^dimension \((.*?)\) in node"),
    re.compile(r"Unsupported element type: (\S+)"),
    re.compile(r'"(.*?)" is not a member'),
    re.compile(r"mandatory attribute: (\S+)"),
    re.compile(r"Missing attribute '(.*?)'"),
    re.compile(r"attributes are detected: (\S+)"),
    re.compile(r"operation with type: (.+?)$"),
    re.compile(r"unsupported opset: (\S+)$"),
)
_TYPE = re.compile(r"operation with type: (.+?)$|^Missing attribute '.*?' for (\w+)")


class Clues(NamedTuple):
    """What the message tells: a byte of the text as OpenVINO parsed it, the layers it may mean, texts it quotes."""

    offset: int | None
    layers: tuple[Layer, ...]
    texts: tuple[str, ...]


def clues(message: str, model: Model) -> Clues:
    """The clues in ``message`` to a position in ``model``."""
    offset = _OFFSET.search(message)
    texts = tuple(match[1] for pattern in _TEXTS for match in pattern.finditer(message))
    return Clues(int(offset[1]) if offset else None, tuple(_layers(message, model)), texts)


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
    sources = [layer.producer(index) for index in range(len(layer.inputs))]
    return [source[0].name if source is not None else None for source in sources]
