"""The text of layers: with other dims in the same layout, or with their constants in another ``.bin``."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import takewhile
from operator import eq
from typing import TYPE_CHECKING

from ovgather.errors import InvalidModelError
from ovgather.ir.constants import constant
from ovgather.ir.graph import Layer, Port
from ovgather.ir.model import Model
from ovgather.ir.numbers import XML_SPACE
from ovgather.ir.positions import Element, Span, element_at, element_of
from ovgather.ir.text import Edit, Source

if TYPE_CHECKING:
    from ovgather.ir.writer import Pieces

_ESCAPES = str.maketrans(
    {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;"}
    | {space: f"&#{ord(space)};" for space in "\n\r\t"}
)
_LONGEST_INDENT = 200
_MOST_SPACE = 1 << 10
_INDENT = re.compile(rb"\r?\n[ \t]*\Z")


def quoted(text: str) -> str:
    """An attribute value: ``xml.sax.saxutils`` does the same, and imports all of ``http``.

    >>> quoted('a "b" & c')
    '"a &quot;b&quot; &amp; c"'
    """
    return f'"{text.translate(_ESCAPES)}"'


def dims_edits(
    parent: Element, port: Element, lengths: Sequence[int]
) -> list[tuple[Span, bytes]]:
    """The edits, by spans of the parsed text, that make ``lengths`` the dims of ``port``; equal ends stay."""
    dims = port.named("dim")
    old = [dim.text.strip(XML_SPACE) for dim in dims]
    new = [str(length) for length in lengths]
    first = len([*takewhile(bool, map(eq, old, new))])
    last = len(old) - len(
        [*takewhile(bool, map(eq, old[first:][::-1], new[first:][::-1]))]
    )
    changed = dims[first:last]
    right = lengths[first : last + len(new) - len(old)]
    pairs = zip(changed, right, strict=False)
    edits = [
        dim_edit(dim, length)
        for dim, length in pairs
        if dim.text.strip(XML_SPACE) != str(length)
    ]
    edits += [
        ((dim.start - len(space_before(port, dim)), end_of(dim)), b"")
        for dim in changed[len(right) :]
    ]
    if len(changed) < len(right):
        edits.append(_added(parent, port, dims, last, right[len(changed) :]))
    return edits


def end_of(element: Element) -> int:
    """The byte after ``element``."""
    begin, end = element.tag_span
    if element.data.endswith(b"/>", begin, end):
        return end
    return element.data.find(b">", element.end) + 1


def insertion(
    parent: Element, children: Sequence[Element], at: int, text: bytes
) -> tuple[Span, bytes]:
    """The edit that puts ``text`` before child ``at`` of ``parent``, or behind all of these, with white space as there
    is between them."""
    if children:
        space = space_before(parent, children[max(0, at - 1)])
        end = end_of(children[at - 1]) if at else parent.tag_span[1]
        return (end, end), space + text
    begin, end = parent.tag_span
    if parent.data.endswith(b"/>", begin, end):
        return (end - 2, end), b">" + text + f"</{parent.name}>".encode()
    return (end, end), text


def line_of(element: Element) -> Span:
    """The span of ``element``, with its line where it stands alone on one: what goes when it is removed."""
    begin = element.start
    end = end_of(element)
    line = element.data.rfind(b"\n", 0, begin) + 1
    if not element.data[line:begin].strip() and element.data[end : end + 1] == b"\n":
        return line, end + 1
    return begin, end


def dims_text(dims: Iterable[int]) -> str:
    """The dims of a port as the ``shape`` of ``<data>`` says them.

    >>> dims_text((2, -1))
    '2,?'
    """
    return ",".join(["?" if dim < 0 else str(dim) for dim in dims])


def port_text(number: int, port: Port | None) -> str:
    """A ``<port>`` with the id ``number`` that declares what ``port`` does; None: nothing.

    >>> port_text(3, Port(0, "FP32", (2,)))
    '<port id="3" precision="FP32"><dim>2</dim></port>'
    """
    if port is not None and port.precision:
        precision = f' precision="{port.precision}"'
    else:
        precision = ""
    if port is not None:
        dims = "".join([f"<dim>{dim}</dim>" for dim in port.dims])
    else:
        dims = ""
    return f'<port id="{number}"{precision}>{dims}</port>'


def is_plain(element: Element) -> bool:
    """Whether the content of ``element`` is text as it is read: no elements, comments, CDATA sections or references."""
    inside = element.data[element.tag_span[1] : element.end]
    return b"<" not in inside and b"&" not in inside


def dim_edit(dim: Element, length: int) -> tuple[Span, bytes]:
    """The edit that makes ``length`` the content of ``dim``."""
    text = str(length).encode()
    if dim.text and is_plain(dim):
        return dim.text_span, text
    return (dim.start, end_of(dim)), b"<dim>" + text + b"</dim>"


def space_before(parent: Element, child: Element) -> bytes:
    """The white space before ``child``."""
    before = parent.data[max(parent.start, child.start - _MOST_SPACE) : child.start]
    return before[len(before.rstrip()) :]


def _added(
    parent: Element, port: Element, dims: list[Element], at: int, more: Sequence[int]
) -> tuple[Span, bytes]:
    if dims:
        space = space_before(port, dims[-1])
        indent = _INDENT.search(space)  # without blank lines before it
        text = b"".join(
            (indent[0] if indent else space) + b"<dim>%d</dim>" % length
            for length in more
        )
        if at:
            end = end_of(dims[at - 1])
        else:
            end = port.tag_span[1]
        return (end, end), text
    outer = space_before(parent, port)
    unit = _unit(parent, outer)
    text = b"".join(outer + unit + b"<dim>%d</dim>" % length for length in more)
    begin, end = port.tag_span
    if not port.data.endswith(b"/>", begin, end):
        if _INDENT.search(port.data[end : port.end]) or port.children:
            after = b""
        else:
            after = outer
        return (end, end), text + after
    inside = port.data[begin:end][:-2].rstrip()
    return (begin + len(inside), end), b">" + text + outer + b"</port>"


def _unit(parent: Element, space: bytes) -> bytes:
    """One step of indentation, from the indentation of ``parent`` and of its content."""
    before = parent.data[max(0, parent.start - _LONGEST_INDENT) : parent.start]
    outer = before[len(before.rstrip()) :].rpartition(b"\n")[2]
    inner = space.rpartition(b"\n")[2]
    if b"\n" in space and inner.startswith(outer):
        return inner.removeprefix(outer)
    return b""


def raw_layer(model: Model, layer: Layer, pieces: Pieces) -> bytes:
    """The text of ``layer``, with the constants in it and in its bodies moved to ``pieces``."""
    text = Source(
        model.source.data[layer.offset : end_of(element_of(model.source, layer))]
    )
    inside = [
        inner
        for body in layer.bodies
        for graph in body.graphs()
        for inner in graph.layers
    ]
    text.apply(
        [
            edit
            for each in (layer, *inside)
            for edit in _edits(model, each, pieces, layer.offset)
        ]
    )
    return text.data


def _edits(model: Model, layer: Layer, pieces: Pieces, start: int) -> list[Edit]:
    blob = constant(layer, model.weights)
    if blob is None:
        return []
    data = blob.data
    if data is None:
        if model.weights is not None:
            where = f"{model.weights.size} bytes"
        else:
            where = "none at all"
        raise InvalidModelError(
            f"{model.path}: constant {layer.name!r} is bytes {blob.offset} to {blob.offset + blob.size} of the .bin,"
            f" which has {where}"
        )
    element = element_of(model.source, layer).first("data")
    assert element is not None  # the constant was read from there
    begin, end = element.attribute_span("offset")
    return [
        Edit(
            begin - start,
            end - begin,
            str(pieces.put(data, (blob.offset, blob.size))).encode(),
            "",
        )
    ]


def net_information(model: Model) -> bytes:
    """The ``<rt_info>`` of the net, if it follows the edges directly; else empty."""
    data = model.source.data
    after = data.rfind(b"</edges>")
    start = data.find(b"<rt_info", after)
    if after < 0 or data[after + len(b"</edges>") : start].strip():
        return b""
    return data[start : end_of(element_at(model.source, start))]
