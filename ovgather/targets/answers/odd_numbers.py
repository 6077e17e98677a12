"""Numbers that are something else: a sign turned over, or letters read as a number."""

import re
from collections.abc import Iterator

NUMBER = re.compile(r"(?<![\w.])-?\d{8,20}(?![\w.])")
_POINTER = "version "
_SMALL = 4096


def odd_numbers(text: str) -> Iterator[tuple[str, str]]:
    """The numbers of ``text`` that are hardly meant as numbers, each with what it is.

    >>> list(odd_numbers("axis: 4294967295"))
    [('4294967295', '-1 read as an unsigned number of 32 bits')]
    >>> dict(odd_numbers("axis 2336927755350992246"))["2336927755350992246"]
    "the text 'version ', the beginning of a git-lfs pointer: the .bin is a pointer, not the weights"
    >>> list(odd_numbers("axis 12 of 2147483648"))
    []
    """
    for number in dict.fromkeys(NUMBER.findall(text)):
        if (what := describe(int(number))) is not None:
            yield number, what


def describe(number: int) -> str | None:
    """What ``number`` is, if it is odd.

    >>> describe(18446744073709551614), describe(9223372036854775807)
    ('-2 read as an unsigned number of 64 bits', 'the largest number of 64 bits: it stands for a dim without bound')
    """
    if number == (1 << 63) - 1:
        return "the largest number of 64 bits: it stands for a dim without bound"
    for bits in (32, 64):
        if 0 < (1 << bits) - number <= _SMALL:
            return f"{number - (1 << bits)} read as an unsigned number of {bits} bits"
    letters = _letters(number)
    if letters is None:
        return None
    if _POINTER.startswith(letters):
        return f"the text {letters!r}, the beginning of a git-lfs pointer: the .bin is a pointer, not the weights"
    if letters.lower().startswith(("<!do", "<htm", "<?xm", "<net")):
        return f"the text {letters!r}: the .bin is a web page or XML, not the weights"
    return f"the text {letters!r}: the .bin is text, not the weights"


def _letters(number: int) -> str | None:
    """The text whose bytes make ``number``, of 4 or 8 letters."""
    for size in (4, 8):
        if 0 <= number < 1 << (8 * size):
            text = number.to_bytes(size, "little").decode("latin-1")
            if (
                text.isascii()
                and text.isprintable()
                and sum(letter.isalnum() for letter in text) >= size - 2
            ):
                return text
    return None
