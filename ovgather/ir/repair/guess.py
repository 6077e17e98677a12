"""What was most likely meant by text at which every parser stops, so that the rest of the file can be looked at too."""

import re
from collections.abc import Iterator

from ovgather.ir.encoding import conflict_marker
from ovgather.ir.repair.explain import missing_quote
from ovgather.ir.text import Edit

GUESS = "guess"
"""The kind of these edits."""
_OURS = re.compile(rb"^[ \t]*<{7} .*\n?", re.MULTILINE)
_SPLIT = re.compile(rb"^[ \t]*={7}[ \t\r]*\n", re.MULTILINE)
_END = re.compile(rb"^[ \t]*>{7} .*\n?", re.MULTILINE)


def guesses(text: bytes, offset: int, opened: int | None) -> list[Edit]:
    """The edits that get the parser past its error at byte ``offset``, and leave all whole elements as they are.

    Of a merge that is not resolved the first side is taken; ``opened`` is the first byte of an element without an end.
    """
    marker = conflict_marker(text)
    if marker is not None and marker <= offset:
        ours = [_edit(mark.start(), len(mark[0])) for mark in _OURS.finditer(text)]
        return [*ours, *_other_sides(text)]
    if text.startswith(b"<!--", offset):
        end = text.find(b"\n", offset)
        return [_edit(offset, end - offset)] if end > 0 else []
    if opened is not None:
        return [*_closed(text, offset, opened)]
    quote = missing_quote(text, offset) or missing_quote(text, offset, are_words=True)
    return [] if quote is None else [_edit(quote[0], 0, quote[1])]


def _other_sides(text: bytes) -> Iterator[Edit]:
    """The second sides of merges that are not resolved."""
    split = _SPLIT.search(text)
    while split is not None:
        end = _END.search(text, split.end())
        if end is None:
            return
        yield _edit(split.start(), end.end() - split.start())
        split = _SPLIT.search(text, end.end())


def _closed(text: bytes, offset: int, opened: int) -> Iterator[Edit]:
    """The end tag before the next element of the name, or before the end tag at ``offset``: elements of one name stand
    side by side, but for those of a body."""
    tag = re.compile(rb"<([\w.:-]+)").match(text, opened)
    closing = text.rfind(b"</", opened, offset + 2)
    is_cut_off = closing < 0 or 0 <= text.find(b">", closing) < offset
    if tag is None or is_cut_off:
        return
    again = re.compile(rb"<(?:%b\b|\w*body>)" % re.escape(tag[1]))
    begun = again.search(text, tag.end(), closing)
    at = closing if begun is None or begun[0].endswith(b">") else begun.start()
    yield _edit(at, 0, b"</%b>" % tag[1])


def _edit(start: int, removed: int, inserted: bytes = b"") -> Edit:
    return Edit(start, removed, inserted, "", GUESS)
