"""The services that all handlers of the reader share, and the handlers of ports and ``<rt_info>``."""

import re
from collections.abc import Callable
from typing import Any
from xml.parsers import expat

from ovgather.ir.graph import Graph, Layer, LayerSignature, Port, Problem
from ovgather.ir.model import Model
from ovgather.ir.numbers import XML_SPACE, read_dim, read_id
from ovgather.text import pattern

MAX_DEPTH = 10_000
_DEEP = 100  # in the ``<rt_info>`` of the net
_NAMES = "fused_names primitives_priority old_api_map_order old_api_map_element_type decompression layout preprocessing"
_KNOWN = frozenset([*_NAMES.split(), "memory_type", "precise"])
"""The attributes that OpenVINO reads if their version is 0; it ignores all others."""
_WITHOUT_READER = frozenset({"nms_selected_indices", "strides_propagation"})
"""The attributes that OpenVINO knows, and refuses to read."""
_NUMBER = re.compile(r"\s*([0-9]+)", re.ASCII)
_LAYOUT_NAME = pattern(r"_*[A-Za-z0-9][A-Za-z0-9_]*", re.ASCII)
_BLANKS = " \t\n\r\f\v"
_MARKUP = "<…>"

Attributes = dict[str, str]
Start = Callable[[str, Attributes], None]
Look = Callable[[int, str, Attributes], None]
"""Takes the depth, the name and the attributes of an element."""


class Stop(Exception):
    """The text cannot be read on; ``kind``, ``offset`` and ``value`` as in a ``Problem``."""

    def __init__(self, kind: str, offset: int, value: str = "") -> None:
        super().__init__(kind)
        self.kind = kind
        self.offset = offset
        self.value = value


