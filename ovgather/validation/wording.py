"""Words that rules share: element types as people write them, and one finding for many places."""

import re
from collections.abc import Callable, Iterable
from functools import partial
from typing import TypeVar

from ovgather.ir.numbers import beginning, read_id
from ovgather.tensor.element_type import ALL, ElementType
from ovgather.text import first_few
from ovgather.validation.context import Diagnostic, File, Findings, Fix, Problem, Rule

MOST_RELATED = 100  # related places of one finding
_MOST_NAMES = 3
_WORDS = {"f": "float", "i": "int", "u": "uint"}
_ALIASES = {
    "bool": "boolean",
    "float": "f32",
    "double": "f64",
    "half": "f16",
    "bfloat16": "bf16",
    "long": "i64",
}
_SPELLINGS = {
    _WORDS[item.name[0]] + item.name[1:]: item
    for item in ALL
    if re.fullmatch("[fiu][0-9]+", item.name)
}
_SPELLINGS |= {word: item for item in ALL for word in (item.port.lower(), item.name)}
_SPELLINGS |= {word: _SPELLINGS[name] for word, name in _ALIASES.items()}
_LEAST_ODD = 3
Item = TypeVar("Item")


def folded(
    file: File,
    items: Iterable[Item],
    single: Callable[[Item], Diagnostic],
    joint: Callable[[list[Item]], Diagnostic],
) -> Findings:
    """One ``joint`` finding for the items whose ``single`` finding no comment suppresses; the others have their own."""
    items_left = []
    for item in items:
        if (
            file.suppressions is not None
            and file.suppressions.suppressed(single(item)) is not None
        ):
            yield single(item)
        else:
            items_left.append(item)
    if items_left:
        yield joint(items_left) if len(items_left) > 1 else single(items_left[0])


def odd_numbers(
    file: File, rule: Rule, problems: Iterable[Problem], what: str = ""
) -> Findings:
    """Numbers that OpenVINO reads though they are not written plainly; ``what`` names them, else their attribute. Many
    that are written in one way are one finding."""
    kinds: dict[tuple[str, str], list[Problem]] = {}
    for problem in problems:
        key = what or problem.subject, beginning(problem.value)
        kinds.setdefault(key, []).append(problem)
    for (name, words), alike in kinds.items():
        single = partial(file.report_odd_number, rule, what=name)
        if len(alike) < _LEAST_ODD:
            yield from map(single, alike)
        else:
            joint = partial(_odd_together, file, rule, name, words)
            yield from folded(file, alike, single, joint)


def _odd_together(
    file: File, rule: Rule, name: str, words: str, problems: list[Problem]
) -> Diagnostic:
    first, *others = problems
    message = (
        f"{name} {first.value!r} and {len(others)} others are written with {words}"
    )
    related = [
        (f"{name} {each.value!r}", file.span_at(each.offset, each.subject))
        for each in others[:MOST_RELATED]
    ]
    report = partial(
        file.report,
        rule,
        message,
        file.span_at(first.offset, first.subject),
        first.layer,
        "accepts",
        "reads them as the plain numbers",
        severity="warning",
        related=related,
    )
    if file.ids_repeat:
        return report()
    fix = partial(_plain, file, problems, name)
    return report(help="write plain numbers", fix=fix)


def _plain(file: File, problems: list[Problem], name: str) -> Fix | None:
    fixes = [file.plain(each, name, read_id(each.value)) for each in problems]
    edits = [edit for fix in fixes if fix is not None for edit in fix.edits]
    return Fix(tuple(edits), f"{len(fixes)} numbers are plain") if edits else None


def first_of(names: Iterable[str]) -> str:
    """The first of ``names``, each once, and the number of the others.

    >>> first_of("abcda")
    'a, b, c and 1 more'
    """
    return first_few(list(dict.fromkeys(names)), _MOST_NAMES)


def nearest(text: str) -> ElementType | None:
    """The element type that ``text`` was probably meant to be."""
    return _SPELLINGS.get(text.strip().lower())
