"""Names of dims as expressions: ``past + 1``, ``2*s``, ``s//2``. A text that is no expression is an opaque name.

An expression is a sum of products of names with whole numbers, written in one order, so equal ones have equal texts.

>>> combine("past", "+", "1"), combine("past + 1", "-", "1"), combine("s", "*", "2"), combine("2*s", "//", "2")
('past + 1', 'past', '2*s', 's')
>>> combine("s", "//", "2"), combine("s//2", "+", "s//2"), combine("s77//2", "-", "s77//2")
('s//2', '2*(s//2)', '0')
>>> combine("batch size", "+", "1")
'batch size + 1'
"""

from __future__ import annotations

import re
from functools import cache, lru_cache
from typing import TypeAlias

HIDDEN = "\0"
"""Begins the symbols of open dims that the user has not named."""
_MOST_TERMS = 8
_LONGEST = 200
_MOST_DEPTH = 16

Terms: TypeAlias = "dict[tuple[str, ...], int]"
"""Factors of each product, in order, and how often it is added; no factors: a number."""


@cache
def _token() -> re.Pattern[
    str
]:  # few files have symbols, and all of them pay for what is compiled on import
    return re.compile(
        r"\s*(?:(?P<number>\d{1,18})|(?P<name>[^\W\d]\w*|\0[\w:.]*)|(?P<operator>//|[-+*()]))"
    )


@cache
def _plain() -> re.Pattern[str]:
    return re.compile(r"[^\W\d]\w*|\0[\w:.]*|\d+")


@lru_cache(maxsize=1 << 12)
def combine(left: str, operator: str, right: str) -> str | None:
    """The text of ``left`` and ``right`` joined by ``+``, ``-``, ``*`` or ``//``; None: too long to be of use."""
    terms = _join(_terms(left), operator, _terms(right))
    text = None
    if not (len(terms) > _MOST_TERMS):
        text = _text(terms)
    if text is None or len(text) > _LONGEST:
        return None
    return text


@lru_cache(maxsize=1 << 12)
def normalized(text: str) -> str | None:
    """The one way to write an expression with a name in it; None: the text is none.

    >>> normalized("1+past"), normalized("s77//2"), normalized("2"), normalized("a b")
    ('past + 1', 's77//2', None, None)
    """
    terms = None
    if len(text) <= _LONGEST:
        terms = _Parser(text).parsed()
    if terms is None or not any(terms):
        return None
    return _text(terms)


def written(symbol: str) -> str:
    """A name in the text of a shape: as it is where it reads as itself, else in quotes, as in JSON.

    >>> print(written("past + 1"), written("2"), written("batch size"), written('a"b'))
    past + 1 "2" "batch size" "a\\"b"
    """
    if symbol.isidentifier() or HIDDEN in symbol or normalized(symbol) == symbol:
        return symbol
    import json

    return json.dumps(symbol, ensure_ascii=False)


def read_quoted(text: str) -> tuple[str, str] | None:
    """The name that ``text`` begins with in quotes, and what follows; None if it begins with none."""
    text = text.strip()
    if not text.startswith('"'):
        return None
    import json

    try:
        name, end = json.JSONDecoder().raw_decode(text)
    except ValueError:
        return None
    return name, text[end:].lstrip()


def split_dims(text: str) -> list[str]:
    """The dims of a text: what stands between commas outside of quotes."""
    if '"' not in text:
        return text.split(",")
    return [each[0] for each in _between_commas().finditer(text)]


@cache
def _between_commas() -> re.Pattern[str]:
    return re.compile(r'(?s)(?:(?<=,)|^)(?:[^,"]|"(?:[^"\\]|\\.)*"|")*')


def has_names(text: str) -> bool:
    """Whether a symbol is more than a number: one called ``2`` may not be counted with."""
    return any(_terms(text))


def _join(left: Terms, operator: str, right: Terms) -> Terms:
    if operator == "//":
        return _divide(left, right)
    if operator == "*":
        product: Terms = {}
        for factors, count in left.items():
            for others, number in right.items():
                key = tuple(sorted(factors + others))
                product[key] = product.get(key, 0) + count * number
        return _without_zeros(product)
    sign = -1 if operator == "-" else 1
    total = dict(left)
    for factors, count in right.items():
        total[factors] = total.get(factors, 0) + sign * count
    return _without_zeros(total)


