"""How often each rule found something, for programs; ``ovgather.schemas`` holds the JSON Schema of this."""

from collections import Counter
from collections.abc import Iterable

from ovgather.report.validate.json import dumps, summary
from ovgather.validation.checked import Checked, Totals
from ovgather.validation.diagnostic import SEVERITIES
from ovgather.validation.rules import every


def render(results: Iterable[Checked], color: bool = False) -> str:
    """The codes with their numbers, the most frequent first, and the summary of ``validate``."""
    totals = Totals()
    counts: Counter[str] = Counter()
    files_with: Counter[str] = Counter()
    for checked in totals.over(results):
        files_with.update({code for code, _ in checked.numbers})
    for (code, _), number in totals.numbers.items():
        counts[code] += number
    titles = {rule.RULE.code: rule.RULE.title for rule in every()}
    statistics = [
        {
            "code": code,
            "title": titles.get(code, ""),
            "findings": number,
            **{f"{severity}s": totals.numbers[code, severity] for severity in SEVERITIES},
            "files": files_with[code],
        }
        for code, number in sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    ]
    return dumps({"version": 1, "statistics": statistics, "summary": summary(totals)})
