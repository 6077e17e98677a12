"""The rules, a line each, and as JSON."""

from collections.abc import Iterable, Iterator

from ovgather.report.json_text import JsonObject, fields
from ovgather.text import paint
from ovgather.validation.rule_page import Page
from ovgather.validation.selection.codes import is_usual


def lines(results: Iterable[Page]) -> Iterator[str]:
    """Code, severities, a mark where ``--fix`` may help, and title.

    >>> from ovgather.text import unpainted
    >>> [*map(unpainted, lines([Page("OVG999", "nothing", ("error", "note"), (), ("safe",))]))]
    ['OVG999  error, note           [*]  nothing']
    """
    for rule in results:
        code = paint(rule.code, rule.severities[0])
        mark = "[*]" if "safe" in rule.fixes else ""
        yield f"{code}  {', '.join(rule.severities):20}  {mark:3}  {rule.title}"


def document(results: Iterable[Page]) -> JsonObject:
    return {"version": 1, "rules": [rule_json(rule) for rule in results]}


def rule_json(rule: Page) -> JsonObject:
    facts = fields(rule, "code name title what group severities verdicts")
    return {
        **facts,
        "fixable": bool(rule.fixes),
        "fixes": rule.fixes,
        "on_request": not is_usual(rule.code),
    }
