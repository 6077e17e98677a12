"""The page of a rule, a hypothesis or an operation, by its code or name, and the list of rules."""

import re
from collections.abc import Iterable
from typing import NamedTuple

from ovgather.ops import onnx
from ovgather.ops import openvino as ops
from ovgather.ops.operation import Operation
from ovgather.targets.answers.functions import Function, find_function
from ovgather.targets.device import devices
from ovgather.targets.owners import OF_TYPE
from ovgather.targets.release import reading
from ovgather.tensor.guard import guarded, require
from ovgather.validation.diagnosis.proposals import hypotheses
from ovgather.validation.releases import FIRST, LAST, OPSETS
from ovgather.validation.rule_page import Page, page, page_of_hypothesis
from ovgather.validation.rules import every
from ovgather.validation.selection.codes import parse_codes
from ovgather.verbs import portability

PORTABILITY = "portability"
_PORTABILITY_TITLE = "where ONNX, IR and their runtimes differ"
_DIALECTS = {"": ops.OPERATIONS, "onnx:": onnx.OPERATIONS}
"""Operations by what stands before their names."""


class Topic(NamedTuple):
    """A page with its name and a title of a few words."""

    name: str
    title: str
    text: str

    def __repr__(self) -> str:
        return f"<Topic {self.name}: {self.title}>"


def topics() -> list[tuple[str, str]]:
    """All names with their titles, the rules first, then hypotheses, the operations of ONNX last."""
    rules = [(rule.RULE.code, rule.RULE.title) for rule in every()]
    operations = [
        (f"{mine}{each.name}", _opsets(each))
        for mine, known in _DIALECTS.items()
        for each in known
    ]
    guesses = sorted(
        (each.code, each.title) for each in map(page_of_hypothesis, hypotheses())
    )
    return [*rules, *guesses, (PORTABILITY, _PORTABILITY_TITLE), *operations]


def find(subject: str) -> Topic | None:
    """The page that ``subject`` names, in any case; of an operation without a version the newest.

    ``onnx:`` before an operation asks for that of ONNX; without it, OpenVINO's comes first.
    """
    lower = subject.strip().lower()
    if lower == PORTABILITY:
        return Topic(PORTABILITY, _PORTABILITY_TITLE, portability.text())
    for rule in every():
        if rule.RULE.code.lower() == lower:
            rule_page = page(rule)
            verdicts = ""
            if rule_page.verdicts:
                verdicts = f" OpenVINO: {', '.join(rule_page.verdicts)}."
            body = f"Severity: {', '.join(rule_page.severities)}.{verdicts}\n\n{rule_page.text}\n"
            return Topic(rule_page.code, rule_page.title, re.sub(r"(?m)::$", ":", body))
    for hypothesis in map(page_of_hypothesis, hypotheses()):
        if hypothesis.code == lower:
            text = f"A hypothesis on what was done to a file.\n\n{hypothesis.text}\n"
            return Topic(
                hypothesis.code, hypothesis.title, re.sub(r"(?m)::$", ":", text)
            )
    for mine, known in _DIALECTS.items():
        if operations := _named(lower.removeprefix(mine), known):
            return Topic(
                f"{mine}{operations[-1].name}",
                _opsets(operations[-1]),
                _body(operations[-1], mine),
            )
    if function := find_function(lower):
        return _function(function)
    if lower.startswith("opset") and (opset := reading(lower)) is not None:
        body = f"Read by OpenVINO {opset.span}.\n\nSource: {opset.source}.\n"
        more = "ovgather inspect FILE lists the opsets of a file."
        return Topic(opset.name, "operation set of OpenVINO", f"{body}{more}\n")
    for device in devices():
        if lower in (device.name.lower(), *device.aliases):
            body = "".join(f"- {line}\n" for line in device.lines())
            more = f"ovgather validate --device {device.name} FILE goes by this."
            return Topic(device.name, device.what, f"{body}\n{more}\n")
    if (owner := OF_TYPE.get(type := subject.strip())) is not None:  # no opset has it
        return Topic(
            type,
            f"belongs to {owner.name}",
            f"Load it: {owner.load}.\n\nSource: {owner.source}.\n",
        )
    return None


def _named(lower: str, operations: tuple[Operation, ...]) -> list[Operation]:
    return [
        operation
        for operation in operations
        if lower in (operation.name.lower(), operation.type.lower())
    ]


def _function(function: Function) -> Topic:
    """The operation that does what a function of a framework does, and the differences."""
    here = _named(function.operation.lower(), ops.OPERATIONS)[-1]
    there = _named(function.operation.lower(), onnx.OPERATIONS)[-1]
    names = ""
    if len(function.names) > 1:
        names = f"Also written {', '.join(function.names[1:])}.\n"
    differences = "".join(f"- {each}\n" for each in function.differences)
    body = f"Here it is {here.name} (in ONNX {there.name}): {function.arguments}.\n{names}\n{differences}"
    more = f"ovgather explain {here.name} has the page of the operation; {PORTABILITY} compares runtimes."
    return Topic(function.names[0], f"{here.name} in OpenVINO", f"{body}\n{more}\n")


def _body(operation: Operation, mine: str) -> str:
    """The page without its title, and where else to look; ``mine`` stands before the name."""
    theirs = "" if mine else "onnx:"
    same, others = (
        _named(operation.type.lower(), _DIALECTS[dialect]) for dialect in (mine, theirs)
    )
    earlier = [
        f"{mine}{other.name}" for other in same if other.version < operation.version
    ]
    later = [
        f"{mine}{other.name}" for other in same if other.version > operation.version
    ]
    links = {
        "Earlier": earlier,
        "Later": later,
        "In IR" if mine else "In ONNX": [theirs + it.name for it in others],
    }
    see = "".join(
        f"{label}: {', '.join(names)}.\n" for label, names in links.items() if names
    )
    _, _, body = operation.page.strip().partition("\n")
    since = "".join(
        f", in {opset} since {OPSETS[opset]}"
        for opset in operation.opsets
        if opset in OPSETS
    )
    if mine:
        releases = ""
    else:
        releases = f"Read by OpenVINO {FIRST} to {LAST}{since}.\n"
    return f"{body.strip()}\n\n{see}{releases}What other runtimes make of it: {PORTABILITY}.\n"


def _opsets(operation: Operation) -> str:
    if operation.opsets:  # those of ONNX are not listed
        first = operation.opsets[0]
        last = operation.opsets[-1]
        return f"{operation.type} in {first}" + (f" to {last}" if last != first else "")
    since, until = onnx.first_and_last_opset(operation)
    if until is None:
        rest = " and later"
    elif until != since:
        rest = f" to {until}"
    else:
        rest = ""
    return f"{operation.type} in ONNX opset {since}{rest}"


@guarded
def rules(codes: Iterable[str] = ()) -> list[Page]:
    """The pages of all rules, or of those with one of ``codes``, which may be prefixes.

    Raises:
        ConfigurationError: no rule has one of ``codes``.

    >>> [rule.code for rule in rules(["OVG10", "ovg203"])][-2:]
    ['OVG109', 'OVG203']
    """
    if isinstance(codes, str):
        codes = [codes]
    else:
        codes = list(codes or ())
        require(codes=codes)
    if codes:
        prefixes = parse_codes(codes, "CODE")
    else:
        prefixes = ("",)
    return [page(rule) for rule in every() if rule.RULE.code.startswith(prefixes)]
