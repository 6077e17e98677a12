"""Start and end tags that do not match: which tag is at fault, and what was most likely meant."""

import re
from collections.abc import Iterator
from typing import NamedTuple
from xml.parsers import expat
from xml.parsers.expat import errors

from ovgather.ir.elements import NAMES, children
from ovgather.ir.repair.repair import TAG
from ovgather.ir.text import Edit, Source

GUESS = "guess"
"""The kind of edits that are made only to look at the rest of a file."""
_ATTRIBUTE = re.compile(rb"""\s(id|type)\s*=\s*["']([^"'<>]{0,80})["']""")


class TagFault(NamedTuple):
    """What is wrong, the byte that shows it, the first byte of the other tag, and the edit that makes them match."""

    text: str
    place: int
    other: int | None
    edit: Edit | None


class _Tag(NamedTuple):
    """A tag, and its first byte."""

    name: str
    start: int


class Tags:
    """The tags of ``source`` up to the error ``code`` at byte ``stop``, where a parser stops.

    ``opened``: the elements without an end, outermost first; ``inner``: the children of each of them.
    """

    def __init__(self, source: Source) -> None:
        self.source = source
        self.text = source.data
        self.opened: list[_Tag] = []
        self.inner: list[list[_Tag]] = []
        self.code = ""
        self.stop = len(self.text)
        self.parser = parser = expat.ParserCreate("utf-8")
        parser.StartElementHandler = self._start
        parser.EndElementHandler = self._end
        try:
            parser.Parse(self.text, True)
        except expat.ExpatError as error:
            self.code = errors.messages.get(error.code, "")
            self.stop = parser.ErrorByteIndex
        del self.parser

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        tag = _Tag(name, self.parser.CurrentByteIndex)
        if self.inner:
            self.inner[-1].append(tag)
        self.opened.append(tag)
        self.inner.append([])

    def _end(self, name: str) -> None:
        self.opened.pop()
        self.inner.pop()

    def line(self, tag: _Tag) -> int:
        """The line of ``tag``."""
        return self.source.position(tag.start)[0]

    def tag_text(self, tag: _Tag) -> bytes:
        """``tag`` as it is written."""
        match = TAG.match(self.text, tag.start)
        return b"" if match is None else match[0]

    def attributes(self, tag: _Tag) -> dict[bytes, str]:
        """The id and the type of a layer."""
        pairs = _ATTRIBUTE.findall(self.tag_text(tag))
        return {name: value.decode("utf-8", "replace") for name, value in pairs}

    def called(self, tag: _Tag) -> str:
        """What a message calls the element of ``tag``."""
        id = self.attributes(tag).get(b"id")
        if tag.name == "layer" and id is not None:
            return f"layer {id}"
        return f"<{tag.name[:80]}>"


def fault_of(source: Source) -> TagFault | None:
    """The fault at the first end tag that does not match, or where a text ends too early; None: there is none."""
    tags = Tags(source)
    if not tags.opened:
        return None
    tag = tags.opened[-1]
    if tags.code == errors.XML_ERROR_NO_ELEMENTS:
        name = f"<{tag.name[:80]}>, which was opened on line {tags.line(tag)}"
        message = f"the text ends within {name}: is it cut off?"
        return TagFault(message, tags.stop, tag.start, None)
    if tags.code != errors.XML_ERROR_TAG_MISMATCH:
        return None
    start = tags.text.rfind(b"</", 0, tags.stop + 2)
    end = tags.text.find(b">", start) + 1
    closing = _Tag(tags.text[start + 2 : end - 1].decode("utf-8", "replace"), start)
    faults = [
        *_closed_early(tags, closing, end),
        *_twice(tags),
        *_unclosed(tags, closing, end),
    ]
    return max(faults, key=lambda fault: _reach(source, fault))


def _reach(source: Source, fault: TagFault) -> int:
    """The byte up to which the text is well-formed with the edit of ``fault``."""
    if fault.edit is None:
        return -1
    repaired = Source(source.data)
    repaired.apply([fault.edit])
    parser = expat.ParserCreate("utf-8")
    try:
        parser.Parse(repaired.data, True)
    except expat.ExpatError:
        return repaired.to_original(parser.ErrorByteIndex)
    return len(source.data) + 1


def _closed_early(tags: Tags, closing: _Tag, end: int) -> Iterator[TagFault]:
    """``closing`` closes nothing: the element before it has an end, perhaps in its start tag, though more follows."""
    name = closing.name.strip()
    *_, siblings = tags.inner
    last = next((each for each in reversed(siblings) if each.name == name), None)
    if last is None:
        return
    text = tags.tag_text(last)
    shown = f"`</{name[:80]}>`"
    is_alone = text.endswith(b"/>")
    if is_alone and last is not siblings[-1]:
        slash = last.start + len(text) - 2
        message = f"{tags.called(last)} ends with `/>` here, but its content and {shown} follow"
        yield TagFault(message, slash, closing.start, _edit(slash, 1))
        return
    called = f"{tags.called(last)} of line {tags.line(last)}"
    how = " by `/>`" if is_alone else ""
    message = f"{shown} closes nothing: {called} is already closed{how}"
    edit = _edit(closing.start, end - closing.start)
    yield TagFault(message, tags.stop, last.start, edit)


def _twice(tags: Tags) -> Iterator[TagFault]:
    """A start tag that is repeated before anything else."""
    tag = tags.opened[-1]
    if not tags.inner[-1]:
        return
    again = tags.inner[-1][0]
    text = tags.tag_text(tag)
    between = tags.text[tag.start + len(text) : again.start]
    if tags.tag_text(again) == text and not between.strip():
        message = f"the tag of {tags.called(tag)} is repeated"
        yield TagFault(
            message, again.start + 1, tag.start, _edit(again.start, len(text))
        )


def _unclosed(tags: Tags, closing: _Tag, end: int) -> Iterator[TagFault]:
    """The innermost element has no end: before a child that belongs beside it, or at ``closing``."""
    *outer, tag = tags.opened
    line = tags.line(tag)
    type = tags.attributes(tag).get(b"type", "")
    beside = {tag.name}
    if outer:
        type_outside = tags.attributes(outer[-1]).get(b"type", "")
        beside.update(children(outer[-1].name, type_outside))
    beside -= set(children(tag.name, type))
    missing = b"</%b>" % tag.name.encode()
    for inside in tags.inner[-1]:
        if tag.name in NAMES and inside.name in beside:
            message = f"{tags.called(inside)} begins before {tags.called(tag)} of line {line} is closed"
            edit = _edit(inside.start, 0, missing)
            yield TagFault(message, inside.start + 1, tag.start, edit)
            return
    name = f"</{tag.name[:80]}>"
    shown = tags.text[closing.start : end][:80].decode("utf-8", "replace")
    message = f"`{shown}` where `{name}` was expected: <{tag.name[:80]}> was opened on line {line} and never closed"
    for removed in (0, end - closing.start):  # forgotten, or called otherwise
        edit = _edit(closing.start, removed, missing)
        yield TagFault(message, tags.stop, tag.start, edit)


def _edit(start: int, removed: int, inserted: bytes = b"") -> Edit:
    return Edit(start, removed, inserted, "", GUESS)
