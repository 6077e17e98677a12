"""The conformance of a device for programs."""

from collections.abc import Iterable
from typing import Any

from ovgather.crosscheck.conformance.results import Conformance
from ovgather.report.validate.json import dumps


def render(results: Iterable[Conformance], color: bool = False) -> str:
    """The one conformance, as a JSON document."""
    (conformance,) = results
    document: dict[str, Any] = {
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
    }
    for field in ("operation", "type"):
        rates = conformance.rates(field)
        document[f"by_{field}"] = {name: {"passes": ok, "known": known, "of": of} for name, ok, known, of in rates}
    return dumps(document)
