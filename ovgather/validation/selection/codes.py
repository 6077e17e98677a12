"""Which rules are reported: codes and prefixes of codes, selected and ignored.

The longest prefix that matches a code decides; of two equally long ones ``ignore`` does. Layers of choice stand on
each other, the configuration file first and the command line above it: a layer that selects starts anew, one that only
ignores takes away from what is below.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

from ovgather.errors import ConfigurationError

ON_REQUEST = "OVG85"
"""Codes that begin so are reported only where a prefix as long as that selects them."""
_SEPARATOR = re.compile(r"[\s,]+")


class Choice(NamedTuple):
    """One layer: prefixes to select (None: nothing is said), prefixes to ignore."""

    select: tuple[str, ...] | None = None
    ignore: tuple[str, ...] = ()


class Selection(NamedTuple):
    """Which codes are reported."""

    choices: tuple[Choice, ...] = ()

    def keeps(self, code: str) -> bool:
        """Whether findings of ``code`` are reported."""
        kept = is_usual(code)
        for choice in self.choices:
            ignored = longest(code, choice.ignore)
            if choice.select is not None:
                chosen = longest(code, choice.select)
                kept = chosen > ignored and (is_usual(code) or chosen >= len(ON_REQUEST))
            elif ignored >= 0:
                kept = False
        return kept

    def without(self, prefixes: Iterable[str]) -> Selection:
        """This selection, less all codes with one of ``prefixes``."""
        ignored = tuple(prefixes)
        return Selection((*self.choices, Choice(ignore=ignored))) if ignored else self


def is_usual(code: str) -> bool:
    """Whether ``code`` is reported without being asked for."""
    return not code.startswith(ON_REQUEST)


def longest(code: str, prefixes: Iterable[str]) -> int:
    """The length of the longest of ``prefixes`` that ``code`` starts with, -1 when none does."""
    return max((len(prefix) for prefix in prefixes if code.startswith(prefix)), default=-1)


def parse_codes(texts: Iterable[str], where: str) -> tuple[str, ...]:
    """Codes and prefixes out of comma lists.

    Args:
        texts: what was written, such as ``["OVG2,OVG102"]``.
        where: the option or key, for messages.

    Raises:
        ConfigurationError: one of them is no code, nor the beginning of one.

    >>> parse_codes(["OVG2, ovg102"], "--select")
    ('OVG2', 'OVG102')
    >>> parse_codes(["OVG2033"], "--select")
    Traceback (most recent call last):
    ovgather.errors.ConfigurationError: --select: no rule has the code `OVG2033`; did you mean `OVG203`?
    """
    known = known_codes()
    found = []
    for text in texts:
        for written in filter(None, _SEPARATOR.split(text)):
            prefix = written.upper()
            if not is_known(prefix, known):
                raise ConfigurationError(f"{where}: {unknown_code(written, known)}")
            found.append(prefix)
    if not found:
        raise ConfigurationError(f"{where}: expected codes, such as OVG2 or OVG203, got none")
    return tuple(dict.fromkeys(found))


def known_codes() -> list[str]:
    """The codes of all rules."""
    from ovgather.validation.rules import every

    return [rule.CODE for rule in every()]


def is_known(prefix: str, known: Iterable[str]) -> bool:
    """Whether ``prefix`` is a code of ``known`` or the beginning of one."""
    return bool(prefix) and any(code.startswith(prefix) for code in known)


def unknown_code(written: str, known: Iterable[str]) -> str:
    """What to say of a code that no rule has."""
    from ovgather.text import did_you_mean

    return f"no rule has the code `{written}`{did_you_mean(written.upper(), known)}"
