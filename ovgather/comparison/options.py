"""The options of a cross-check, in one object, and how far values may be off for those who allow it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from ovgather.comparison.report import ALONE, FAILING, IN_PLACE
from ovgather.errors import InvalidModelError, short_repr
from ovgather.runtimes.outcome import Outcome
from ovgather.runtimes.ways import WAYS
from ovgather.tensor.arrays import Array, bits

OPENVINO = "openvino"
MODES = (ALONE, IN_PLACE, "both")
TIMEOUT = 120.0
_HANGS = 10.0
"""Seconds that a further look at what hangs waits."""
REPEAT = 5
DEFAULT_WAYS = ["requests", "outputs", "inputs"]
"""In which of ``runtimes.ways.WAYS`` a model is run by default."""
REPEATED = ("seed", "static", "repeat", "config", "plugins", "ways")
"""The options, beside inputs, tolerance and device, that a run needs to fail again."""
WITHIN = "within-tolerance"
"""The cause of what a tolerance lets pass."""


class Tolerance(NamedTuple):
    """Bounds of a difference; a value is as good as equal if any of them holds."""

    absolute: float = 0.0
    relative: float = 0.0
    ulp: int = 0

    def holds(self, got: Array, want: Array | None) -> bool:
        """Whether every element is within one of the bounds; only real numbers can be off."""
        if want is None or got.dtype != want.dtype or got.shape != want.shape:
            return False
        if want.dtype.name == "bfloat16":
            got = bits(got)
            want = bits(want)
        elif want.dtype.kind != "f":
            return False
        from ovgather.comparison.reproduce import is_near  # what a reproducer says, too

        return bool(is_near(got, want, self).all())

    def __str__(self) -> str:
        parts = [
            (self.absolute, "absolute"),
            (self.relative, "relative"),
            (self.ulp, "ULP"),
        ]
        return ", ".join(f"{name} {value:g}" for value, name in parts if value)


def named_ways(ways: Sequence[str]) -> Sequence[str]:
    """``ways``, each of them one of ``runtimes.ways.WAYS``. Raises InvalidModelError."""
    for way in ways:
        if way not in WAYS:
            raise InvalidModelError(
                f"way {short_repr(way)} is none of {', '.join(WAYS)}"
            )
    return ways


def parsed(text: str | None) -> Tolerance | None:
    """``1e-3`` (absolute), ``1%`` (relative), ``4ulp``, or several with commas between them; None stays None.

    >>> str(parsed("1e-3,0.5%,2ulp"))
    'absolute 0.001, relative 0.005, ULP 2'
    """
    if text is None:
        return None
    bounds: dict[str, float] = {}
    for part in text.lower().split(","):
        try:
            if part.endswith("ulp"):
                bounds["ulp"] = int(part.removesuffix("ulp"))
            elif part.endswith("%"):
                bounds["relative"] = float(part.removesuffix("%")) / 100
            else:
                bounds["absolute"] = float(part)
        except ValueError:
            words = f"tolerance {short_repr(part)} is none of 0.001 (absolute), 0.1% (relative), 2ulp"
            raise InvalidModelError(words) from None
    tolerance = Tolerance(**bounds)  # type: ignore[arg-type]
    if not all(0 <= value < float("inf") for value in tolerance) or not any(tolerance):
        raise InvalidModelError(f"tolerance {short_repr(text)} must be positive")
    return tolerance


class CrosscheckOptions(NamedTuple):
    """What to run, in which runtimes and for how long; see ``entry.crosscheck``.

    ``confirmations``: how often a difference is looked at again in another process; one that changes is unsteady.
    ``ways``: of ``runtimes.ways.WAYS``, in which the whole model runs once more. ``minutes``: how long it goes on.
    """

    inputs: Mapping[str, Any] | None = None
    layer: str | None = None
    seed: int = 0
    device: str = "CPU"
    static: bool = False
    timeout: float = TIMEOUT
    mode: str = "both"
    variants: Sequence[str] = ("default",)
    against: Sequence[str] = (OPENVINO,)
    strict: bool = False
    start: Sequence[str] | None = None
    progress: Callable[[int, int], None] | None = None
    confirmations: int = 3
    repeat: int = REPEAT
    tolerance: Tolerance | None = None
    config: Mapping[str, str] = {}
    plugins: Mapping[str, str] = {}
    ways: Sequence[str] = DEFAULT_WAYS
    minutes: float = 0.0

    @property
    def layer_inputs(self) -> Mapping[str, Any] | None:
        """The arrays for ``layer`` alone; in the other modes ``inputs`` are those of the whole model."""
        if self.mode == ALONE:
            return self.inputs
        return None

    def command(self, runtime: str) -> Sequence[str]:
        own = runtime == OPENVINO and (self.config or self.plugins)
        # takes numpy, which a shell that completes options does not wait for
        from ovgather.runtimes import pool

        return self.start or (
            pool.command(runtime, self.config, self.plugins)
            if own
            else pool.command(runtime)
        )

    def device_of(self, runtime: str) -> str:
        if runtime == OPENVINO:
            return self.device
        return "CPU"

    def after(self, verdict: str) -> CrosscheckOptions:
        """The options to look again with: a hang is waited for once, and not in each further step."""
        if verdict == "timeout":
            return self._replace(timeout=min(self.timeout, _HANGS))
        return self

    def fails(self, outcome: Outcome) -> bool:
        """Whether an outcome is a failure; with ``strict`` a known deviation is one, too."""
        return outcome.verdict in FAILING or (
            self.strict and outcome.verdict == "known"
        )
