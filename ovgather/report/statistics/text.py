"""How often each rule found something, the most frequent first."""

from collections import Counter
from collections.abc import Iterable

from ovgather.report.validate.text import summary
from ovgather.text import paint
from ovgather.validation.checked import Checked, Totals
from ovgather.validation.diagnostic import SEVERITIES
from ovgather.validation.rules import every


def render(results: Iterable[Checked], color: bool = False) -> str:
    """A line for each code with its count and title; then the summary."""
    totals = Totals()
    for _ in totals.over(results):
        pass
    counts: Counter[str] = Counter()
    worst: dict[str, str] = {}
    for severity in reversed(SEVERITIES):
        for (code, _), number in [item for item in totals.numbers.items() if item[0][1] == severity]:
            counts[code] += number
            worst[code] = severity
    titles = {rule.RULE.code: rule.RULE.title for rule in every()}
    width = len(str(max(counts.values(), default=0)))
    lines = [
        f"{number:>{width}}  {paint(code, worst[code], color)}  {titles.get(code, '')}"
        for code, number in sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    ]
    return "\n".join([*lines, "", summary(totals, color)] if lines else [summary(totals, color)]) + "\n"
