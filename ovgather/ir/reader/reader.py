"""The reader of any IR: expat, with handlers for states.

Each element that matters has a start handler of its own, put in place when its parent opens, so that no
handler asks where it is. Everything unknown is skipped by counting depth. Positions are not kept, but for
the first byte of each layer and edge: ``ovgather.ir.positions`` parses one layer again when a problem is to
be shown.
"""

from __future__ import annotations

from collections.abc import Callable
from xml.parsers import expat

from ovgather.ir.graph import Graph, Layer, LayerSignature, Problem
from ovgather.ir.model import Model
from ovgather.ir.numbers import Ids, read_id
from ovgather.ir.reader import port_map, rt_info
from ovgather.ir.reader.edges import EdgeReader
from ovgather.ir.reader.pieces import pieces
from ovgather.ir.reader.side import SideReader

MAX_BODIES = 64
MAX_DEPTH = 10_000
_DEEP = 100
_CHUNK = 1 << 20
_PIECE = 1 << 12
_BLANKS = " \t\r\n"
_NET = b"<net>"
_BODIES = frozenset({"body", "then_body", "else_body"})
_LAYER_CHILDREN = frozenset({"weights", "biases", "custom"})
_ONCE = frozenset({"input", "output", "data", *port_map.ENTRIES, *_BODIES})
_NET_CHILDREN = frozenset({"rt_info", "meta_data", "quantization_parameters", "statistics", "pre-process"})


def place_of(text: str, data: bytes, end: int) -> int:
    """The byte where ``text`` starts that stands before byte ``end``; where it is written otherwise, behind a tag."""
    start = data.rfind(text.encode(), 0, end)
    return start if start >= 0 else data.rfind(b">", 0, end) + 1


class Stop(Exception):
    """The text cannot be read on; ``kind``, ``offset`` and ``value`` as in a ``Problem``."""

    def __init__(self, kind: str, offset: int, value: str = "") -> None:
        super().__init__(kind)
        self.kind = kind
        self.offset = offset
        self.value = value


class _LayerEnd(Exception):
    """The layer that was asked for ends with the tag at ``offset``."""

    def __init__(self, offset: int) -> None:
        super().__init__()
        self.offset = offset


