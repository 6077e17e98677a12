"""Pages for people, one after the other."""

from __future__ import annotations

from collections.abc import Iterable

from ovgather.text import paint
from ovgather.verbs.explain import Topic


def render(results: Iterable[Topic], color: bool = False) -> str:
    """The pages, each under its name.

    >>> print(render([Topic("OVG999", "nothing", "What: nothing.\\n")]), end="")
    OVG999: nothing
    <BLANKLINE>
    What: nothing.
    """
    return "\n".join(f"{paint(f'{topic.name}: {topic.title}', 'bold', color)}\n\n{topic.text}" for topic in results)


def listing(topics: Iterable[tuple[str, str]], color: bool = False) -> str:
    """The names with their titles, a line each.

    >>> listing([("OVG001", "file that cannot be opened")])
    '  OVG001                  file that cannot be opened\\n'
    """
    return "".join(f"  {paint(name, 'bold', color)}{' ' * (24 - len(name))}{title}\n" for name, title in topics)