def _divide(left: Terms, right: Terms) -> Terms:
    if left == right and left:
        return {(): 1}
    if len(right) == 1:
        ((factors, divisor),) = right.items()
        if divisor and all(
            count % divisor == 0 and _contains(each, factors)
            for each, count in left.items()
        ):
            return {
                _without(each, factors): count // divisor
                for each, count in left.items()
            }
    return {(f"{_operand(left)}//{_operand(right)}",): 1}


def _contains(factors: tuple[str, ...], others: tuple[str, ...]) -> bool:
    return all(factors.count(factor) >= others.count(factor) for factor in others)


def _without(factors: tuple[str, ...], others: tuple[str, ...]) -> tuple[str, ...]:
    rest = list(factors)
    for factor in others:
        rest.remove(factor)
    return tuple(rest)


def _without_zeros(terms: Terms) -> Terms:
    return {factors: count for factors, count in terms.items() if count}


def _operand(terms: Terms) -> str:
    text = _text(terms)
    if _plain().fullmatch(text):
        return text
    return f"({text})"


def _text(terms: Terms) -> str:
    text = ""
    for factors, count in sorted(
        terms.items(), key=lambda term: (-len(term[0]), term[0])
    ):
        product = "*".join(
            _factor_text(factor, len(factors) > 1 or abs(count) != 1)
            for factor in factors
        )
        size = abs(count)
        if not factors:
            piece = str(size)
        else:
            if size == 1:
                piece = product
            else:
                piece = f"{size}*{product}"
        if not text:
            if count < 0:
                text = f"-{piece}"
            else:
                text = piece
        else:
            text += f" - {piece}" if count < 0 else f" + {piece}"
    return text or "0"


def _factor_text(factor: str, has_neighbours: bool) -> str:
    if has_neighbours and not _plain().fullmatch(factor):
        return f"({factor})"
    return factor


@lru_cache(maxsize=1 << 12)
def _terms(text: str) -> Terms:
    """The sum that ``text`` is, else one opaque name."""
    if _plain().fullmatch(text) is None or text.isdigit():
        terms = None
        if len(text) <= _LONGEST:
            terms = _Parser(text).parsed()
        if terms is not None:
            return terms
    return {(text,): 1}


class _Parser:
    def __init__(self, text: str) -> None:
        self.tokens: list[re.Match[str]] = []
        self.place = 0
        self.depth = 0
        position = 0
        pattern = _token()
        while position < len(text):
            token = pattern.match(text, position)
            if token is None:
                self.tokens = []
                break
            self.tokens.append(token)
            position = token.end()

    def parsed(self) -> Terms | None:
        if not self.tokens:
            return None
        terms = self._sum()
        if self.place == len(self.tokens):
            return terms
        return None

    def _next(self, *operators: str) -> str | None:
        """The operator that comes next, if it is one of these."""
        if (
            self.place < len(self.tokens)
            and self.tokens[self.place]["operator"] in operators
        ):
            self.place += 1
            return self.tokens[self.place - 1]["operator"]
        return None

    def _sum(self) -> Terms | None:
        negative = self._next("-")
        terms = self._product()
        if negative and terms is not None:
            terms = _join({}, "-", terms)
        while terms is not None and (operator := self._next("+", "-")):
            other = self._product()
            terms = None if other is None else _join(terms, operator, other)
        return terms

    def _product(self) -> Terms | None:
        terms = self._atom()
        while terms is not None and (operator := self._next("*", "//")):
            other = self._atom()
            terms = None if other is None else _join(terms, operator, other)
            if terms is not None and len(terms) > _MOST_TERMS:
                return None
        return terms

    def _atom(self) -> Terms | None:
        if self._next("("):
            self.depth += 1
            terms = None
            if self.depth <= _MOST_DEPTH:
                terms = self._sum()
            if terms is not None and self._next(")"):
                return terms
            return None
        if self.place == len(self.tokens):
            return None
        token = self.tokens[self.place]
        self.place += 1
        if token["number"]:
            return _without_zeros({(): int(token["number"])})
        if token["name"]:
            return {(token["name"],): 1}
        return None
