"""The page of a rule or of an operation, by its code or name."""

from __future__ import annotations

import re
from typing import NamedTuple

from ovgather import ops
from ovgather.report._page import page
from ovgather.rules import Rule, rules


class Topic(NamedTuple):
    """Something that has a page: its name, what it is in a few words, and the page."""

    name: str
    title: str
    text: str


def topics() -> list[tuple[str, str]]:
    """All names with their titles, the rules first.

    >>> topics()[0], topics()[-1]
    (('OVG001', 'file that cannot be opened'), ('GatherND-8', 'GatherND in opset8 to opset16'))
    """
    named = [(rule.CODE, rule.TITLE) for rule in rules()]
    return named + [(operation.name, _opsets(operation)) for operation in ops.operations()]


def find(subject: str) -> Topic | None:
    """The page that ``subject`` names, in any case; of an operation without a version the newest. None: there is none.

    >>> find("ovg102").title, find("gather").name, find("GatherND-5").name, find("Scatter")
    ('unknown attribute', 'Gather-8', 'GatherND-5', None)
    """
    wanted = subject.strip().lower()
    for rule in rules():
        if rule.CODE.lower() == wanted:
            return _rule(rule)
    fitting = [
        operation for operation in ops.operations() if wanted in (operation.name.lower(), operation.type.lower())
    ]
    return _operation(fitting) if fitting else None


def _rule(rule: Rule) -> Topic:
    known = page(rule)
    facts = f"Severity: {', '.join(known.severities)}. OpenVINO: {', '.join(known.verdicts)}."
    body = re.sub(r"(?m)::$", ":", known.text)
    return Topic(known.code, known.title, f"{facts}\n\n{body}\n")


def _operation(fitting: list[ops.Operation]) -> Topic:
    newest = fitting[-1]
    _, _, body = newest.page.strip().partition("\n")
    others = [operation.name for operation in fitting[:-1]]
    see = f"\nEarlier: {', '.join(others)}.\n" if others else ""
    return Topic(newest.name, _opsets(newest), body.strip() + "\n" + see)


def _opsets(operation: ops.Operation) -> str:
    first, last = operation.opsets[0], operation.opsets[-1]
    return f"{operation.type} in {first}" + (f" to {last}" if last != first else "")
