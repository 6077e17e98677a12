"""What was most likely meant by text at which every parser stops, so that the rest of the file can be looked at too."""

import re
from collections.abc import Iterator

from ovgather.ir.encoding import conflict_marker
from ovgather.ir.repair.explain import missing_quote
from ovgather.ir.repair.unbalanced import GUESS, fault_of
from ovgather.ir.text import Edit, Source

_OURS = re.compile(rb"^[ \t]*<{7} .*\n?", re.MULTILINE)
_SPLIT = re.compile(rb"^[ \t]*={7}[ \t\r]*\n", re.MULTILINE)
_END = re.compile(rb"^[ \t]*>{7} .*\n?", re.MULTILINE)


def guesses(source: Source, offset: int) -> list[Edit]:
    """The edits that get the parser past its error at byte ``offset`` of ``source.data``, and leave all whole elements
    as they are; of a merge that is not resolved the first side is taken."""
    text = source.data
    marker = conflict_marker(text)
    if marker is not None and marker <= offset:
        ours = [_edit(mark.start(), len(mark[0])) for mark in _OURS.finditer(text)]
        return [*ours, *_other_sides(text)]
    if text.startswith(b"<!--", offset):
        end = text.find(b"\n", offset)
        return [_edit(offset, end - offset)] if end > 0 else []
    if (fault := fault_of(source)) is not None:
        return [] if fault.edit is None else [fault.edit]
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


def _edit(start: int, removed: int, inserted: bytes = b"") -> Edit:
    return Edit(start, removed, inserted, "", GUESS)
