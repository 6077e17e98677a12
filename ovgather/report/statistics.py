"""How often each rule found something, the most frequent first."""

from collections import Counter, deque
from collections.abc import Iterable, Iterator
from typing import Any

from ovgather.report.validate import json, text
from ovgather.text import paint
from ovgather.validation.checked import Checked, Counted, Totals, by_code
from ovgather.validation.diagnostic import SEVERITIES
from ovgather.validation.rules import every


def lines(results: Iterable[Checked]) -> Iterator[str]:
    """A line for each code with its count and title; then the summary."""
    totals = Totals()
    deque(totals.over(results), maxlen=0)
    rows = _by_code(totals)
    for code, title, number in rows:
        worst = next(
            severity for severity in SEVERITIES if totals.numbers[code, severity]
        )
        yield f"{number:>{len(str(rows[0][2]))}}  {paint(code, worst)}  {title}"
    if rows:
        yield ""
    yield text.summary(totals)


def document(results: Iterable[Checked]) -> dict[str, Any]:
    totals = Totals()
    files_with: Counter[str] = Counter()
    for checked in totals.over(results):
        files_with.update({code for code, _ in checked.numbers})
    statistics = []
    for code, title, number in _by_code(totals):
        numbers = {
            f"{severity}s": totals.numbers[code, severity] for severity in SEVERITIES
        }
        statistics.append(
            {
                "code": code,
                "title": title,
                "findings": number,
                **numbers,
                "files": files_with[code],
            }
        )
    return {"version": 1, "statistics": statistics, "summary": json.summary(totals)}


def _by_code(totals: Totals) -> list[tuple[str, str, int]]:
    counts = by_code(Counted(*kind, number) for kind, number in totals.numbers.items())
    titles = {rule.RULE.code: rule.RULE.title for rule in every()}
    rows = [(code, titles.get(code, ""), number) for code, number in counts.items()]
    return sorted(rows, key=lambda row: (-row[2], row[0]))
