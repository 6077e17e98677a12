"""The harness of a plugin's author: the layers of a model on a device, cases that failed, and rules to know."""

from __future__ import annotations

import ovgather
import ovgather.comparison.report as reports


def verdicts(source: str, device: str = "CPU") -> dict[str, str]:
    report: ovgather.Report = ovgather.crosscheck(
        source, device=device, variants=["none"], mode="alone"
    )
    found: dict[str, str] = {}
    for file in report:
        for record in file:
            found[record.layer.name] = record.verdict
    return found


def failing(report: reports.Report) -> list[ovgather.Record]:
    return [record for record in report.records if record.verdict in reports.FAILING]


def reproducer(source: str, layer: str, folder: str) -> str | None:
    reduction = ovgather.reduce(source, layer, folder=folder)
    return None if reduction is None else str(reduction.signature)


def passes(only: str) -> tuple[int, int]:
    result: ovgather.Conformance = ovgather.conformance(only=only)
    return len(result.results) - len(result.new), len(result.results)


def hazards() -> list[str]:
    return [
        page.code for page in ovgather.rules("OVG3") if "warning" in page.severities
    ]