class State:
    """What the handlers share: ``graph`` and ``layer`` are open; byte 0 of ``parser`` is byte ``base`` of ``data``."""

    parser: expat.XMLParserType

    def __init__(self, model: Model) -> None:
        self.model = model
        self.graph: Graph = model.graph
        self.layer = Layer(model.graph, -1, "", LayerSignature("", ""), 0)
        self.data = b""
        self.base = 0
        self._outer: list[tuple[Any, Any, Callable[[str], None] | None]] = []
        self.ports: dict[tuple[int, str | None, tuple[int, ...]], Port] = {}
        self.side: list[Port] = []
        self.id = -1
        self.precision: str | None = None
        self.dims: list[int] = []
        self.dim_text: list[str] = []
        self.dim_offset = 0
        self.in_dim = False
        self.has_rt_info = False  # of the port

    @property
    def text_handler(self) -> Callable[[str], None] | None:
        """The handler of text between elements: a page with a lone layer may say anything there."""
        if self.model.snippet:
            return None
        return self.characters

    def at(self) -> int:
        """The byte of ``data`` where the current markup starts."""
        return self.base + self.parser.CurrentByteIndex

    def problem(
        self,
        kind: str,
        subject: str = "",
        value: str = "",
        layer: Layer | None = None,
        offset: int | None = None,
    ) -> None:
        """Record a problem at byte ``offset``, or at the current element."""
        self.model.problems.append(
            Problem(
                kind, self.at() if offset is None else offset, subject, value, layer
            )
        )

    def read_number(
        self, text: str | None, kind: str, subject: str, layer: Layer | None
    ) -> int:
        """The id in ``text``, else -1; an odd spelling, accepted by OpenVINO, is a problem ``kind-odd``."""
        value = None
        if text is not None:
            value = read_id(text)
        if value is None or text is None:
            return -1
        if text != str(value):
            self.problem(f"{kind}-odd", subject, text, layer)
        return value

    def characters(self, text: str, layer: Layer | None = None) -> None:
        """Record text that stands between elements, where none belongs."""
        if text := text.strip(XML_SPACE):
            end = self.at()
            start = self.data.rfind(text.encode(), 0, end)
            if start < 0:  # the file spells it otherwise, after a tag
                start = self.data.rfind(b">", 0, end) + 1
            self.problem("text", "text", text, layer, start)

    def open(self, data: bytes, base: int, start: Start) -> expat.XMLParserType:
        """A parser whose byte 0 is byte ``base`` of ``data``: to be deleted, since it and its handlers form a cycle."""
        parser = self.parser = expat.ParserCreate("utf-8")
        parser.buffer_text = True
        parser.StartElementHandler = start
        parser.EndElementHandler = self.leave
        parser.CharacterDataHandler = self.text_handler
        parser.CommentHandler = parser.StartCdataSectionHandler = (
            parser.ProcessingInstructionHandler
        ) = self.divide
        self.data = data
        self.base = base
        self._outer = []
        return parser

    def enter(self, start: Start, close: Callable[[str], None] | None = None) -> None:
        """Set the handler for the children of the current element; after its end, ``close`` gets its name."""
        parser = self.parser
        self._outer.append(
            (parser.StartElementHandler, parser.CharacterDataHandler, close)
        )
        parser.StartElementHandler = start

    def leave(self, name: str) -> None:
        """End an element: its siblings have the handlers again that it had."""
        parser = self.parser
        parser.StartElementHandler, parser.CharacterDataHandler, close = (
            self._outer.pop()
        )
        if close is not None:
            close(name)

    def unknown(self, name: str, parent: str, layer: Layer | None = None) -> None:
        """Record the current element as unknown in ``parent``, and skip it."""
        self.problem("unknown-element", name, parent, layer)
        self.skip()

    def skip(self, look: Look | None = None) -> None:
        """Skip the current element, then restore the handlers; ``look`` sees each element in it (a child: depth 1)."""
        parser = self.parser
        before = (
            parser.StartElementHandler,
            parser.EndElementHandler,
            parser.CharacterDataHandler,
        )
        parser.CharacterDataHandler = None
        depth = 0

        def start(name: str, attributes: Attributes) -> None:
            nonlocal depth
            depth += 1
            if depth > MAX_DEPTH:
                raise Stop("depth", self.at(), str(MAX_DEPTH))
            if look is not None:
                look(depth, name, attributes)

        def end(name: str) -> None:
            nonlocal depth
            depth -= 1
            if depth < 0:
                (
                    parser.StartElementHandler,
                    parser.EndElementHandler,
                    parser.CharacterDataHandler,
                ) = before

        parser.StartElementHandler = start
        parser.EndElementHandler = end

    def start_port(self, name: str, attributes: Attributes) -> None:
        if name != "port":
            self.unknown(name, "input or output", self.layer)
            return
        text = attributes.get("id")
        self.id = self.read_number(text, "port-id", "id", self.layer)
        if self.id < 0 and not (self.model.snippet and text is None):
            self.problem(
                "port-id", "" if text is None else "id", text or "", self.layer
            )
        self.precision = attributes.get("precision")
        if "dims" in attributes:
            self.problem("port-dims", "dims", attributes["dims"], self.layer)
        self.dims = []
        self.has_rt_info = False
        self.enter(self.start_in_port, self.end_port)
        if self.text_handler:
            self.parser.CharacterDataHandler = self.port_text

    def port_text(self, text: str) -> None:
        self.characters(text, self.layer)

    def divide(self, *_: str) -> None:
        self.dim_text.append(_MARKUP)

    def start_in_port(self, name: str, attributes: Attributes) -> None:
        if self.in_dim:
            self.divide()
            self.skip()
        elif name == "dim":
            self.in_dim = True
            self.dim_text = []
            self.dim_offset = self.at()
            self.parser.CharacterDataHandler, self.parser.EndElementHandler = (
                self.dim_text.append,
                self.end_dim,
            )
        elif name == "rt_info":
            self.read_rt_info("port", self.has_rt_info)
            self.has_rt_info = True
        else:
            self.unknown(name, "port", self.layer)

    def end_dim(self, name: str) -> None:
        self.in_dim = False
        text = "".join(self.dim_text)
        value, exact = read_dim(text)
        if (
            not exact and _MARKUP in text
        ):  # OpenVINO reads the first piece that is not blank
            text = _MARKUP.join(filter(str.strip, text.split(_MARKUP)))
            value, exact = read_dim(text)
        if not exact:
            self.problem("dim", "dim", text, self.layer, self.dim_offset)
        self.dims.append(value)
        self.parser.EndElementHandler = self.leave
        self.parser.CharacterDataHandler = self.port_text if self.text_handler else None

    def end_port(self, name: str) -> None:
        key = (self.id, self.precision, tuple(self.dims))
        self.side.append(self.ports.get(key) or self.ports.setdefault(key, Port(*key)))

    def end_side(self, name: str) -> None:
        setattr(self.layer.signature, f"{name}s", tuple(self.side))

    def read_rt_info(self, where: str, is_again: bool) -> None:
        """Check the attributes in the current element; OpenVINO reads only the first of a layer or port."""
        if is_again:
            self.skip()
            return
        labels: set[str] = set()

        def look(depth: int, name: str, attributes: Attributes) -> None:
            label = attributes.get("name", "")
            if depth > 1 or name != "attribute" or attributes.get("version") != "0":
                return
            if label in _WITHOUT_READER:
                self.problem("rt-info-unreadable", label, where, self.layer)
            if label not in _KNOWN:
                return
            if label in labels:
                self.problem("rt-info-repeated", label, where, self.layer)
            labels.add(label)
            value = attributes.get("value")
            if value is not None and label in VALUES and not VALUES[label](value):
                self.problem("rt-info-value", label, value, self.layer)
            layout = None
            if label == "layout":
                layout = attributes.get("layout")
            if layout is not None and layout_names(layout) is None:
                self.problem("rt-info-layout", "layout", layout, self.layer)
            elif layout is not None and where == "port":
                self.model.layouts.append((self.layer, self.id, layout, self.at()))

        self.skip(look)

    def read_rt_info_of_net(self) -> None:
        """Check the depth of the current element, a child of the net."""
        offset = self.at()

        def look(depth: int, name: str, attributes: Attributes) -> None:
            if depth == _DEEP + 1:
                self.problem("rt-info-depth", "rt_info", str(_DEEP), offset=offset)

        self.skip(look)


