"""The reader of any IR: expat, with a start handler for each known element, so that no handler asks where it is.
It keeps the first byte of each layer and edge; ``ir.positions`` parses a layer again when a problem is shown."""

import re
from collections.abc import Callable

from ovgather.ir.elements import BACK_EDGES, PORT_MAPS, children
from ovgather.ir.graph import Edge, Graph, Layer, LayerSignature, Mapping
from ovgather.ir.model import Model
from ovgather.ir.numbers import read_id
from ovgather.ir.reader.state import Attributes, State, Stop

MAX_BODIES = 64
_CHUNK = 1 << 20
_PIECE = 1 << 12
_NET = b"<net>"
_LIST = re.compile(rb"<(layers|edges)>")
_MAPS = {name: children(name) for name in (*PORT_MAPS.values(), BACK_EDGES)}
"""The elements that connect the ports of a layer to its bodies, and the names of their entries."""
_ENDS = ("from-layer", "from-port", "to-layer", "to-port")
_REQUIRED = dict.fromkeys(("id", "name", "type", "version")).keys()
_ATTRIBUTES = _REQUIRED | {"output_names", "precision"}
_LAYER_CHILDREN = frozenset({"weights", "biases", "custom"})
_ONCE = frozenset({"input", "output", "data", *_MAPS, *PORT_MAPS})
_NET_CHILDREN = frozenset(
    {"meta_data", "quantization_parameters", "statistics", "pre-process"}
)

ReadList = Callable[[Graph, str, int], int]


