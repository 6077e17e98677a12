"""Pages for programs: the facts of each rule with its text; ``ovgather.schemas`` holds the JSON Schema of this."""

from collections.abc import Iterable
from typing import Any

from ovgather.report.rules.json import rule_json
from ovgather.verbs.explain import Topic
from ovgather.verbs.rules import rules


def document(results: Iterable[Topic]) -> dict[str, Any]:
    """The rules and the operations among the pages."""
    topics, pages = list(results), {rule.code: rule for rule in rules()}
    known = [{**rule_json(pages[topic.name]), "page": topic.text} for topic in topics if topic.name in pages]
    others = [topic for topic in topics if topic.name not in pages]
    operations = [{"name": topic.name, "title": topic.title, "page": topic.text} for topic in others]
    return {"version": 1, "rules": known, **({"operations": operations} if operations else {})}
