"""The rules for programs; ``ovgather.schemas`` holds the JSON Schema of this."""

from collections.abc import Iterable
from typing import Any

from ovgather.report.json_text import fields
from ovgather.validation.rule_page import Page
from ovgather.validation.selection.codes import is_usual


def document(results: Iterable[Page]) -> dict[str, Any]:
    """All rules."""
    return {"version": 1, "rules": [rule_json(rule) for rule in results]}


def rule_json(rule: Page) -> dict[str, Any]:
    """The facts of one rule, without its page."""
    facts = fields(rule, "code name title what group severities verdicts")
    return {**facts, "fixable": bool(rule.fixes), "fixes": rule.fixes, "on_request": not is_usual(rule.code)}
