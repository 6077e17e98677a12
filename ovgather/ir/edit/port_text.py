"""Edits of the dims of a ``<port>`` that keep its layout."""

import re
from collections.abc import Sequence

from ovgather.ir.numbers import XML_SPACE
from ovgather.ir.positions import Element, Span

_LONGEST_INDENT = 200
_INDENT = re.compile(rb"\r?\n[ \t]*\Z")


def dims_edits(parent: Element, port: Element, lengths: Sequence[int]) -> list[tuple[Span, bytes]]:
    """The edits, by spans of the parsed text, that make ``lengths`` the dims of ``port``."""
    dims = port.named("dim")
    pairs = zip(dims, lengths, strict=False)
    edits = [_text_edit(dim, length) for dim, length in pairs if dim.text.strip(XML_SPACE) != str(length)]
    edits += [((dim.start - len(_space(port, dim)), end_of(dim)), b"") for dim in dims[len(lengths) :]]
    if len(dims) < len(lengths):
        edits.append(_added(parent, port, dims, lengths[len(dims) :]))
    return edits


def end_of(element: Element) -> int:
    """The byte after ``element``."""
    begin, end = element.tag_span
    return end if element.data.endswith(b"/>", begin, end) else element.data.find(b">", element.end) + 1


def is_plain(element: Element) -> bool:
    """Whether the content of ``element`` is text as it is read: no elements, comments, CDATA sections or references."""
    inside = element.data[element.tag_span[1] : element.end]
    return b"<" not in inside and b"&" not in inside


def _text_edit(dim: Element, length: int) -> tuple[Span, bytes]:
    text = str(length).encode()
    if dim.text and is_plain(dim):
        return dim.text_span, text
    return (dim.start, end_of(dim)), b"<dim>" + text + b"</dim>"


def _space(parent: Element, child: Element) -> bytes:
    """The white space before ``child``."""
    before = parent.data[parent.start : child.start]
    return before[len(before.rstrip()) :]


def _added(parent: Element, port: Element, dims: Sequence[Element], more: Sequence[int]) -> tuple[Span, bytes]:
    if dims:
        text = b"".join(_space(port, dims[-1]) + b"<dim>%d</dim>" % length for length in more)
        end = end_of(dims[-1])
        return (end, end), text
    outer = _space(parent, port)
    unit = _unit(parent, outer)
    text = b"".join(outer + unit + b"<dim>%d</dim>" % length for length in more)
    begin, end = port.tag_span
    if not port.data.endswith(b"/>", begin, end):
        after = b"" if _INDENT.search(port.data[end : port.end]) or port.children else outer
        return (end, end), text + after
    inside = port.data[begin:end][:-2].rstrip()
    return (begin + len(inside), end), b">" + text + outer + b"</port>"


def _unit(parent: Element, space: bytes) -> bytes:
    """One step of indentation, from the indentation of ``parent`` and of its content."""
    before = parent.data[max(0, parent.start - _LONGEST_INDENT) : parent.start]
    outer = before[len(before.rstrip()) :].rpartition(b"\n")[2]
    inner = space.rpartition(b"\n")[2]
    return inner.removeprefix(outer) if b"\n" in space and inner.startswith(outer) else b""