class Reader:
    """Fills ``model`` from UTF-8 bytes: all of them (``parse``), or pieces that another reader leaves to it."""

    def __init__(self, model: Model) -> None:
        self.model = model
        self.graph = model.graph
        self.layer = Layer(model.graph, -1, "", LayerSignature("", ""), 0)
        self.signatures: dict[object, LayerSignature] = {}
        self.max_depth = MAX_DEPTH
        self.opened: set[str] = set()
        self.seen: set[str] = set()
        self.stack: list[tuple[Graph, Layer, set[str], set[str]]] = []
        self.ids = Ids()
        self.sides = SideReader(self)
        self.edges = EdgeReader(self)
        self.datas: dict[tuple[str, ...], dict[str, str]] = {}
        self.strings: dict[str, str] = {}
        self.data = b""
        self.base = 0
        self.lone = False
        self.disputed: set[str] = set()
        self.text_handler: Callable[[str], None] | None = self.characters

    def parse(self, data: bytes) -> None:
        """Read all of ``data``.

        Raises:
            expat.ExpatError: not well-formed XML.
            Stop: the root is no IR, or there is a document type with an internal subset.
        """
        parser = self.open(data, 0, self.start_root)
        parser.StartDoctypeDeclHandler = self.doctype
        view = memoryview(data)
        for begin in range(0, len(data), _CHUNK):
            parser.Parse(view[begin : begin + _CHUNK], False)
        parser.Parse(b"", True)
        for name in self.disputed:
            del self.model.comments[name]

    def parse_layer(self, data: bytes, offset: int) -> int:
        """Read the one layer that starts at byte ``offset``; the offset of the byte after it."""
        parser = self.open(data, offset, self.start_layer)
        self.lone = True
        try:
            for piece in pieces(data, offset, _PIECE):
                parser.Parse(piece, False)
            parser.Parse(b"", True)
        except _LayerEnd as end:
            return data.find(b">", end.offset) + 1
        finally:
            self.lone = False
        raise Stop("layer", offset)

    def parse_rest(self, data: bytes, offset: int, opened: set[str]) -> None:
        """Read the rest of the net from byte ``offset`` on; the lists named in ``opened`` were read before."""

        def start(name: str, attributes: dict[str, str]) -> None:
            self.enter_graph()
            self.opened = opened

        parser = self.open(data, offset - len(_NET), start)
        parser.Parse(_NET, False)
        parser.Parse(data[offset:], True)

    def open(self, data: bytes, base: int, start: Callable[[str, dict[str, str]], None]) -> expat.XMLParserType:
        """A parser whose byte 0 is byte ``base`` of ``data``."""
        parser = self.parser = self.sides.parser = expat.ParserCreate("utf-8")
        parser.buffer_text = True
        parser.StartElementHandler = start
        parser.CharacterDataHandler = self.text_handler
        self.data = data
        self.base = base
        return parser

    def at(self) -> int:
        """The byte of ``data`` where the markup being read starts."""
        return self.base + self.parser.CurrentByteIndex

    def problem(
        self,
        kind: str,
        subject: str = "",
        value: str = "",
        layer: Layer | None = None,
        offset: int | None = None,
    ) -> None:
        """File a problem at byte ``offset``, or at the element being read."""
        at = self.at() if offset is None else offset
        self.model.problems.append(Problem(kind, at, subject, value, layer))

    def characters(self, text: str) -> None:
        """Text between elements, where none belongs."""
        if said := text.strip(_BLANKS):
            self.problem("text", "text", said, offset=place_of(said, self.data, self.at()))

    def doctype(self, name: str, system: str | None, public: str | None, internal: bool) -> None:
        if internal or system is not None:
            raise Stop("doctype", self.at())
        self.problem("doctype", name)

    # -- root, net and bodies ------------------------------------------------------------------------------------

    def start_root(self, name: str, attributes: dict[str, str]) -> None:
        lower = name.lower()
        if lower == "net":
            if name != "net":
                self.problem("root-case", name)
            self.model.name = attributes.get("name", "")
            self.read_version(attributes)
            self.enter_graph()
        elif name == "layer":
            self.model.snippet = True
            self.parser.CommentHandler = self.comment
            # A page may say anything between the elements.
            self.text_handler = self.parser.CharacterDataHandler = None
            self.start_layer(name, attributes)
        else:
            raise Stop("root", self.at(), name)

    def read_version(self, attributes: dict[str, str]) -> None:
        text = attributes.get("version")
        value = None if text is None else read_id(text)
        if value is None:
            self.problem("ir-version", "" if text is None else "version", text or "")
        else:
            self.model.ir_version = value
            if value not in (10, 11):
                self.problem("ir-version", "version", text or "")
            elif text != str(value):
                self.problem("ir-version-odd", "version", text or "")

    def comment(self, text: str) -> None:
        from ovgather.ir.repair.snippet import values_in_comment

        for name, value in values_in_comment(text):
            if self.model.comments.setdefault(name, value) != value:
                self.disputed.add(name)

    def enter_graph(self) -> None:
        self.opened = set()
        self.parser.StartElementHandler = self.start_in_graph
        self.parser.EndElementHandler = self.end_graph

    def start_in_graph(self, name: str, attributes: dict[str, str]) -> None:
        if name in ("layers", "edges"):
            if name in self.opened:
                self.problem("repeated", name)
                self.skip()
                return
            self.opened.add(name)
            self.parser.StartElementHandler = self.start_layer if name == "layers" else self.edges.start
            self.parser.EndElementHandler = self.end_list
        else:
            if name not in _NET_CHILDREN:
                self.problem("unknown-element", name, self.graph.kind)
            self.skip(name == "rt_info")

    def end_list(self, name: str) -> None:
        if name not in ("layers", "edges"):
            self.edges.inside = False
            return
        self.parser.StartElementHandler = self.start_in_graph
        self.parser.EndElementHandler = self.end_graph

    def end_graph(self, name: str) -> None:
        if self.stack and name == self.graph.kind:
            self.graph, self.layer, self.opened, self.seen = self.stack.pop()
            self.in_layer()

    def enter_body(self, name: str) -> None:
        if len(self.stack) >= MAX_BODIES:
            self.problem("bodies-depth", name, str(MAX_BODIES), self.layer)
            self.skip()
            return
        body = Graph(name, self.layer, self.at())
        self.layer.bodies = (*self.layer.bodies, body)
        self.stack.append((self.graph, self.layer, self.opened, self.seen))
        self.graph = body
        self.enter_graph()

    # -- layers --------------------------------------------------------------------------------------------------

    def start_layer(self, name: str, attributes: dict[str, str]) -> None:
        if name != "layer":
            self.problem("unknown-element", name, "layers")
            self.skip()
            return
        get = attributes.get
        kind, version = get("type"), get("version")
        strings = self.strings
        signature = LayerSignature(
            strings.setdefault(kind, kind) if kind is not None else "",
            strings.setdefault(version, version) if version is not None else "",
        )
        layer = Layer(self.graph, -1, get("name", ""), signature, self.at())
        self.layer = layer
        self.seen = set()
        self.graph.layers.append(layer)
        text = get("id")
        value = self.ids.read(text) if text is not None else None
        if value is not None:
            layer.id = value
            if text in self.ids.odd:
                self.problem("layer-id-odd", "id", text or "", layer)
        if len(attributes) > 4 or value is None or kind is None or version is None or "name" not in attributes:
            from ovgather.ir.reader.attributes import check

            check(self, layer, attributes)
        self.in_layer()

    def in_layer(self) -> None:
        self.parser.CharacterDataHandler = self.text_handler
        self.parser.StartElementHandler = self.start_in_layer
        self.parser.EndElementHandler = self.end_layer

    def start_in_layer(self, name: str, attributes: dict[str, str]) -> None:
        if name in self.seen and name in _ONCE:
            self.problem("repeated", name, layer=self.layer)
            self.skip()
            return
        self.seen.add(name)
        if name == "input":
            self.sides.start_input()
        elif name == "output":
            self.sides.start_output()
        elif name == "data":
            if attributes:
                key = (*attributes, *attributes.values())
                self.layer.signature.data = self.datas.setdefault(key, attributes)
            self.parser.StartElementHandler = self.start_in_data
            self.parser.EndElementHandler = self.end_data
        elif name == "rt_info":
            rt_info.read(self, self.layer, "")
        elif name in _BODIES:
            self.enter_body(name)
        elif name in port_map.ENTRIES:
            port_map.read(self, name)
        else:
            if name not in _LAYER_CHILDREN:
                self.problem("unknown-element", name, "layer", self.layer)
            self.skip()

    def start_in_data(self, name: str, attributes: dict[str, str]) -> None:
        self.problem("unknown-element", name, "data", self.layer)
        self.skip()

    def end_data(self, name: str) -> None:
        self.in_layer()

    def end_layer(self, name: str) -> None:
        if name != "layer":
            return
        signature = self.layer.signature
        key = (signature.type, signature.version, id(signature.data), signature.inputs, signature.outputs)
        self.layer.signature = self.signatures.setdefault(key, signature)
        if self.lone and not self.stack:
            raise _LayerEnd(self.at())
        self.parser.StartElementHandler = self.start_layer
        self.parser.EndElementHandler = self.end_list

    # -- whatever is not read ------------------------------------------------------------------------------------

    def skip(self, runtime_information: bool = False) -> None:
        """Pass over the element just opened, to its end, and go on with the handlers in place now."""
        offset = self.at()
        parser = self.parser
        before = (parser.StartElementHandler, parser.EndElementHandler)
        parser.CharacterDataHandler = None
        depth = 0

        def start(name: str, attributes: dict[str, str]) -> None:
            nonlocal depth
            depth += 1
            if depth == _DEEP + 1 and runtime_information:
                self.problem("rt-info-depth", "rt_info", str(_DEEP), offset=offset)
            if depth > MAX_DEPTH:
                self.too_deep()

        def end(name: str) -> None:
            nonlocal depth
            depth -= 1
            if depth < 0:
                parser.StartElementHandler, parser.EndElementHandler = before
                parser.CharacterDataHandler = self.text_handler

        parser.StartElementHandler = start
        parser.EndElementHandler = end

    def too_deep(self) -> None:
        raise Stop("depth", self.at(), str(MAX_DEPTH))
