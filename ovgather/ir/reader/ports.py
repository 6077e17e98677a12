"""The handlers for the ports in ``<input>`` and ``<output>``."""

from ovgather.ir.graph import Port
from ovgather.ir.model import Model
from ovgather.ir.numbers import read_dim
from ovgather.ir.reader import rt_info
from ovgather.ir.reader.state import Attributes, State


class PortReader(State):
    """Reads the sides of ``layer``."""

    def __init__(self, model: Model) -> None:
        super().__init__(model)
        self.ports: dict[tuple[int, str | None, tuple[int, ...]], Port] = {}
        self.side: list[Port] = []
        self.id = -1
        self.precision: str | None = None
        self.dims: list[int] = []
        self.dim_text: list[str] = []
        self.dim_offset = 0
        self.in_dim = False
        self.labels: set[str] = set()

    def start_port(self, name: str, attributes: Attributes) -> None:
        if name != "port":
            self.unknown(name, "input or output", self.layer)
            return
        text = attributes.get("id")
        value = self.read_number(text, "port-id", "id", self.layer)
        if value is None and not (self.model.snippet and text is None):
            self.problem("port-id", "" if text is None else "id", text or "", self.layer)
        self.id = -1 if value is None else value
        self.precision = attributes.get("precision")
        self.dims = []
        self.labels = set()
        self.enter(self.start_in_port, self.end_port)
        if self.text_handler:
            self.parser.CharacterDataHandler = self.port_text

    def port_text(self, text: str) -> None:
        self.characters(text, self.layer)

    def start_in_port(self, name: str, attributes: Attributes) -> None:
        if self.in_dim:
            self.skip()
        elif name == "dim":
            self.in_dim = True
            self.dim_text = []
            self.dim_offset = self.at()
            self.parser.CharacterDataHandler, self.parser.EndElementHandler = self.dim_text.append, self.end_dim
        elif name == "rt_info":
            rt_info.read(self, self.layer, "port", self.labels)
        else:
            self.unknown(name, "port", self.layer)

    def end_dim(self, name: str) -> None:
        self.in_dim = False
        text = "".join(self.dim_text)
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
        if name == "input":
            self.layer.signature.inputs = tuple(self.side)
        else:
            self.layer.signature.outputs = tuple(self.side)
