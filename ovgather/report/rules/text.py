"""The rules for people: a line each."""

from collections.abc import Iterable, Iterator

from ovgather.text import paint
from ovgather.validation.rule_page import Page


def lines(results: Iterable[Page], color: bool = False) -> Iterator[str]:
    """Code, severities, a mark where ``--fix`` may help, and title.

    >>> [*lines([Page("OVG999", "nothing", ("error", "note"), (), ("safe",))])]
    ['OVG999  error, note           [*]  nothing']
    """
    for rule in results:
        code, mark = paint(rule.code, rule.severities[0], color), "[*]" if "safe" in rule.fixes else ""
        yield f"{code}  {', '.join(rule.severities):20}  {mark:3}  {rule.title}"
