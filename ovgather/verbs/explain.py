"""The page of a rule or of an operation, by its code or name."""

from __future__ import annotations

import re
from typing import NamedTuple

from ovgather.ops import onnx
from ovgather.ops import openvino as ops
from ovgather.ops.operation import Operation
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
    rules = [(rule.CODE, rule.TITLE) for rule in every()]
    operations = [(operation.name, _opsets(operation)) for operation in ops.operations()]
    onnx_operations = [(f"onnx:{operation.name}", _onnx_opsets(operation)) for operation in onnx.operations()]
    return [*rules, (PORTABILITY, _PORTABILITY_TITLE), *operations, *onnx_operations]


def find(subject: str) -> Topic | None:
    """The page that ``subject`` names, in any case; of an operation without a version the newest.

    ``onnx:`` before an operation asks for that of ONNX; without it, OpenVINO's comes first.
    """
    wanted = subject.strip().lower()
    if wanted == PORTABILITY:
        return Topic(PORTABILITY, _PORTABILITY_TITLE, portability.text())
    for rule in every():
        if rule.CODE.lower() == wanted:
            known = page(rule)
            verdicts = f" OpenVINO: {', '.join(known.verdicts)}." if known.verdicts else ""
            body = re.sub(r"(?m)::$", ":", known.text)
            return Topic(known.code, known.title, f"Severity: {', '.join(known.severities)}.{verdicts}\n\n{body}\n")
    if openvino := _named(wanted, ops.operations()):
        operation = openvino[-1]
        return Topic(operation.name, _opsets(operation), _body(operation, "", "onnx:"))
    if of_onnx := _named(wanted.removeprefix("onnx:"), onnx.operations()):
        operation = of_onnx[-1]
        return Topic(f"onnx:{operation.name}", _onnx_opsets(operation), _body(operation, "onnx:", ""))
    return None


def _named(wanted: str, operations: tuple[Operation, ...]) -> list[Operation]:
    return [operation for operation in operations if wanted in (operation.name.lower(), operation.type.lower())]


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
    """The releases that read it, of those that were measured; the opsets that not all of them have."""
    later = [f"in {opset} since {OPSETS[opset]}" for opset in operation.opsets if opset in OPSETS]
    return f"Read by OpenVINO {FIRST} to {LAST}{''.join(f', {each}' for each in later)}.\n"


def _opsets(operation: Operation) -> str:
    first, last = operation.opsets[0], operation.opsets[-1]
    return f"{operation.type} in {first}" + (f" to {last}" if last != first else "")


def _onnx_opsets(operation: Operation) -> str:
    first, last = onnx.first_and_last_opset(operation)
    rest = " and later" if last is None else f" to {last}" if last != first else ""
    return f"{operation.type} in ONNX opset {first}{rest}"
