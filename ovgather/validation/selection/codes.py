"""Which rules are reported, and how severely. The longest prefix that matches a code decides; of two equally long ones
``ignore`` does. The command line stands above the configuration file: a layer of choice that selects starts anew, one
that only ignores takes away from what is below.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from ovgather.errors import ConfigurationError
from ovgather.text import did_you_mean, printable
from ovgather.validation.checked import Counted
from ovgather.validation.diagnostic import SEVERITIES, Diagnostic

Severities = Mapping[str, str]
"""The severities that the user sets, of all findings of a code."""
ON_REQUEST = "OVG851"
"""Codes that begin so are reported only where a prefix of at least ``_LEAST_PREFIX`` characters selects them."""
_LEAST_PREFIX = 5


class Choice(NamedTuple):
    """One layer: prefixes to select (None: nothing is said), prefixes to ignore."""

    select: tuple[str, ...] | None = None
    ignore: tuple[str, ...] = ()


class Selection(NamedTuple):
    """Which codes are reported."""

    choices: tuple[Choice, ...] = ()

    def keeps(self, code: str) -> bool:
        """Whether findings of ``code`` are reported."""
        is_reported = is_usual(code)
        for choice in self.choices:
            ignored = _longest(code, choice.ignore)
            if choice.select is not None:
                selected = _longest(code, choice.select)
                is_reported = selected > ignored and (
                    is_usual(code) or selected >= _LEAST_PREFIX
                )
            elif ignored >= 0:
                is_reported = False
        return is_reported

    def without(self, prefixes: Iterable[str]) -> "Selection":
        """This selection, less all codes with one of ``prefixes``."""
        ignored = tuple(prefixes)
        if ignored:
            return Selection((*self.choices, Choice(ignore=ignored)))
        return self


def is_usual(code: str) -> bool:
    """Whether ``code`` is reported by default."""
    return not code.startswith(ON_REQUEST)


def _longest(code: str, prefixes: Iterable[str]) -> int:
    """The length of the longest of ``prefixes`` that ``code`` starts with, -1 when none does."""
    return max(
        (len(prefix) for prefix in prefixes if code.startswith(prefix)), default=-1
    )


def parse_codes(texts: Iterable[str], where: str) -> tuple[str, ...]:
    """The codes and prefixes in comma lists; ``where`` is the option or key, for messages."""
    codes = known_codes()
    words = [word for text in texts for word in re.split(r"[\s,]+", text) if word]
    prefixes = prefixes_of(codes)
    for word in words:
        if word.upper() not in prefixes:
            raise ConfigurationError(f"{where}: {unknown_code(word, codes)}")
    if not words:
        raise ConfigurationError(
            f"{where}: expected codes, such as OVG2 or OVG203, got none"
        )
    return tuple(dict.fromkeys(word.upper() for word in words))


def known_codes() -> list[str]:
    """The codes of all rules."""
    from ovgather.validation.rules import every

    return [rule.RULE.code for rule in every()]


def prefixes_of(codes: Iterable[str]) -> frozenset[str]:
    """The beginnings of ``codes``, and the codes themselves."""
    return frozenset(
        code[:length] for code in codes for length in range(1, len(code) + 1)
    )


def unknown_code(text: str, codes: Iterable[str]) -> str:
    """The message on a code that no rule has."""
    return (
        f"no rule has the code `{printable(text)}`{did_you_mean(text.upper(), codes)}"
    )


def parse_severities(levels: Iterable[tuple[str, str]], where: str) -> dict[str, str]:
    """The severity of each code that one of ``levels``, a code or prefix and a severity, names; the longest decides.

    Raises:
        ConfigurationError: no rule has the code, or there is no such severity.

    >>> parse_severities([("OVG205", "error"), ("OVG20", "note")], "--severity")["OVG205"]
    'error'
    """
    prefixes: dict[str, str] = {}
    for text, severity in levels:
        codes = parse_codes([text], where)
        if severity not in SEVERITIES:
            names = ", ".join(SEVERITIES)
            close = did_you_mean(severity, SEVERITIES)
            raise ConfigurationError(
                f"{where}: {text}: expected one of {names}, got `{severity}`{close}"
            )
        prefixes.update(dict.fromkeys(codes, severity))
    if prefixes:
        known = known_codes()
    else:
        known = []
    return {
        code: prefixes[prefix]
        for prefix in sorted(prefixes, key=len)
        for code in known
        if code.startswith(prefix)
    }


def parse_options(texts: Iterable[str], where: str) -> dict[str, str]:
    """The same of ``OVG205=error`` and lists of it.

    >>> parse_options(["OVG205=error, OVG305=note"], "--severity")
    {'OVG205': 'error', 'OVG305': 'note'}
    """
    levels = []
    for each in (each for text in texts for each in text.split(",")):
        code, equals, severity = each.partition("=")
        if not equals:
            raise ConfigurationError(
                f"{where}: expected CODE=SEVERITY, such as OVG205=error, got `{each.strip()}`"
            )
        levels.append((code.strip(), severity.strip()))
    return parse_severities(levels, where)


def with_severities(
    findings: Iterable[Diagnostic | Counted], severities: Severities
) -> Iterator[Diagnostic | Counted]:
    """``findings``, with the severities that the user sets."""
    for finding in findings:
        severity = severities.get(finding.code, finding.severity)
        if isinstance(finding, Counted):
            yield finding._replace(severity=severity)
        else:
            finding.severity = severity  # type: ignore[assignment]
            yield finding
