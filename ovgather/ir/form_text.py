"""The form of a layer by its text: what repeats, to the byte, is parsed once.

Three texts repeat on their own: the start tag behind the name, ``<data>``, and the ports. Ports repeat one by one,
too. Each is told apart by a regular expression for plain XML, the first time that it comes: double quotes, no entities,
no markup where none belongs. What is in any way unusual has no form here.
"""

from __future__ import annotations

import re

from ovgather.ir.model import NO_DATA, Form, Port

S = rb"[ \t\r\n]"
# Attribute values without markup, entities and control characters: the same text before and after XML.
VALUE = rb'"[^"<&\x00-\x1f\x7f]*"'
ATTRIBUTES = rb"(?:" + S + rb"+[A-Za-z_][A-Za-z0-9_.-]*=" + VALUE + rb")*"
NUMBER = rb'"(0|[1-9][0-9]{0,17})"'

_FRONT = re.compile(
    rb"(" + ATTRIBUTES + S + rb"*>)"
    rb"(?:" + S + rb"*<data(" + ATTRIBUTES + rb")" + S + rb"*/>)?"
    rb"(?:" + S + rb"*<rt_info>((?:" + S + rb"*<attribute" + ATTRIBUTES + S + rb"*/>)*)" + S + rb"*</rt_info>)?"
)  # fmt: skip
_PORT = re.compile(
    rb"id=" + NUMBER + rb'(?: precision="([A-Za-z0-9]*)")?(?: names="")?' + S + rb"*"
    rb"(?:/>|>((?:" + S + rb"*<dim>(?:-1|[0-9]{1,18})</dim>)*)" + S + rb"*</port>)"
    rb"((?:" + S + rb"|</input>|<output>|</output>)*)"
)  # fmt: skip
_ATTRIBUTE = re.compile(rb'([^ \t\r\n=]+)="([^"]*)"')
_DIM = re.compile(rb"-?[0-9]+")
_BLANKS = b" \t\r\n"
_TAG = frozenset({"type", "version"})
_IGNORED = frozenset({"output_names", "precision"})
_LAYOUT = b'"layout"'

_INPUT, _OUTPUT, _END = range(3)
_OPENED = {b"": _END, b"<input>": _INPUT, b"<output>": _OUTPUT, b"<input></input><output>": _OUTPUT}
_EMPTY = frozenset({b"", b"<input></input>", b"<output></output>", b"<input></input><output></output>"})
_AFTER = {
    (_INPUT, b""): _INPUT,
    (_INPUT, b"</input>"): _END,
    (_INPUT, b"</input><output>"): _OUTPUT,
    (_INPUT, b"</input><output></output>"): _END,
    (_OUTPUT, b""): _OUTPUT,
    (_OUTPUT, b"</output>"): _END,
}

Ports = tuple[tuple[Port, ...], tuple[Port, ...]]


def values(attributes: bytes) -> dict[str, str] | None:
    """The attributes in a start tag; None when one is given twice.

    >>> values(b' axis="1" batch_dims="0"'), values(b' axis="1" axis="0"')
    ({'axis': '1', 'batch_dims': '0'}, None)
    """
    pairs = _ATTRIBUTE.findall(attributes)
    found = {key.decode(): value.decode() for key, value in pairs}
    return found if len(found) == len(pairs) else None


class Forms:
    """The forms of one file; those that are ``known`` by their text."""

    def __init__(self) -> None:
        self.known: dict[bytes, Form] = {}
        self._forms: dict[tuple[bytes, int, int], Form] = {}
        self._tags: dict[bytes, tuple[str, str] | None] = {}
        self._datas: dict[bytes | None, dict[str, str] | None] = {None: NO_DATA, b"": NO_DATA}
        self._infos: dict[bytes | None, bool] = {None: True, b"": True}
        self._blocks: dict[bytes, Ports | None] = {}
        self._pieces: dict[bytes, tuple[Port, bytes]] = {}
        self._ports: dict[tuple[int, bytes | None, tuple[int, ...]], Port] = {}
        self._dims: dict[bytes | None, tuple[int, ...]] = {None: ()}

    def parse(self, text: bytes) -> Form | None:
        """The form of a layer with ``text`` from behind its name up to ``</layer>``; None for what is unusual.

        All names of tensors in ``text`` are to be empty.
        """
        front = _FRONT.match(text)
        if front is None:
            return None
        tag, data_text, info = front.groups()
        block = text[front.end() :]
        ports = self._blocks.get(block) or self._parse_block(block)
        data = self._datas.get(data_text) or self._parse_data(data_text)
        if ports is None or data is None or not (self._infos.get(info) or self._is_sound(info)):
            return None
        key = (tag, id(data), id(ports))
        form = self._forms.get(key)
        if form is None:
            kind = self._tags.get(tag) or self._parse_tag(tag)
            if kind is None:
                return None
            form = self._forms[key] = Form(*kind)
            form.data = data
            form.inputs, form.outputs = ports
        self.known[text] = form
        return form

    def _parse_tag(self, tag: bytes) -> tuple[str, str] | None:
        given = values(tag)
        found = None
        if given is not None and given.keys() >= _TAG and given.keys() - _TAG <= _IGNORED:
            found = given["type"], given["version"]
        self._tags[tag] = found
        return found

    def _parse_data(self, text: bytes | None) -> dict[str, str] | None:
        if not text:
            return NO_DATA
        # The text of an attribute that is called names was not kept.
        found = None if b' names=""' in text else values(text)
        self._datas[text] = found
        return found

    def _is_sound(self, info: bytes) -> bool:
        """Whether nothing in an ``<rt_info>`` needs a closer look, as repeated attributes and layouts do."""
        sound = _LAYOUT not in info
        seen: set[str | None] = set()
        for attribute in info.split(b"<attribute")[1:]:
            given = values(attribute)
            sound = sound and given is not None and given.get("name") not in seen
            seen.add(given.get("name") if given is not None else None)
        self._infos[info] = sound
        return sound

    def _parse_block(self, block: bytes) -> Ports | None:
        """The input and the output ports that stand in ``block``."""
        if block in self._blocks:
            return None
        texts = block.split(b"<port ")
        sides: tuple[list[Port], list[Port]] = [], []
        lead = texts[0].translate(None, _BLANKS)
        state = _OPENED.get(lead, -1)
        sound = state >= 0 or lead in _EMPTY
        if len(texts) == 1:
            sound = lead in _EMPTY
        for text in texts[1:] if sound else ():
            piece = self._pieces.get(text) or self._parse_piece(text)
            after = _AFTER.get((state, piece[1])) if piece is not None else None
            if piece is None or after is None:
                sound = False
                break
            sides[state].append(piece[0])
            state = after
        sound = sound and (len(texts) == 1 or state == _END)
        found = (tuple(sides[0]), tuple(sides[1])) if sound else None
        self._blocks[block] = found
        return found

    def _parse_piece(self, text: bytes) -> tuple[Port, bytes] | None:
        """The port that begins ``text``, and the tags that follow it, without blanks."""
        found = _PORT.fullmatch(text)
        if found is None:
            return None
        number, precision, inside, rest = found.groups()
        dims = self._dims.get(inside)
        if dims is None:
            dims = self._dims[inside] = tuple([int(dim) for dim in _DIM.findall(inside)])
        key = (int(number), precision, dims)
        port = self._ports.get(key)
        if port is None:
            port = Port(key[0], None if precision is None else precision.decode(), dims)
            self._ports[key] = port
        piece = self._pieces[text] = (port, rest.translate(None, _BLANKS))
        return piece
