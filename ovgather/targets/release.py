"""A release of OpenVINO: its name, and which of two is the earlier."""

import re
from typing import NamedTuple

from ovgather.errors import ConfigurationError

_SERIES = {2019: 3, 2020: 4, 2021: 4, 2022: 3, 2023: 3, 2024: 6, 2025: 4, 2026: 4}
"""The last number of each year; from 2023 on the first is 0. Those of 2019 are written R1 to R3."""
_WRITTEN = re.compile(r"(20\d\d)(?:\.| ?R)(\d{1,2})(?:\.(\d{1,4}))?", re.IGNORECASE)


class Release(NamedTuple):
    """A release, such as 2021.4 or 2019 R3; a number of a patch is read and does not count.

    >>> Release(2021, 4) < Release(2022, 1), str(Release(2019, 3)), str(Release(2024, 0))
    (True, '2019 R3', '2024.0')
    """

    year: int
    number: int

    def __str__(self) -> str:
        return f"{self.year} R{self.number}" if self.year == min(_SERIES) else f"{self.year}.{self.number}"

    def __repr__(self) -> str:
        return f"Release({str(self)!r})"


def releases() -> tuple[Release, ...]:
    """All releases, in order.

    >>> str(releases()[0]), str(releases()[3]), str(releases()[-1])
    ('2019 R1', '2020.1', '2026.4')
    """
    return tuple(Release(year, number) for year, last in _SERIES.items() for number in range(year < 2023, last + 1))


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
        raise ConfigurationError(f"{where}: expected a release of OpenVINO, such as 2021.4, got {text!r}")
    release = Release(int(match[1]), int(match[2]))
    if release in releases():
        return release
    same_year = [each for each in releases() if each.year == release.year]
    known, what = (same_year, f"{release.year} has") if same_year else (releases(), "known are")
    raise ConfigurationError(f"{where}: OpenVINO {release} is not known: {what} {known[0]} to {known[-1]}")


def find(text: str) -> Release | None:
    """The first release that ``text`` names, such as the one in a build number; None when it names none.

    >>> find("2024.0.0-14509-34caeefd078-releases/2024/0"), find("custom")
    (Release('2024.0'), None)
    """
    named = (Release(int(match[1]), int(match[2])) for match in _WRITTEN.finditer(text))
    return next((release for release in named if release in releases()), None)
