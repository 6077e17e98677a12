"""The conformance of a device for programs."""

from collections.abc import Iterable
from typing import Any

from ovgather.crosscheck.conformance.campaign import Conformance


def document(results: Iterable[Conformance]) -> dict[str, Any]:
    """The one conformance."""
    (conformance,) = results
    return {
        "version": 1,
        "device": conformance.device,
        "cases": [{**each._asdict(), "status": conformance.status(each)} for each in conformance.results],
        "fixed": conformance.fixed,
        "summary": {
            "cases": conformance.total,
            "run": len(conformance.results),
            "new": len(conformance.new),
            "expected": len(conformance.still),
            "fixed": len(conformance.fixed),
        },
        "by_operation": _rates(conformance, "operation"),
        "by_type": _rates(conformance, "type"),
    }


def _rates(conformance: Conformance, field: str) -> dict[str, dict[str, int]]:
    return {name: {"passes": ok, "known": known, "of": of} for name, ok, known, of in conformance.rates(field)}
