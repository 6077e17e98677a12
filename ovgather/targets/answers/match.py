"""Text -> the messages in it: every pattern is tried, and what tells most is the answer."""

import json
import re
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from ovgather.targets.answers.odd_numbers import NUMBER, describe, odd_numbers
from ovgather.targets.owners import CUSTOM, owner
from ovgather.targets.release import reading

MOST_TEXT = 1 << 22
"""So many characters of a log are looked at, from its end: errors stand there."""
KIND = 1
"""A weight up to this one says what kind of failure it is."""
_MOST_LINE = 1000
_SHORT = 2000
"""Longer texts have words of every kind of failure."""
_CANNOT = re.compile(r"\b[Cc]an(?:not| ?\??not|'t)\b")
_MANGLED = re.compile(r"(?<!\S)\S*DataTypeI(\w)EE")
_TYPES = {
    "l": "int64",
    "x": "int64",
    "i": "int32",
    "f": "float32",
    "d": "float64",
    "b": "bool",
    "h": "uint8",
}
_WORD = re.compile(r"[a-z][a-z_]{2,}")


class Pattern(NamedTuple):
    """A message that a runtime prints, with its meaning."""

    regex: str  # what the message looks like; its groups have names, which the words below may use in braces
    # Every text that fits has one of them; in lower case. To look for these is quick.
    words: Sequence[str]
    meaning: str  # in plain words, without a full stop at its end
    remedy: str
    rules: Sequence[str] = ()  # codes of the rules that find the place in a file
    # What to run next; model.xml stands for the file.
    commands: Sequence[str] = ("ovgather validate model.xml",)
    since: str = ""  # since which release it reads so, or between which ones
    source: str = ""  # where the text stands
    weight: int = 2  # how much it tells: the kind of failure (KIND), the place (2) or the cause (3)


class MessageSource(NamedTuple):
    """Who prints messages, their patterns, and the device that prints them, if it is one."""

    who: str
    patterns: tuple[Pattern, ...]
    device: str | None = None


class Answer(NamedTuple):
    """A message in a text: its pattern, who prints it, the text that fits, and its words filled in."""

    pattern: Pattern
    source: MessageSource
    text: str
    meaning: str
    remedy: str
    values: dict[str, str]
    numbers: tuple[tuple[str, str], ...]


@cache
def all_sources() -> tuple[MessageSource, ...]:
    paths = sorted(Path(__file__).with_name("sources").glob("*.json"))
    return tuple(
        _source(json.loads(path.read_text(encoding="utf-8"))) for path in paths
    )


def _source(document: dict[str, Any]) -> MessageSource:
    for fields in document["patterns"]:
        fields["regex"] = _CANNOT.sub("can(?:no|'| no)t", fields["regex"])
    return MessageSource(
        document["who"],
        tuple(Pattern(**fields) for fields in document["patterns"]),
        document.get("device"),
    )


@cache
def _ordered() -> list[tuple[Pattern, MessageSource]]:
    """All patterns, the most specific first."""
    patterns = [
        (pattern, source) for source in all_sources() for pattern in source.patterns
    ]
    return sorted(patterns, key=lambda entry: -entry[0].weight)


def _with_blanks(regex: str) -> str:
    """A blank fits any white space, so also a line that is broken in the middle; an optional one fits none as well."""
    return regex.replace(" ?", r"\s*").replace(" ", r"\s+")


def answers(text: str) -> list[Answer]:
    """The messages in ``text``, the most specific first; one answer for each pattern.

    >>> [answer.values["opset"] for answer in answers("Cannot create X layer a/b id:8 from unsupported opset: opset14")]
    ['opset14']
    >>> answers("all is well")
    []
    """
    text = _shortened(text[-MOST_TEXT:])
    return _search(text) or [
        answer._replace(numbers=())
        for answer in _search(NUMBER.sub(_with_meaning, text))
    ]


def _with_meaning(number: re.Match[str]) -> str:
    what = describe(int(number[0]))
    if what is None:
        return number[0]
    return f"{number[0]} ({what})"