class Reader(State):
    """Fills ``model`` from all of some UTF-8 bytes (``parse``), or from parts that the bulk reader leaves out."""

    def __init__(self, model: Model) -> None:
        super().__init__(model)
        self.signatures: dict[object, LayerSignature] = {}
        self.opened: set[str] = set()
        self.seen: set[str] = set()
        self.stack: list[tuple[Graph, Layer, set[str], set[str]]] = []
        self.datas: dict[tuple[str, ...], Attributes] = {}
        self.lone = False
        self.stop = -1  # the byte where the parser of ``parse`` stopped
        self.list = -1  # the byte where the open list of layers or edges starts
        self.disputed: set[str] = set()

    def parse(self, data: bytes) -> None:
        """Read all of ``data``; ExpatError if it is no XML, Stop if it is no IR, or declares a document type."""
        parser = self.open(data, 0, self.start_root)
        parser.StartDoctypeDeclHandler = self.doctype
        view = memoryview(data)
        try:
            for begin in range(0, len(data), _CHUNK):
                parser.Parse(view[begin : begin + _CHUNK], False)
            parser.Parse(b"", True)
        finally:
            self.stop = parser.ErrorByteIndex
            del self.parser
        for name in self.disputed:
            del self.model.comments[name]

    def parse_layer(
        self, data: bytes, offset: int, graph: Graph, read_list: ReadList
    ) -> int:
        """Read the layer of ``graph`` that starts at byte ``offset``; the byte after it.

        ``read_list`` reads the plain layers or edges of its bodies: it gets the body, the name of the list and the byte
        where it begins, and returns the byte up to which it has read.
        """
        parser = self.open(data, offset, self.start_layer)
        self.graph = graph
        self.lone = True
        try:
            position = offset
            size = _PIECE
            while position < len(data):
                tag = _LIST.search(data, position, position + size)
                if tag:
                    end = tag.end()
                else:
                    end = position + size
                parser.Parse(data[position:end], False)
                if (
                    tag and self.list == tag.start()
                ):  # and nothing behind it has been parsed
                    position = read_list(self.graph, tag[1].decode(), end)
                    self.base += position - end
                else:
                    position = end
                    # A parser scans an unfinished tag again with every piece.
                    size = min(2 * size, _CHUNK)
            parser.Parse(b"", True)
        except Stop as stop:
            if stop.kind == "end":
                return data.find(b">", stop.offset) + 1
            raise
        finally:
            self.lone = False
            del self.parser
        raise Stop("layer", offset)

    def parse_rest(self, data: bytes, offset: int, opened: set[str]) -> None:
        """Read the rest of the net from byte ``offset``; the lists in ``opened`` have been read."""

        def start(name: str, attributes: Attributes) -> None:
            self.enter_graph()
            self.opened = opened

        parser = self.open(data, offset - len(_NET), start)
        try:
            parser.Parse(_NET, False)
            parser.Parse(data[offset:], True)
        finally:
            del self.parser

    def doctype(
        self, name: str, system: str | None, public: str | None, internal: bool
    ) -> None:
        if internal or system is not None:
            raise Stop("doctype", self.at())
        self.problem("doctype", name)

    def start_root(self, name: str, attributes: Attributes) -> None:
        lower = name.lower()
        if lower == "net":
            if name != "net":
                self.problem("root-case", name)
            self.model.name = attributes.get("name", "")
            self.model.graph.offset = self.at()
            self.read_version(attributes)
            self.enter_graph()
        elif name == "layer":
            self.model.snippet = True
            self.parser.CommentHandler = self.comment
            self.parser.CharacterDataHandler = self.text_handler
            self.start_layer(name, attributes)
        else:
            raise Stop("root", self.at(), name)

    def read_version(self, attributes: Attributes) -> None:
        text = attributes.get("version")
        value = self.model.ir_version = None if text is None else read_id(text)
        if value not in (10, 11) or text != str(value):
            kind = "ir-version-odd" if value in (10, 11) else "ir-version"
            self.problem(kind, "" if text is None else "version", text or "")

    def comment(self, text: str) -> None:
        from ovgather.ir.repair.snippet import values_in_comment

        for name, value in values_in_comment(text):
            if self.model.comments.setdefault(name, value) != value:
                self.disputed.add(name)

    def enter_graph(self, close: Callable[[str], None] | None = None) -> None:
        self.opened = set()
        self.enter(self.start_in_graph, close)

    def start_in_graph(self, name: str, attributes: Attributes) -> None:
        if name in ("layers", "edges"):
            if name in self.opened:
                self.problem("repeated", name)
                self.skip()
                return
            self.opened.add(name)
            self.list = self.at()
            self.enter(self.start_layer if name == "layers" else self.start_edge)
        elif name == "rt_info":
            if not self.stack and name not in self.opened:
                self.opened.add(name)
                self.forget_meta_data()
            self.read_rt_info_of_net()
        elif name == "meta_data" and self.opened.isdisjoint(("rt_info", name)):
            self.opened.add(name)
            self.read_meta_data()
        elif name in _NET_CHILDREN:
            self.skip()
        else:
            self.unknown(name, self.graph.kind)

    def read_meta_data(self) -> None:
        """Check the entries of the first ``<meta_data>`` of the net."""

        def look(depth: int, name: str, attributes: Attributes) -> None:
            if depth == 1 and name != "cli_parameters" and "value" not in attributes:
                self.problem("meta-data", name)

        self.skip(None if self.stack else look)

    def forget_meta_data(self) -> None:
        """Drop what is wrong with ``<meta_data>``, which OpenVINO does not read beside an ``<rt_info>``."""
        self.model.problems[:] = [
            each for each in self.model.problems if each.kind != "meta-data"
        ]

    def enter_body(self, name: str) -> None:
        if self.graph.depth >= MAX_BODIES:
            self.problem("bodies-depth", name, str(MAX_BODIES), self.layer)
            self.skip()
            return
        body = Graph(name, self.layer, self.at())
        self.graph.bodies[self.layer.offset] = (*self.layer.bodies, body)
        self.stack.append((self.graph, self.layer, self.opened, self.seen))
        self.graph = body
        self.enter_graph(self.end_body)

    def end_body(self, name: str) -> None:
        self.graph, self.layer, self.opened, self.seen = self.stack.pop()

    def start_layer(self, name: str, attributes: Attributes) -> None:
        if name != "layer":
            self.unknown(name, "layers")
            return
        get = attributes.get
        signature = LayerSignature(get("type", ""), get("version", ""))
        self.layer = layer = Layer(
            self.graph, -1, get("name", ""), signature, self.at()
        )
        self.seen = set()
        layer.id = self.read_number(get("id"), "layer-id", "id", layer)
        if layer.id < 0 or attributes.keys() != _REQUIRED:
            self.check_attributes(attributes)
        self.enter(self.start_in_layer, self.end_layer)

    def check_attributes(self, attributes: Attributes) -> None:
        """Record missing and unknown attributes, and an id that is no number."""
        layer = self.layer
        if not self.model.snippet:
            for required in _REQUIRED:
                if required not in attributes:
                    self.problem("layer-attribute", required, layer=layer)
            if "id" in attributes and layer.id < 0:
                self.problem("layer-id", "id", attributes["id"], layer)
        if len(attributes) > len(_REQUIRED):
            for name, value in attributes.items():
                if name not in _ATTRIBUTES:
                    self.problem("layer-extra", name, value, layer)

    def start_in_layer(self, name: str, attributes: Attributes) -> None:
        if name in self.seen and name in _ONCE:
            self.problem("repeated", name, layer=self.layer)
            self.skip()
            return
        is_again = name in self.seen
        self.seen.add(name)
        if name in ("input", "output"):
            self.side = []
            self.enter(self.start_port, self.end_side)
        elif name == "data":
            if attributes:
                key = (*attributes, *attributes.values())
                self.layer.signature.data = self.datas.setdefault(key, attributes)
            self.enter(lambda name, attributes: self.unknown(name, "data", self.layer))
        elif name == "rt_info":
            self.read_rt_info("", is_again)
        elif name in PORT_MAPS:
            self.enter_body(name)
        elif name in _MAPS:
            self.read_map(name)
        elif name in _LAYER_CHILDREN:
            self.skip()
        else:
            self.unknown(name, "layer", self.layer)

    def read_map(self, around: str) -> None:
        """Record the entries of the current element ``around`` as written."""
        entries = self.model.mappings.setdefault(self.layer.offset, [])

        def start(name: str, attributes: Attributes) -> None:
            if name in _MAPS[around]:
                entries.append(Mapping(around, name, attributes, self.at()))
                self.skip()
            else:
                self.unknown(name, around, self.layer)

        self.enter(start)

    def end_layer(self, name: str) -> None:
        signature = self.layer.signature
        key = (
            signature.type,
            signature.version,
            id(signature.data),
            signature.inputs,
            signature.outputs,
        )
        self.layer.signature = self.signatures.setdefault(key, signature)
        self.graph.add(self.layer)
        if self.lone and not self.stack:
            raise Stop("end", self.at())

    def start_edge(self, name: str, attributes: Attributes) -> None:
        if name != "edge":
            self.unknown(name, "edges")
            return
        source, source_port, target, target_port = [
            self.read_end(end, attributes.get(end)) for end in _ENDS
        ]
        self.graph.edges.append(
            Edge(source, source_port, target, target_port, self.at())
        )
        self.enter(lambda name, attributes: self.unknown(name, "edge"))

    def read_end(self, name: str, text: str | None) -> int:
        value = self.read_number(text, "edge-attribute", name, self.graph.parent)
        if value < 0:
            self.problem("edge-attribute", name, text or "", self.graph.parent)
        return value
