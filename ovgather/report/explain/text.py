"""Pages for people, one after the other."""

from collections.abc import Iterable, Iterator

from ovgather.text import paint
from ovgather.verbs.explain import Topic


def lines(results: Iterable[Topic], color: bool = False) -> Iterator[str]:
    """The pages, each under its name."""
    for number, topic in enumerate(results):
        yield from [""] * bool(number)
        yield f"{paint(f'{topic.name}: {topic.title}', 'bold', color)}\n\n{topic.text.removesuffix(chr(10))}"


def listing(topics: Iterable[tuple[str, str]], color: bool = False) -> str:
    """The names with their titles, a line each."""
    return "".join(f"  {paint(name, 'bold', color)}{' ' * (24 - len(name))}{title}\n" for name, title in topics)
