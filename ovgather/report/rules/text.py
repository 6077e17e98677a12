"""The rules for people: a line each."""

from collections.abc import Iterable

from ovgather.text import paint
from ovgather.validation.rule_page import Page


def render(results: Iterable[Page], color: bool = False) -> str:
    """Code, severities, a mark where ``--fix`` may help, and title.

    >>> print(render([Page("OVG999", "Nothing", "nothing", (), ("error", "note"), (), ("safe",))]), end="")
    OVG999  error, note           [*]  nothing
    """
    return "".join(
        f"{paint(rule.code, rule.severities[0], color)}  {', '.join(rule.severities):20}"
        f"  {'[*]' if 'safe' in rule.fixes else '':3}  {rule.title}\n"
        for rule in results
    )
