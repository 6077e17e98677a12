"""Pages for programs: the facts of each rule with its text; ``ovgather.schemas`` holds the JSON Schema of this."""

from collections.abc import Iterable

from ovgather.report.rules.json import rule_json
from ovgather.report.validate.json import dumps
from ovgather.verbs.explain import Topic
from ovgather.verbs.rules import rules


def render(results: Iterable[Topic], color: bool = False) -> str:
    """The rules and the operations among the pages."""
    topics, pages = list(results), {rule.code: rule for rule in rules()}
    others = [topic for topic in topics if topic.name not in pages]
    operations = [{"name": topic.name, "title": topic.title, "page": topic.text} for topic in others]
    return dumps(
        {
            "version": 1,
            "rules": [{**rule_json(pages[topic.name]), "page": topic.text} for topic in topics if topic.name in pages],
            **({"operations": operations} if operations else {}),
        }
    )
