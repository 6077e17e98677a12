"""The rules, as a list."""

from collections.abc import Iterable

from ovgather.validation.rule_page import Page, page
from ovgather.validation.rules import every
from ovgather.validation.selection.codes import parse_codes


def rules(codes: Iterable[str] = ()) -> list[Page]:
    """The pages of all rules, or of those with one of ``codes``, which may be prefixes.

    Raises:
        ConfigurationError: no rule has one of ``codes``.

    >>> [rule.code for rule in rules(["OVG10", "ovg203"])][-2:]
    ['OVG109', 'OVG203']
    """
    codes = list(codes)
    prefixes = parse_codes(codes, "CODE") if codes else ("",)
    return [page(rule) for rule in every() if rule.RULE.code.startswith(prefixes)]
