"""Releases of OpenVINO, what they read (IR versions, opsets, element types), and what single ones get wrong."""

import json
import os
import re
from collections.abc import Sequence
from functools import cache
from typing import Any, NamedTuple

from ovgather.errors import ConfigurationError
from ovgather.text import pattern

_SERIES = {2019: 3, 2020: 4, 2021: 4, 2022: 3, 2023: 3, 2024: 6, 2025: 4, 2026: 4}
"""The last number of each year; from 2023 on the first is 0. Those of 2019 are written R1 to R3."""
_WRITTEN = pattern(r"(20\d\d)(?:\.| ?R)(\d{1,2})(?:\.(\d{1,4}))?", re.IGNORECASE)


class Release(NamedTuple):
    """A release, such as 2021.4 or 2019 R3; a number of a patch is read and does not count.

    >>> Release(2021, 4) < Release(2022, 1), str(Release(2019, 3)), str(Release(2024, 0))
    (True, '2019 R3', '2024.0')
    """

    year: int
    number: int

    def __str__(self) -> str:
        if self.year == min(_SERIES):
            return f"{self.year} R{self.number}"
        return f"{self.year}.{self.number}"

    def __repr__(self) -> str:
        return f"Release({str(self)!r})"


def releases() -> tuple[Release, ...]:
    """All releases, in order.

    >>> str(releases()[0]), str(releases()[3]), str(releases()[-1])
    ('2019 R1', '2020.1', '2026.4')
    """
    return tuple(
        Release(year, number)
        for year, last in _SERIES.items()
        for number in range(year < 2023, last + 1)
    )


@cache
def parse(text: str, where: str = "--target") -> Release:
    """The release that ``text`` names: ``2021.4``, ``2021.4.2``, ``2019 R3``, ``2019R3``.

    Raises:
        ConfigurationError: there is none of that name; the message begins with ``where``.

    >>> parse("2021.4.2"), parse("2019r3")
    (Release('2021.4'), Release('2019 R3'))
    >>> parse("2021.5")
    Traceback (most recent call last):
    ovgather.errors.ConfigurationError: --target: OpenVINO 2021.5 is not known: 2021 has 2021.1 to 2021.4
    """
    match = _WRITTEN.fullmatch(text.strip())
    if match is None:
        raise ConfigurationError(
            f"{where}: expected a release of OpenVINO, such as 2021.4, got {text!r}"
        )
    release = Release(int(match[1]), int(match[2]))
    if release in releases():
        return release
    same_year = [each for each in releases() if each.year == release.year]
    known, what = (
        (same_year, f"{release.year} has") if same_year else (releases(), "known are")
    )
    raise ConfigurationError(
        f"{where}: OpenVINO {release} is not known: {what} {known[0]} to {known[-1]}"
    )


def find(text: str) -> Release | None:
    """The first release that ``text`` names, such as the one in a build number; None when it names none.

    >>> find("2024.0.0-14509-34caeefd078-releases/2024/0"), find("custom")
    (Release('2024.0'), None)
    """
    named = (Release(int(match[1]), int(match[2])) for match in _WRITTEN.finditer(text))
    return next((release for release in named if release in releases()), None)


class Reading(NamedTuple):
    """What is read since a release, and up to another; ``until`` None: to this day.

    ``source`` is a document, or the word ``measured`` with what was measured.
    """

    name: str
    since: Release
    source: str
    until: Release | None = None

    def read_by(self, release: Release) -> bool:
        return self.since <= release and (self.until is None or release <= self.until)

    @property
    def span(self) -> str:
        """The releases in words: ``2020.1 and later``, ``2020.4 and earlier``."""
        if self.until is None:
            return f"{self.since} and later"
        return f"{self.until} and earlier"


@cache
def _tables() -> dict[str, Any]:
    """The content of ``releases.json``, where releases are texts."""
    path = os.path.join(os.path.dirname(__file__), "releases.json")
    with open(path, encoding="utf-8") as file:
        tables: dict[str, Any] = json.load(file)
    return tables


def _with_releases(fields: dict[str, Any]) -> dict[str, Any]:
    return {
        name: parse(value) if name in ("since", "until") else value
        for name, value in fields.items()
    }


@cache
def readings(table: str) -> tuple[Reading, ...]:
    """What the releases read, the oldest first, of ``ir_versions``, ``opsets`` or ``element_types``."""
    return tuple(Reading(**_with_releases(fields)) for fields in _tables()[table])


@cache
def _by_name() -> dict[str, Reading]:
    tables = ("ir_versions", "opsets", "element_types")
    return {each.name: each for table in tables for each in readings(table)}


def reading(name: str) -> Reading | None:
    """The releases that read an IR version, an opset or an element type; None: nothing is known of it.

    >>> reading("opset7").span, reading("10").span, reading("5").span, reading("opset99")
    ('2021.4 and later', '2020.1 and later', '2020.4 and earlier', None)
    """
    return _by_name().get(name)


def newest(table: str, release: Release) -> str | None:
    """The newest of ``opsets`` or ``ir_versions`` that ``release`` reads; before 2020.1 there is no opset.

    >>> newest("opsets", Release(2020, 3)), newest("opsets", Release(2019, 3)), newest("ir_versions", Release(2021, 4))
    ('opset2', None, '10')
    """
    return next(
        (each.name for each in reversed(readings(table)) if each.read_by(release)), None
    )


class Quirk(NamedTuple):
    """What some releases get wrong with files that are right: not read, or read as something else."""

    name: str  # what a rule tests for
    operations: Sequence[str]
    since: Release
    until: Release
    text: str  # what they do, without a full stop
    remedy: str
    source: str


@cache
def quirks() -> tuple[Quirk, ...]:
    """All that is known of single releases."""
    return tuple(Quirk(**_with_releases(fields)) for fields in _tables()["quirks"])


def find_quirk(name: str, operation: str, release: Release) -> Quirk | None:
    """The mistake ``name`` of ``release`` with ``operation``, such as ``Gather-1``."""
    fitting = (
        quirk
        for quirk in quirks()
        if quirk.name == name and operation in quirk.operations
    )
    return next(
        (quirk for quirk in fitting if quirk.since <= release <= quirk.until), None
    )
