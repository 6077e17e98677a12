"""Pages of rules and operations, for people one after the other, and as JSON with the facts of each rule."""

from collections.abc import Iterable, Iterator
from typing import Any

from ovgather.report.rules import rule_json
from ovgather.text import paint
from ovgather.verbs.explain import Topic, rules


def lines(results: Iterable[Topic]) -> Iterator[str]:
    for number, topic in enumerate(results):
        yield from [""] * bool(number)
        yield f"{paint(f'{topic.name}: {topic.title}', 'bold')}\n\n{topic.text.removesuffix(chr(10))}"


def listing(topics: Iterable[tuple[str, str]]) -> str:
    return "".join(
        f"  {paint(name, 'bold')}{' ' * (24 - len(name))}{title}\n"
        for name, title in topics
    )


def document(results: Iterable[Topic]) -> dict[str, Any]:
    topics = list(results)
    pages = {rule.code: rule for rule in rules()}
    known = [
        {**rule_json(pages[topic.name]), "page": topic.text}
        for topic in topics
        if topic.name in pages
    ]
    others = (topic for topic in topics if topic.name not in pages)
    operations = [
        {"name": name, "title": title, "page": text} for name, title, text in others
    ]
    return {
        "version": 1,
        "rules": known,
        **({"operations": operations} if operations else {}),
    }
