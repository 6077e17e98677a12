"""How often each rule found something, for programs; ``ovgather.schemas`` holds the JSON Schema of this."""

from collections import Counter
from collections.abc import Iterable
from typing import Any

from ovgather.report.statistics.text import by_code
from ovgather.report.validate.json import summary
from ovgather.validation.checked import Checked, Totals
from ovgather.validation.diagnostic import SEVERITIES


def document(results: Iterable[Checked]) -> dict[str, Any]:
    """The codes with their numbers, the most frequent first, and the summary of ``validate``."""
    totals = Totals()
    files_with: Counter[str] = Counter()
    for checked in totals.over(results):
        files_with.update({code for code, _ in checked.numbers})
    statistics = [
        {
            "code": code,
            "title": title,
            "findings": number,
            **{f"{severity}s": totals.numbers[code, severity] for severity in SEVERITIES},
            "files": files_with[code],
        }
        for code, title, number in by_code(totals)
    ]
    return {"version": 1, "statistics": statistics, "summary": summary(totals)}
