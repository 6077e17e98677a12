"""How far values may be off where a device computes in a narrower type; off unless somebody asks for it."""

from __future__ import annotations

from typing import NamedTuple

from ovgather.errors import InvalidModelError, shown
from ovgather.tensor.arrays import Array, bits

CAUSE = "within-tolerance"
_SUFFIX = "ulp"


class Tolerance(NamedTuple):
    """Bounds of a difference; a value is as good as equal if any of them holds."""

    absolute: float = 0.0
    relative: float = 0.0
    ulp: int = 0

    def holds(self, got: Array, want: Array | None) -> bool:
        """Whether every element is within one of the bounds; only real numbers can be off."""
        import numpy

        if want is None or got.dtype != want.dtype or got.shape != want.shape:
            return False
        if want.dtype.kind != "f" and want.dtype.name != "bfloat16":
            return False
        with numpy.errstate(all="ignore"):
            wide, exact = got.astype("f8"), want.astype("f8")
            same = (wide == exact) | (numpy.isnan(wide) & numpy.isnan(exact))
            off = numpy.abs(wide - exact)
            fits = same | (off <= self.absolute) | (off <= self.relative * numpy.abs(exact))
        fits &= same | numpy.isfinite(wide)
        if self.ulp and want.dtype.itemsize <= 4:
            fits |= numpy.isfinite(wide) & (numpy.abs(_order(got) - _order(want)) <= self.ulp)
        return bool(fits.all())

    def __str__(self) -> str:
        parts = [(self.absolute, "absolute"), (self.relative, "relative"), (self.ulp, "ULP")]
        return ", ".join(f"{name} {value:g}" for value, name in parts if value)


def _order(array: Array) -> Array:
    """The place of each number among all of its type."""
    import numpy

    patterns = bits(array).astype("i8")
    sign = 1 << (8 * array.dtype.itemsize - 1)
    ordered: Array = numpy.where(patterns >= sign, sign - patterns, patterns)
    return ordered


def parsed(text: str) -> Tolerance:
    """``1e-3`` (absolute), ``1e-2rel``, ``4ulp``, or several with commas between them.

    >>> str(parsed("1e-3,0.5%,2ulp"))
    'absolute 0.001, relative 0.005, ULP 2'
    """
    tolerance = Tolerance()
    for part in text.lower().split(","):
        try:
            if part.endswith(_SUFFIX):
                tolerance = tolerance._replace(ulp=int(part.removesuffix(_SUFFIX)))
            elif part.endswith("%"):
                tolerance = tolerance._replace(relative=float(part.removesuffix("%")) / 100)
            else:
                tolerance = tolerance._replace(absolute=float(part))
        except ValueError:
            raise InvalidModelError(
                f"tolerance {shown(part)} is none of 0.001 (absolute), 0.1% (relative), 2ulp"
            ) from None
    if not all(0 <= value < float("inf") for value in tolerance) or not any(tolerance):
        raise InvalidModelError(f"tolerance {shown(text)} must be positive")
    return tolerance
