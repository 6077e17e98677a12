"""A known deviation of a runtime from the specification: what it is, and which versions have it."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from ovgather.runtimes.outcome import Evidence
from ovgather.tensor.arrays import Array


class Deviation(NamedTuple):
    """What the plugin does instead, under a stable word for it.

    ``change`` gives the values of ``argument`` as the plugin sees them (None: this deviation has no say
    here). For the argument ``output`` it marks the indices whose elements are left to chance; the
    others must still be right.
    """

    key: str
    argument: str
    reason: str
    source: str
    change: Callable[[Evidence], Array | None]
    versions: tuple[tuple[str, str], ...] = (("", ""),)

    def holds_for(self, version: str) -> bool:
        """Whether this version deviates so: from the first of a pair of ``versions`` on, before the second.

        >>> deviation = Deviation("k", "data", "", "", lambda evidence: None, (("2025.3", ""),))
        >>> deviation.holds_for("2026.4.1-22982-abc"), deviation.holds_for("2025.2.0"), deviation.holds_for("")
        (True, False, True)
        """
        given = numbers(version)
        pairs = [(numbers(low), numbers(high)) for low, high in self.versions]
        return not version or any(low <= given and (not high or given < high) for low, high in pairs)


def numbers(version: str) -> tuple[int, ...]:
    """The numbers that a version starts with.

    >>> numbers("2026.4.1-22982-abc"), numbers("")
    ((2026, 4, 1), ())
    """
    parts = version.split("-")[0].split("+")[0].split(".")
    return tuple(int(part) for part in parts if part.isdigit())
