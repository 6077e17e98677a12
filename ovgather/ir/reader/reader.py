"""The reader of any IR: expat, with handlers for states.

Each element that matters has a start handler of its own, put in place when its parent opens, so that no
handler asks where it is. Everything unknown is skipped by counting depth. Positions are not kept, but for
the first byte of each layer and edge: ``ovgather.ir.positions`` parses one layer again when a problem is to
be shown.
"""

from __future__ import annotations

from collections.abc import Callable
from xml.parsers import expat

from ovgather.ir.graph import Graph, Layer, LayerSignature, Mapping
from ovgather.ir.model import Model
from ovgather.ir.numbers import read_id
from ovgather.ir.pieces import pieces
from ovgather.ir.reader import rt_info
from ovgather.ir.reader.edges import EdgeReader
from ovgather.ir.reader.side import SideReader
from ovgather.ir.reader.state import State, Stop

MAX_BODIES = 64
_CHUNK = 1 << 20
_PIECE = 1 << 12
_NET = b"<net>"
_BODIES = frozenset({"body", "then_body", "else_body"})
_PORTS = frozenset({"input", "output"})
_MAPS = {
    "port_map": _PORTS,
    "then_port_map": _PORTS,
    "else_port_map": _PORTS,
    "back_edges": frozenset({"edge"}),
}
"""The elements that tie the ports of a layer to its bodies, and what their entries are called."""
_REQUIRED = ("id", "name", "type", "version")
_ATTRIBUTES = frozenset((*_REQUIRED, "output_names", "precision"))
_LAYER_CHILDREN = frozenset({"weights", "biases", "custom"})
_ONCE = frozenset({"input", "output", "data", *_MAPS, *_BODIES})
_NET_CHILDREN = frozenset({"rt_info", "meta_data", "quantization_parameters", "statistics", "pre-process"})


class _LayerEnd(Exception):
    """The layer that was asked for ends with the tag at ``offset``."""

    def __init__(self, offset: int) -> None:
        super().__init__()
        self.offset = offset


class Reader(State):
    """Fills ``model`` from UTF-8 bytes: all of them (``parse``), or pieces that another reader leaves to it."""

    def __init__(self, model: Model) -> None:
        super().__init__(model)
        self.signatures: dict[object, LayerSignature] = {}
        self.opened: set[str] = set()
        self.seen: set[str] = set()
        self.stack: list[tuple[Graph, Layer, set[str], set[str]]] = []
        self.sides = SideReader(self)
        self.edges = EdgeReader(self)
        self.datas: dict[tuple[str, ...], dict[str, str]] = {}
        self.strings: dict[str, str] = {}
        self.lone = False
        self.disputed: set[str] = set()

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
            if name == "rt_info":
                rt_info.read_of_net(self)
            else:
                self.skip()

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
            self.check_attributes(attributes)
        self.in_layer()

    def check_attributes(self, attributes: dict[str, str]) -> None:
        """File the attributes that are missing, an id that is none, and those that no reader looks for there."""
        layer = self.layer
        if not self.model.snippet:
            for required in _REQUIRED:
                if required not in attributes:
                    self.problem("layer-attribute", required, layer=layer)
            if "id" in attributes and layer.id < 0:
                self.problem("layer-id", "id", attributes["id"], layer)
        for name, value in attributes.items() if len(attributes) > len(_REQUIRED) else ():
            if name not in _ATTRIBUTES:
                self.problem("layer-extra", name, value, layer)

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
            self.parser.EndElementHandler = self.end_in_layer
        elif name == "rt_info":
            rt_info.read(self, self.layer, "")
        elif name in _BODIES:
            self.enter_body(name)
        elif name in _MAPS:
            self.read_map(name)
        else:
            if name not in _LAYER_CHILDREN:
                self.problem("unknown-element", name, "layer", self.layer)
            self.skip()

    def start_in_data(self, name: str, attributes: dict[str, str]) -> None:
        self.problem("unknown-element", name, "data", self.layer)
        self.skip()

    def read_map(self, around: str) -> None:
        """Record the entries of the element ``around`` just opened as they stand."""
        entries = self.model.mappings.setdefault(self.layer.offset, [])

        def start(name: str, attributes: dict[str, str]) -> None:
            if name in _MAPS[around]:
                entries.append(Mapping(around, name, attributes, self.at()))
            else:
                self.problem("unknown-element", name, around, self.layer)
            self.skip()

        self.parser.StartElementHandler = start
        self.parser.EndElementHandler = self.end_in_layer

    def end_in_layer(self, name: str) -> None:
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
