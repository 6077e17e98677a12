"""Literal words that a text must have for a pattern to fit: looking for them is far cheaper than matching."""

import re

_TOKEN = re.compile(
    r"\\.|\[\^?\]?(?:\\.|[^\]\\])*\]|\((?:\?(?:P<\w+>|[:!=]|<[!=]))?|\{[\d,]+\}\??|[*+?]\??|.",
    re.DOTALL,
)
_Words = tuple[str, ...]


def anchors(regex: str) -> _Words:
    """Words of which at least one is in every text that ``regex`` fits, in lower case; none: nothing is sure.

    >>> anchors("Cannot create (?P<type>[a-z]+) layer|stoll?"), anchors("(?:one|two)+ things?"), anchors("a?[bc]*")
    (('cannot create ', 'stol'), (' thing',), ())
    """
    words, _ = _alternatives([token[0] for token in _TOKEN.finditer(regex)], 0)
    return tuple(word.lower() for word in words)


def _alternatives(tokens: list[str], at: int) -> tuple[_Words, int]:
    """The words of the alternatives from token ``at`` to the bracket that closes them, and where that is."""
    alternatives: list[_Words] = []
    best: _Words = ()
    run = ""
    while at < len(tokens) and tokens[at] != ")":
        token, end = tokens[at], at
        inner: _Words = ()
        if token[0] == "(":
            inner, end = _alternatives(tokens, at + 1)
        quantifier = tokens[end + 1][0] if end + 1 < len(tokens) else ""
        is_sure = quantifier not in ("?", "*", "{")
        is_escape = token[0] == "\\" and not token[1].isalnum()
        is_literal = is_escape or (len(token) == 1 and token not in "(.^$|?*+")
        if is_literal and is_sure:
            run += token[-1]
        if not is_literal or not is_sure or quantifier == "+":
            best, run = _better(best, (run,)), ""
        if inner and is_sure and token not in ("(?!", "(?<!"):
            best = _better(best, inner)
        if token == "|":
            alternatives.append(best)
            best = ()
        at = end + 1
    alternatives.append(_better(best, (run,)))
    return (tuple(word for words in alternatives for word in words) if all(alternatives) else ()), at


def _better(one: _Words, other: _Words) -> _Words:
    """Those of which the shortest word is longer."""
    return other if min(map(len, other)) > min(map(len, one), default=0) else one
