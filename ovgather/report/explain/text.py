"""Pages for people, one after the other."""

from collections.abc import Iterable

from ovgather.text import paint
from ovgather.verbs.explain import Topic


def render(results: Iterable[Topic], color: bool = False) -> str:
    """The pages, each under its name."""
    return "\n".join(f"{paint(f'{topic.name}: {topic.title}', 'bold', color)}\n\n{topic.text}" for topic in results)


def listing(topics: Iterable[tuple[str, str]], color: bool = False) -> str:
    """The names with their titles, a line each."""
    return "".join(f"  {paint(name, 'bold', color)}{' ' * (24 - len(name))}{title}\n" for name, title in topics)
