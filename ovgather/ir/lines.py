"""Lines and columns of a text: quick also for many positions in one file, or in one line of it."""

from bisect import bisect_left, bisect_right
from itertools import accumulate

_BLOCK = 1 << 12
_BOM = b"\xef\xbb\xbf"


def decode(text: bytes) -> str:
    """``text`` with one U+FFFD for each byte that is not UTF-8, so that columns can be counted in it."""
    characters = text.decode("utf-8", "surrogateescape")
    if characters.isprintable():
        return characters
    return "".join("\ufffd" if "\udc80" <= char <= "\udcff" else char for char in characters)


class Lines:
    """Lines and columns of ``text``, from 1: a byte that is not UTF-8 is one character, a byte-order mark none."""

    __slots__ = ("_ascii", "_breaks", "_characters", "_newline", "_starts", "text")

    def __init__(self, text: bytes) -> None:
        self.text = text
        self._newline = b"\r" if b"\n" not in text and b"\r" in text else b"\n"
        self._ascii = text.isascii()
        self._starts = [0, *(self._boundary(offset) for offset in range(_BLOCK, len(text), _BLOCK))]
        blocks = zip(self._starts, self._starts[1:], strict=False)
        self._breaks = [*accumulate((text.count(self._newline, begin, end) for begin, end in blocks), initial=0)]
        self._characters: list[int] = []

    def _boundary(self, offset: int) -> int:
        # The first byte of a character is at most three bytes back.
        starts = (start for start in range(offset, offset - 4, -1) if not 0x80 <= self.text[start] < 0xC0)
        return next(starts, offset)

    def position(self, offset: int) -> tuple[int, int]:
        """Line and column of byte ``offset``."""
        offset = max(0, min(offset, len(self.text)))
        block = bisect_right(self._starts, offset) - 1
        start = self._starts[block]
        before = self._breaks[block] + self.text.count(self._newline, start, offset)
        near = self.text.rfind(self._newline, start, offset) + 1
        begin = near if near > 0 else self._start(before)
        if self._ascii:
            return before + 1, offset - begin + 1
        return before + 1, max(1, self._until(offset) - self._until(begin) + 1)

    def offset(self, line: int, column: int) -> int:
        """The byte at ``line`` and ``column``."""
        begin = self._start(line - 1)
        if self._ascii:
            return min(begin + column - 1, len(self.text))
        before = self._until(begin) + column - 1
        block = bisect_right(self._characters, before) - 1
        start = self._starts[block]
        characters = self.text[start : start + 2 * _BLOCK].decode("utf-8", "surrogateescape")
        inside = characters[: before - self._characters[block]]
        return start + len(inside.encode("utf-8", "surrogateescape"))

    def end(self, offset: int, limit: int) -> int:
        """The end of the line with byte ``offset``, but at most ``limit``."""
        end = self.text.find(self._newline, offset, limit)
        return end if end >= 0 else min(limit, len(self.text))

    def _start(self, number: int) -> int:
        """The first byte of the line that follows ``number`` line ends."""
        if number == 0:
            return len(_BOM) if self.text.startswith(_BOM) else 0
        block = bisect_left(self._breaks, number) - 1
        at = self._starts[block] - 1
        for _ in range(number - self._breaks[block]):
            at = self.text.find(self._newline, at + 1)
            if at < 0:
                return len(self.text)
        return at + 1

    def _until(self, offset: int) -> int:
        """The number of characters before byte ``offset``."""
        if self._ascii:
            return offset
        if not self._characters:
            texts = (self.text[begin:end] for begin, end in zip(self._starts, self._starts[1:], strict=False))
            counts = (len(text.decode("utf-8", "surrogateescape")) for text in texts)
            self._characters = [*accumulate(counts, initial=0)]
        block = bisect_right(self._starts, offset) - 1
        inside = self.text[self._starts[block] : offset].decode("utf-8", "surrogateescape")
        return self._characters[block] + len(inside)
