"""Comments in an IR that keep findings from being reported.

``<!-- ovgather: ignore OVG203, OVG5 reason -->`` inside a layer, or directly before it, holds for that layer and its
bodies; directly before an ``<edge>``, for that edge. ``<!-- ovgather: ignore-file OVG206 reason -->`` holds for the
file. Without a reason nothing is suppressed.

Comments are looked for only in a text that contains ``ovgather:``, and layers keep only the byte where they start:
where one ends is found by parsing it again, when a comment asks.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from ovgather.ir.graph import Layer
from ovgather.ir.model import Model
from ovgather.ir.positions import Span, element_of, tag_at
from ovgather.layers.reference import LayerReference, reference
from ovgather.validation.diagnostic import Diagnostic, Suppressed

_MARK = b"ovgather:"
IGNORE, IGNORE_FILE = "ignore", "ignore-file"
_MARKUP = re.compile(rb"<!--(.*?)-->|<!\[CDATA\[.*?\]\]>|<\?.*?\?>", re.DOTALL)
_DIRECTIVE = re.compile(rb"\s*ovgather:\s*(\S*)")
_CODE = re.compile(rb"[\s,]*([^\s,:;]+)")
_LIKE_A_CODE = re.compile(rb"OVG\d*", re.IGNORECASE)
_SPACE = re.compile(rb"\s*")
_NO_REASON = " \t\r\n.,:;-"

Place = tuple[int, int]
"""Line and column."""


class Code(NamedTuple):
    """A code or prefix as written in a comment, and where: bytes of the parsed text."""

    text: str
    span: Span


class Comment(NamedTuple):
    """A comment for ovgather: its directive, the codes and the reason it gives; ``scope`` None: it suppresses nothing."""

    span: Span
    directive: str
    codes: tuple[Code, ...]
    reason: str
    scope: Scope | None

    @property
    def holds(self) -> bool:
        """Whether it is followed at all."""
        return self.scope is not None and bool(self.reason)


class Scope:
    """A part of the text, a layer, or (no ``end``) the file, and the comment that names each suppressed prefix first."""

    __slots__ = ("around", "codes", "end", "layer", "start")

    def __init__(self, start: Place, end: Place | None, layer: LayerReference | None = None) -> None:
        self.start = start
        self.end = end
        self.layer = layer
        self.around: Scope | None = None
        self.codes: dict[str, Comment] = {}

    def find(self, code: str) -> tuple[str, Comment] | None:
        """The longest prefix of ``code`` that is suppressed here, and the comment that says so."""
        for length in range(len(code), 0, -1):
            comment = self.codes.get(code[:length])
            if comment is not None:
                return code[:length], comment
        return None


class Suppressions:
    """The comments of one file, and what they hold for."""

    def __init__(self, model: Model) -> None:
        self.comments: list[Comment] = []
        self._used: set[tuple[int, str]] = set()
        self._file = Scope((1, 1), None)
        places = _Places(model)
        scopes: dict[Span, Scope] = {}
        for span, text, after in _comments(model.source.data):
            self._add(_Reader(text, span), after, places, scopes)
        nested = sorted(scopes.values(), key=lambda scope: (scope.start, _reversed(scope.end)))
        self._starts = [scope.start for scope in nested]
        self._nested = nested
        self._by_layer = {scope.layer: scope for scope in nested if scope.layer is not None}
        open: list[Scope] = [self._file]
        for scope in nested:
            while open[-1].end is not None and open[-1].end <= scope.start:
                open.pop()
            scope.around = open[-1]
            open.append(scope)

    def _add(self, read: _Reader, after: int, places: _Places, scopes: dict[Span, Scope]) -> None:
        scope: Scope | None = None
        if read.directive == IGNORE_FILE:
            scope = self._file
        elif read.directive == IGNORE:
            scope = places.scope(read.span[0], after, scopes)
        comment = Comment(read.span, read.directive, read.codes, read.reason, scope)
        self.comments.append(comment)
        if scope is not None and comment.holds:
            for code in comment.codes:
                scope.codes.setdefault(code.text.upper(), comment)

    def split(self, found: Iterable[Diagnostic]) -> tuple[list[Diagnostic], list[Suppressed]]:
        """``found`` apart: what is to be reported, and what a comment suppresses."""
        reported: list[Diagnostic] = []
        suppressed: list[Suppressed] = []
        for diagnostic in found:
            entry = self.suppressed(diagnostic)
            if entry is None:
                reported.append(diagnostic)
            else:
                suppressed.append(entry)
        return reported, suppressed

    def suppressed(self, diagnostic: Diagnostic) -> Suppressed | None:
        """``diagnostic`` with the comment that suppresses it; None when none does."""
        hit = self._find(diagnostic)
        if hit is None:
            return None
        prefix, comment = hit
        self._used.add((comment.span[0], prefix))
        return Suppressed(diagnostic, "comment", comment.reason)

    def cover_file(self, code: str) -> bool:
        """Whether a comment suppresses ``code`` wherever it stands in the file."""
        return self._file.find(code) is not None

    def unused(self) -> Iterator[tuple[Comment, Code]]:
        """The codes of comments that hold but have suppressed nothing (to be asked when all findings have been)."""
        for comment in self.comments:
            if comment.holds:
                for code in comment.codes:
                    if (comment.span[0], code.text.upper()) not in self._used:
                        yield comment, code

    def _find(self, diagnostic: Diagnostic) -> tuple[str, Comment] | None:
        place = (diagnostic.line, diagnostic.column)
        at = bisect_right(self._starts, place) - 1
        scope: Scope | None = self._nested[at] if at >= 0 else self._file
        while scope is not None:
            if (scope.end is None or place < scope.end) and (hit := scope.find(diagnostic.code)):
                return hit
            scope = scope.around
        # What is said of a layer may be shown elsewhere: at an edge into it.
        layer = self._by_layer.get(diagnostic.layer) if diagnostic.layer is not None else None
        return layer.find(diagnostic.code) if layer is not None else None


def _reversed(place: Place | None) -> Place:
    return (0, 0) if place is None else (-place[0], -place[1])


class _Reader:
    """What one comment says; ``text`` is what stands between ``<!--`` and ``-->``."""

    def __init__(self, text: bytes, span: Span) -> None:
        self.span = span
        directive = _DIRECTIVE.match(text)
        self.directive = directive[1].decode("utf-8", "replace") if directive else ""
        at = directive.end() if directive else 0
        start = span[0] + len(b"<!--")
        codes: list[Code] = []
        while word := _CODE.match(text, at):
            listed = not codes or b"," in text[at : word.start(1)]
            if not listed and not _LIKE_A_CODE.fullmatch(word[1]):
                break
            codes.append(Code(word[1].decode("utf-8", "replace"), (start + word.start(1), start + word.end(1))))
            at = word.end()
        self.codes = tuple(codes)
        self.reason = " ".join(text[at:].decode("utf-8", "replace").strip(_NO_REASON).split())


class _Places:
    """The layers and edges of a model by the bytes they take up."""

    def __init__(self, model: Model) -> None:
        self.model = model
        self.layers = sorted(model.layers(), key=lambda layer: layer.offset)
        self.offsets = [layer.offset for layer in self.layers]
        self.edges = {edge.offset for graph in model.graph.graphs() for edge in graph.edges}
        self.ends: dict[int, int] = {}

    def scope(self, offset: int, after: int, scopes: dict[Span, Scope]) -> Scope | None:
        """What a comment at byte ``offset`` that is followed by what stands at byte ``after`` holds for."""
        layer: Layer | None = None
        if after in self.edges:
            span = tag_at(self.model.source, after).tag_span
        else:
            layer = self._layer_at(after) or self._layer_around(offset)
            if layer is None:
                return None
            span = layer.offset, self._end(layer)
        scope = scopes.get(span)
        if scope is None:
            position = self.model.source.position
            about = reference(layer) if layer is not None else None
            scope = scopes[span] = Scope(position(span[0]), position(span[1]), about)
        return scope

    def _layer_at(self, offset: int) -> Layer | None:
        at = bisect_right(self.offsets, offset) - 1
        return self.layers[at] if at >= 0 and self.offsets[at] == offset else None

    def _layer_around(self, offset: int) -> Layer | None:
        at = bisect_right(self.offsets, offset) - 1
        layer: Layer | None = self.layers[at] if at >= 0 else None
        while layer is not None and self._end(layer) <= offset:
            layer = layer.graph.parent
        return layer

    def _end(self, layer: Layer) -> int:
        end = self.ends.get(layer.offset)
        if end is None:
            element = element_of(self.model.source, layer)
            end = self.ends[layer.offset] = max(element.end, element.tag_span[1])
        return end


def _comments(data: bytes) -> list[tuple[Span, bytes, int]]:
    """The comments that start with the mark: their span, their text, and the start of the element that follows."""
    found: list[tuple[Span, bytes, int]] = []
    following: tuple[int, int] | None = None  # the comment after this one, and what follows that
    for markup in reversed(list(_MARKUP.finditer(data))):
        space = _SPACE.match(data, markup.end())
        after = space.end() if space else markup.end()
        if following is not None and after == following[0]:
            after = following[1]
        if markup[1] is not None:
            following = markup.start(), after
            if markup[1].lstrip().startswith(_MARK):
                found.append((markup.span(), markup[1], after))
    return found[::-1]
