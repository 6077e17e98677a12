"""Releases of OpenVINO, what they read (IR versions, opsets, element types), and what single ones get wrong."""

import re
from collections.abc import Sequence
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
        return f"{self.since} and later" if self.until is None else f"{self.until} and earlier"


_OPSETS_PAGE = "docs.openvino.ai/2024/documentation/openvino-ir-format/operation-sets/available-opsets.html"
_V7_SOURCE = "openvinotoolkit/openvino, pull request 1438: 2021.1 came without the reader of IR v7"
_WHEELS = "measured: its name is in libopenvino of the wheel of this release, and not in that of the one before"
_LAYERS = "measured: Gather layers of it are read, and refused by the release before (docs/releases.md)"
_TYPES = "measured: the releases before refuse it when they read (docs/releases.md)"

IR_VERSIONS = (
    *(Reading(str(number), Release(2019, 1), _V7_SOURCE, Release(2020, 4)) for number in range(2, 8)),
    Reading("10", Release(2020, 1), "docs.openvino.ai/2020.4/openvino_docs_IE_DG_nGraph_Flow.html"),
    Reading("11", Release(2022, 1), "docs.openvino.ai/2022.1/openvino_2_0_transition_guide.html"),
)
"""Versions of the IR. 2022.1 and later read v10 and write v11 only (intel.com, support article 000091835)."""

OPSETS = (
    Reading("opset1", Release(2020, 1), _OPSETS_PAGE),
    Reading("opset2", Release(2020, 2), _OPSETS_PAGE),
    Reading("opset3", Release(2020, 4), _OPSETS_PAGE),
    *(Reading(f"opset{number + 3}", Release(2021, number), _OPSETS_PAGE) for number in range(1, 5)),
    *(Reading(f"opset{number + 7}", Release(2022, number), _OPSETS_PAGE) for number in range(1, 4)),
    Reading("opset11", Release(2023, 0), _OPSETS_PAGE),
    Reading("opset12", Release(2023, 1), f"{_OPSETS_PAGE}; {_WHEELS}"),
    Reading("opset13", Release(2023, 2), f"{_OPSETS_PAGE}; {_WHEELS}"),
    Reading("opset14", Release(2024, 0), f"{_OPSETS_PAGE}; {_LAYERS}"),
    Reading("opset15", Release(2024, 5), f"{_OPSETS_PAGE}; {_LAYERS}"),
    Reading("opset16", Release(2026, 0), _LAYERS),
    Reading("opset17", Release(2026, 2), _WHEELS),
)

ELEMENT_TYPES = (
    *(Reading(name, Release(2024, 1), _TYPES) for name in ("u2", "u3", "u6")),
    *(Reading(name, Release(2024, 0), _TYPES) for name in ("f8e4m3", "f8e5m2")),
    *(Reading(name, Release(2024, 3), _TYPES) for name in ("f8e8m0", "f4e2m1")),
)
"""Element types that came after the first release that was measured, 2023.3; of the others nothing is said."""

_BY_NAME = {datum.name: datum for table in (IR_VERSIONS, OPSETS, ELEMENT_TYPES) for datum in table}


def reading(name: str) -> Reading | None:
    """The releases that read an IR version, an opset or an element type; None: nothing is known of it.

    >>> reading("opset7").span, reading("10").span, reading("5").span, reading("opset99")
    ('2021.4 and later', '2020.1 and later', '2020.4 and earlier', None)
    """
    return _BY_NAME.get(name)


def newest(table: Sequence[Reading], release: Release) -> str | None:
    """The newest of ``OPSETS`` or ``IR_VERSIONS`` that ``release`` reads; before 2020.1 there is no opset.

    >>> newest(OPSETS, Release(2020, 3)), newest(OPSETS, Release(2019, 3)), newest(IR_VERSIONS, Release(2021, 4))
    ('opset2', None, '10')
    """
    return next((each.name for each in reversed(table) if each.read_by(release)), None)


class Quirk(NamedTuple):
    """What some releases get wrong with files that are right: not read, or read as something else."""

    name: str  # what a rule tests for
    operations: tuple[str, ...]
    since: Release
    until: Release
    text: str  # what they do, without a full stop
    remedy: str
    source: str


QUIRKS = (
    Quirk(
        "negative-axis",
        ("Gather-1",),
        Release(2020, 1),
        Release(2020, 1),
        "reads a negative axis as an unsigned number and refuses it: The axis must => 0 and <= input_rank"
        " (axis: 4294967295)",
        "write the axis counted from the front",
        "ngraph/src/ngraph/op/gather.cpp; NervanaSystems/ngraph, issue 4342",
    ),
    Quirk(
        "merged-batch-dims",
        ("GatherND-11", "GatherND-12", "GatherND-13"),
        Release(2021, 2),
        Release(2021, 4),
        "converts it to GatherND-5, which merges the batch dims of the output into one",
        "use 2022.1 or later, or put a Reshape behind it",
        "openvinotoolkit/openvino, issue 7379; specification of GatherND-5",
    ),
)


def find_quirk(name: str, operation: str, release: Release) -> Quirk | None:
    """The mistake ``name`` of ``release`` with ``operation``, such as ``Gather-1``."""
    fitting = (quirk for quirk in QUIRKS if quirk.name == name and operation in quirk.operations)
    return next((quirk for quirk in fitting if quirk.since <= release <= quirk.until), None)
