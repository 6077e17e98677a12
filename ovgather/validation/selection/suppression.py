"""Comments in an IR that keep findings from being reported: ``<!-- ovgather: ignore OVG203, OVG5 reason -->`` in a
layer or directly before it, or before an ``<edge>``; ``<!-- ovgather: ignore-file OVG206 reason -->`` for the file.

Layers keep only the byte where they start: where one ends is found by parsing it again, when a comment asks.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from operator import attrgetter
from sys import maxsize
from typing import NamedTuple

from ovgather.ir.edit.layer_text import end_of
from ovgather.ir.graph import Layer
from ovgather.ir.model import Model
from ovgather.ir.positions import Span, element_of, passages, tag_at
from ovgather.layers.reference import LayerReference, reference
from ovgather.tensor.lazy import Table
from ovgather.validation.diagnostic import Diagnostic, Suppressed

_MARK = b"ovgather:"
_COMMENT = b"<!--"
_COMMENT_END = b"-->"
IGNORE = "ignore"
IGNORE_FILE = "ignore-file"
_DIRECTIVE = re.compile(rb"\s*ovgather:\s*(\S*)")
_CODE = re.compile(rb"[\s,]*([^\s,:;]+)")
_LIKE_A_CODE = re.compile(rb"OVG\d*", re.IGNORECASE)
_SPACE = re.compile(rb"\s*")
_NO_REASON = " \t\r\n.,:;-"

Place = tuple[int, int]  # line and column


class Code(NamedTuple):
    """A code or prefix as written in a comment, and where: bytes of the parsed text."""

    text: str
    span: Span


class Comment(NamedTuple):
    """A comment for ovgather, with its codes and its reason. Without a ``scope`` it suppresses nothing."""

    span: Span
    directive: str
    codes: tuple[Code, ...]
    reason: str
    scope: Scope | None

    @property
    def holds(self) -> bool:
        """Whether it has an effect."""
        return self.scope is not None and bool(self.reason)


class Scope:
    """A part of the text, such as a layer, and the first comment on each suppressed prefix."""

    __slots__ = ("around", "codes", "end", "layer", "start")

    def __init__(
        self, start: Place, end: Place, layer: LayerReference | None = None
    ) -> None:
        self.start = start
        self.end = end
        self.layer = layer
        self.around: Scope | None = None
        self.codes: dict[str, Comment] = {}

    def find(self, code: str) -> tuple[str, Comment] | None:
        """The longest prefix of ``code`` that is suppressed here, and the comment that says so."""
        prefixes = (code[:length] for length in range(len(code), 0, -1))
        return next(
            (
                (prefix, self.codes[prefix])
                for prefix in prefixes
                if prefix in self.codes
            ),
            None,
        )


class Suppressions:
    """The comments of one file, and what they hold for."""

    def __init__(self, model: Model) -> None:
        self.comments: list[Comment] = []
        self._used: set[tuple[int, str]] = set()
        self._file = Scope((1, 1), (maxsize, 1))
        scopes = _Scopes(model, self._file)
        for span, text, after in _comments(model.source.data):
            comment = _read(text, span)
            comment = comment._replace(scope=scopes.of(comment, after))
            self.comments.append(comment)
            if comment.scope is not None and comment.holds:
                for code in comment.codes:
                    comment.scope.codes.setdefault(code.text.upper(), comment)
        self._nested = sorted(
            scopes.scopes.values(),
            key=lambda scope: (scope.start, -scope.end[0], -scope.end[1]),
        )
        self._by_layer = {
            scope.layer: scope for scope in self._nested if scope.layer is not None
        }
        open: list[Scope] = [self._file]
        for scope in self._nested:
            while open[-1].end <= scope.start:
                open.pop()
            scope.around = open[-1]
            open.append(scope)

    def suppressed(self, diagnostic: Diagnostic) -> Suppressed | None:
        """``diagnostic`` with the comment that suppresses it; None when none does."""
        if (match := self._find(diagnostic)) is None:
            return None
        prefix, comment = match
        self._used.add((comment.span[0], prefix))
        return Suppressed(diagnostic, "comment", comment.reason)

    def cover_file(self, code: str) -> bool:
        """Whether a comment suppresses ``code`` in the whole file."""
        return self._file.find(code) is not None

    def unused(self) -> Iterator[tuple[Comment, Code]]:
        """The codes of valid comments that have suppressed no finding so far."""
        codes = (
            (comment, code)
            for comment in self.comments
            if comment.holds
            for code in comment.codes
        )
        return (
            pair
            for pair in codes
            if (pair[0].span[0], pair[1].text.upper()) not in self._used
        )

    def _find(self, diagnostic: Diagnostic) -> tuple[str, Comment] | None:
        if self._nested:
            place = (diagnostic.line, diagnostic.column)
        else:
            place = (1, 1)
        at = bisect_right(self._nested, place, key=attrgetter("start")) - 1
        scope: Scope | None = self._nested[at] if at >= 0 else self._file
        while scope is not None:
            if place < scope.end and (match := scope.find(diagnostic.code)):
                return match
            scope = scope.around
        # A finding about a layer may stand elsewhere: at an edge into it.
        layer = None
        if diagnostic.layer is not None:
            layer = self._by_layer.get(diagnostic.layer)
        if layer is not None:
            return layer.find(diagnostic.code)
        return None


def _read(text: bytes, span: Span) -> Comment:
    """The comment at ``span``, as yet without its scope; ``text`` is between ``<!--`` and ``-->``."""
    directive = _DIRECTIVE.match(text)
    if directive:
        at = directive.end()
    else:
        at = 0
    start = span[0] + len(b"<!--")
    codes: list[Code] = []
    while word := _CODE.match(text, at):
        is_listed = not codes or b"," in text[at : word.start(1)]
        if not is_listed and not _LIKE_A_CODE.fullmatch(word[1]):
            break
        codes.append(
            Code(
                word[1].decode("utf-8", "replace"),
                (start + word.start(1), start + word.end(1)),
            )
        )
        at = word.end()
    reason = " ".join(text[at:].decode("utf-8", "replace").strip(_NO_REASON).split())
    return Comment(
        span,
        directive[1].decode("utf-8", "replace") if directive else "",
        tuple(codes),
        reason,
        None,
    )


class _Scopes:
    """The scopes of the comments of one model, by the span of their layer or edge."""

    def __init__(self, model: Model, file: Scope) -> None:
        self.source = model.source
        self.file = file
        self.layers = {
            layer.offset: layer
            for layer in sorted(model.layers(), key=attrgetter("offset"))
        }
        self.offsets = list(self.layers)
        self.edges = {
            edge.offset for graph in model.graph.graphs() for edge in graph.edges
        }
        self.scopes: dict[Span, Scope] = {}
        # Each is looked for once, for a layer may hold thousands of comments.
        self.ends: Table[Layer, int] = Table(
            lambda layer: end_of(element_of(model.source, layer))
        )

    def of(self, comment: Comment, after: int) -> Scope | None:
        """The scope of ``comment``, before the element at byte ``after``."""
        if comment.directive != IGNORE:
            if comment.directive == IGNORE_FILE:
                return self.file
            return None
        layer: Layer | None = None
        if after in self.edges:
            span = tag_at(self.source, after).tag_span
        elif (layer := self._layer(after, comment.span[0])) is not None:
            span = layer.offset, self.ends[layer]
        else:
            return None
        if span not in self.scopes:
            about = None
            if layer is not None:
                about = reference(layer)
            self.scopes[span] = Scope(
                self.source.position(span[0]), self.source.position(span[1]), about
            )
        return self.scopes[span]

    def _layer(self, after: int, offset: int) -> Layer | None:
        """The layer that starts at byte ``after``, or the innermost one around byte ``offset``."""
        if after in self.layers:
            return self.layers[after]
        index = bisect_right(self.offsets, offset) - 1
        layer: Layer | None = self.layers[self.offsets[index]] if index >= 0 else None
        while layer is not None and self.ends[layer] <= offset:
            layer = layer.graph.parent
        return layer


def _comments(data: bytes) -> list[tuple[Span, bytes, int]]:
    """The comments that start with the mark: their span, their text, and the start of the element that follows."""
    comments: list[tuple[Span, bytes, int]] = []
    # the start of the next comment, and of the element that follows it
    following: tuple[int, int] | None = None
    for begin, end in reversed(list(passages(data))):
        space = _SPACE.match(data, end)
        if space:
            after = space.end()
        else:
            after = end
        if following is not None and after == following[0]:
            after = following[1]
        if data.startswith(_COMMENT, begin) and data.endswith(
            _COMMENT_END, begin + len(_COMMENT), end
        ):
            following = begin, after
            text = data[begin + len(_COMMENT) : end - len(_COMMENT_END)]
            if text.lstrip().startswith(_MARK):
                comments.append(((begin, end), text, after))
    return comments[::-1]