def _search(text: str) -> list[Answer]:
    text_words = " ".join(text.lower().split())
    answers: list[Answer] = []
    spans: list[tuple[int, int]] = []
    for pattern, source in _ordered():
        # A weak pattern adds nothing to another, or has words that a long log has anyway.
        if pattern.weight <= KIND and (
            answers or (pattern.weight == KIND and len(text) > _SHORT)
        ):
            continue
        if not any(word in text_words for word in pattern.words):
            continue
        match = re.search(
            _with_blanks(pattern.regex), text, re.IGNORECASE | re.MULTILINE
        )
        if match is None or any(
            start < match.end() and match.start() < end for start, end in spans
        ):
            continue
        spans.append(match.span())
        answers.append(_answer(match, pattern, source, text))
    return answers


def nearest(text: str) -> tuple[str, Pattern] | None:
    """The pattern that shares most words with ``text``, and who prints it; None where none shares three."""
    words = set(_WORD.findall(text.lower()))
    scored = [
        (
            len(
                words
                & set(
                    _WORD.findall(
                        re.sub(r"\(\?P<\w+>|\\\w", " ", pattern.regex).lower()
                    )
                )
            ),
            source.who,
            pattern,
        )
        for source in all_sources()
        for pattern in source.patterns
    ]
    score, who, pattern = max(scored, key=lambda entry: entry[0])
    if score >= 3:
        return (who, pattern)
    return None


def _shortened(text: str) -> str:
    """``text`` without the middle of lines that are longer than patterns are tried on."""
    return "\n".join(
        line
        if len(line) <= 2 * _MOST_LINE
        else f"{line[:_MOST_LINE]} {line[-_MOST_LINE:]}"
        for line in text.splitlines()
    )


def _answer(
    match: re.Match[str], pattern: Pattern, source: MessageSource, text: str
) -> Answer:
    values = {
        name.rstrip("0123456789"): value.strip()
        for name, value in match.groupdict().items()
        if value
    }
    values |= dict(_derived(values))
    for key in values.keys() & {"got", "want"}:
        values[key] = _MANGLED.sub(
            lambda mangled: _TYPES.get(mangled[1], mangled[0]), values[key]
        )
    line = (
        text[text.rfind("\n", 0, match.start()) + 1 : match.end()]
        + text[match.end() :].partition("\n")[0]
    )
    numbers = tuple(odd_numbers(match[0])) or tuple(odd_numbers(line))
    meaning, remedy = (
        words.format_map(_Words(values)) for words in (pattern.meaning, pattern.remedy)
    )
    return Answer(pattern, source, match[0].strip(), meaning, remedy, values, numbers)


class _Blank(str):
    """A word for what the message does not tell; it stands without quotes."""

    __slots__ = ()
    __repr__ = str.__str__


_BLANKS = {
    "reason": "the lines around it say why",
    "axis": "its value is not said",
    "batch_dims": "its value is not said",
    "node": "a node",
    "layer": "a layer",
    "type": "a layer",
    "types": "some operations",
    "layers": "some of them",
}


class _Words(dict[str, str]):
    """What stands for names in braces."""

    def __missing__(self, name: str) -> str:
        return _Blank(_BLANKS.get(name, "?"))


def _derived(values: dict[str, str]) -> Iterator[tuple[str, str]]:
    """What tables know of the values that a message names."""
    opset = reading(values.get("opset", ""))
    yield (
        "opset_release",
        str(opset.since) if opset is not None else "no release that is known",
    )
    version = reading(values.get("ir", ""))
    yield (
        "ir_releases",
        version.span if version is not None else "no release that is known",
    )
    if "type" in values:
        brings = owner(values["type"], values.get("opset", "extension")) or CUSTOM
        yield "owner", brings.name
        yield "load", brings.load
    length = values.get("length", "")
    if length.isdigit():
        yield "last", str(int(length) - 1)
    low = values.get("low", "")
    high = values.get("high", "")
    if high.lstrip("-").isdigit() and low.lstrip("-").isdigit():
        yield "size", str(int(high) + 1)