def _items(text: str) -> list[str]:
    """The items of a comma list; a comma at the end is accepted."""
    return text.removesuffix(",").split(",")


def is_order(text: str) -> bool:
    """Whether OpenVINO accepts ``text`` as a list of unsigned numbers; it reads the front of each."""
    if text:
        numbers = [_NUMBER.match(item) for item in _items(text)]
    else:
        numbers = []
    return all(
        number is not None and len(number[1]) <= 20 and int(number[1]) < 1 << 64
        for number in numbers
    )


def is_element_type(text: str) -> bool:
    """Whether OpenVINO accepts ``text`` as an element type, in any case."""
    from ovgather.tensor.element_type import find_data

    return text.lower() == "undefined" or find_data(text.lower()) is not None


def is_names(text: str) -> bool:
    """Whether OpenVINO accepts ``text`` as a list of names: none of them is empty."""
    return not text or all(name.strip(_BLANKS) for name in _items(text))


VALUES: dict[str, Callable[[str], bool]] = {
    "old_api_map_order": is_order,
    "old_api_map_element_type": is_element_type,
    "fused_names": is_names,
}


def layout_names(text: str) -> list[str] | None:
    """The names of the dims of a layout, ``...`` for any number of them; None where OpenVINO rejects ``text``.

    >>> layout_names("N?...W"), layout_names("[N,width]"), layout_names("**SCALAR**"), layout_names("[]")
    (['N', '?', '...', 'W'], ['N', 'width'], [], None)
    """
    layout = text.strip(_BLANKS)
    if not text:
        return ["..."]
    if layout == "**SCALAR**":
        return []
    if len(layout) >= 2 and layout[0] == "[" and layout[-1] == "]":
        names = [name.strip(_BLANKS) for name in layout[1:-1].split(",")]
        if len(names) > 1 and not names[-1]:
            names.pop()  # a comma at the end is accepted
    else:
        names = re.findall(r"\.\.\.|.", layout, re.DOTALL)
    letters = [name.upper() for name in names if name not in ("?", "...")]
    are_names = all(map(_LAYOUT_NAME.fullmatch, letters)) and len({*letters}) == len(
        letters
    )
    if names and are_names and names.count("...") <= 1:
        return names
    return None
