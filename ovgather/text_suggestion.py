""" "Did you mean": the known word that is nearest to one that is not known."""

from __future__ import annotations

from collections.abc import Iterable


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """``; did you mean `axis`?``, or nothing when no known word resembles ``word``.

    >>> did_you_mean("selct", ["select", "ignore"])
    '; did you mean `select`?'
    >>> did_you_mean("qqq", ["select", "ignore"])
    ''
    """
    from difflib import get_close_matches

    close = get_close_matches(word, list(known), n=1)
    return f"; did you mean `{close[0]}`?" if close else ""
