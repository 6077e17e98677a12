"""The rules for programs; ``ovgather.schemas`` holds the JSON Schema of this."""

from collections.abc import Iterable
from typing import Any

from ovgather.report.validate.json import dumps
from ovgather.validation.rule_page import Page
from ovgather.validation.selection.codes import is_usual


def render(results: Iterable[Page], color: bool = False) -> str:
    """All rules, as one JSON document."""
    return dumps({"version": 1, "rules": [rule_json(rule) for rule in results]})


def rule_json(rule: Page) -> dict[str, Any]:
    """The facts of one rule, without its page."""
    return {
        "code": rule.code,
        "name": rule.name,
        "title": rule.title,
        "what": rule.what,
        "group": rule.group,
        "severities": list(rule.severities),
        "verdicts": list(rule.verdicts),
        "fixable": bool(rule.fixes),
        "fixes": list(rule.fixes),
        "on_request": not is_usual(rule.code),
    }
