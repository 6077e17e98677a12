"""The page of a rule or of an operation, by its code or name."""

import re
from typing import NamedTuple

from ovgather.answers.functions import Function, find_function
from ovgather.ops import onnx
from ovgather.ops import openvino as ops
from ovgather.ops.operation import Operation
from ovgather.targets.owners import OF_TYPE
from ovgather.targets.purpose import devices
from ovgather.targets.release import reading
from ovgather.validation.releases import FIRST, LAST, OPSETS
from ovgather.validation.rule_page import page
from ovgather.validation.rules import every
from ovgather.verbs import portability

PORTABILITY = "portability"
_PORTABILITY_TITLE = "where ONNX, IR and their runtimes differ"


class Topic(NamedTuple):
    """A page with its name and a title of a few words."""

    name: str
    title: str
    text: str


def topics() -> list[tuple[str, str]]:
    """All names with their titles, the rules first, the operations of ONNX last."""
    rules = [(rule.RULE.code, rule.RULE.title) for rule in every()]
    operations = [(operation.name, _opsets(operation)) for operation in ops.operations()]
    onnx_operations = [(f"onnx:{operation.name}", _onnx_opsets(operation)) for operation in onnx.operations()]
    return [*rules, (PORTABILITY, _PORTABILITY_TITLE), *operations, *onnx_operations]


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
            verdicts = f" OpenVINO: {', '.join(rule_page.verdicts)}." if rule_page.verdicts else ""
            body = re.sub(r"(?m)::$", ":", rule_page.text)
            return Topic(
                rule_page.code, rule_page.title, f"Severity: {', '.join(rule_page.severities)}.{verdicts}\n\n{body}\n"
            )
    if openvino := _named(lower, ops.operations()):
        operation = openvino[-1]
        return Topic(operation.name, _opsets(operation), _body(operation, "", "onnx:"))
    if of_onnx := _named(lower.removeprefix("onnx:"), onnx.operations()):
        operation = of_onnx[-1]
        return Topic(f"onnx:{operation.name}", _onnx_opsets(operation), _body(operation, "onnx:", ""))
    if function := find_function(lower):
        return _function(function)
    return _opset(lower) or _device(lower) or _owner(subject.strip())


def _named(lower: str, operations: tuple[Operation, ...]) -> list[Operation]:
    return [operation for operation in operations if lower in (operation.name.lower(), operation.type.lower())]


def _opset(name: str) -> Topic | None:
    """An operation set: the release that reads it first."""
    opset = reading(name) if name.startswith("opset") else None
    if opset is None:
        return None
    body = f"Read by OpenVINO {opset.span}.\n\nSource: {opset.source}.\n"
    return Topic(opset.name, "operation set of OpenVINO", f"{body}ovgather inspect FILE lists the opsets of a file.\n")


def _device(name: str) -> Topic | None:
    """The facts about a device."""
    match = next((each for each in devices() if name in (each.name.lower(), *each.aliases)), None)
    if match is None:
        return None
    body = "".join(f"- {line}\n" for line in match.lines())
    return Topic(match.name, match.what, f"{body}\novgather validate --device {match.name} FILE goes by this.\n")


def _owner(type: str) -> Topic | None:
    """A type of layer that no opset has: what it belongs to."""
    owner = OF_TYPE.get(type)
    if owner is None:
        return None
    return Topic(type, f"belongs to {owner.name}", f"Load it: {owner.load}.\n\nSource: {owner.source}.\n")


def _function(function: Function) -> Topic:
    """The operation that does what a function of a framework does, and the differences."""
    here = _named(function.operation.lower(), ops.operations())[-1]
    there = _named(function.operation.lower(), onnx.operations())[-1]
    names = f"Also written {', '.join(function.names[1:])}.\n" if len(function.names) > 1 else ""
    differences = "".join(f"- {each}\n" for each in function.differences)
    body = f"Here it is {here.name} (in ONNX {there.name}): {function.arguments}.\n{names}\n{differences}"
    more = f"ovgather explain {here.name} has the page of the operation; {PORTABILITY} compares runtimes."
    return Topic(function.names[0], f"{here.name} in OpenVINO", f"{body}\n{more}\n")


def _body(operation: Operation, mine: str, theirs: str) -> str:
    """The page without its title, and where else to look: ``mine`` and ``theirs`` come before the names."""
    same = _named(operation.type.lower(), onnx.operations() if mine else ops.operations())
    others = _named(operation.type.lower(), ops.operations() if mine else onnx.operations())
    earlier = [f"{mine}{other.name}" for other in same if other.version < operation.version]
    later = [f"{mine}{other.name}" for other in same if other.version > operation.version]
    links = {"Earlier": earlier, "Later": later, "In IR" if mine else "In ONNX": [theirs + it.name for it in others]}
    see = "".join(f"{label}: {', '.join(names)}.\n" for label, names in links.items() if names)
    _, _, body = operation.page.strip().partition("\n")
    releases = "" if mine else _read_by(operation)
    return f"{body.strip()}\n\n{see}{releases}What other runtimes make of it: {PORTABILITY}.\n"


def _read_by(operation: Operation) -> str:
    """The measured releases that read it, and the opsets that some of them lack."""
    later = [f"in {opset} since {OPSETS[opset]}" for opset in operation.opsets if opset in OPSETS]
    return f"Read by OpenVINO {FIRST} to {LAST}{''.join(f', {each}' for each in later)}.\n"


def _opsets(operation: Operation) -> str:
    first, last = operation.opsets[0], operation.opsets[-1]
    return f"{operation.type} in {first}" + (f" to {last}" if last != first else "")


def _onnx_opsets(operation: Operation) -> str:
    first, last = onnx.first_and_last_opset(operation)
    rest = " and later" if last is None else f" to {last}" if last != first else ""
    return f"{operation.type} in ONNX opset {first}{rest}"
