"""The page of a rule or of an operation, by its code or name."""

from __future__ import annotations

import re
from typing import NamedTuple

from ovgather.answers.functions import Function, find_function
from ovgather.ops import onnx
from ovgather.ops import openvino as ops
from ovgather.ops.operation import Operation
from ovgather.targets.devices import devices
from ovgather.targets.owners import owner_of_type
from ovgather.targets.reading import reading
from ovgather.validation.releases import FIRST, LAST, OPSETS
from ovgather.validation.rule_page import page
from ovgather.validation.rules import Rule, every
from ovgather.validation.rules.onnx import OnnxRule
from ovgather.verbs import portability

PORTABILITY = "portability"


class Topic(NamedTuple):
    """Something that has a page: its name, what it is in a few words, and the page."""

    name: str
    title: str
    text: str


def topics() -> list[tuple[str, str]]:
    """All names with their titles, the rules first, the operations of ONNX last.

    >>> topics()[0], topics()[-1]
    (('OVG001', 'file that cannot be opened'), ('onnx:GatherND-13', 'GatherND in ONNX opset 13 and later'))
    """
    named = [(rule.CODE, rule.TITLE) for rule in every()]
    named.append((PORTABILITY, "where ONNX, IR and their runtimes differ"))
    named += [(operation.name, _opsets(operation)) for operation in ops.operations()]
    return named + [(f"onnx:{operation.name}", _onnx_opsets(operation)) for operation in onnx.operations()]


def find(subject: str) -> Topic | None:
    """The page that ``subject`` names, in any case; of an operation without a version the newest. None: there is none.

    ``onnx:`` before an operation asks for that of ONNX; without it, OpenVINO's comes first.

    >>> find("ovg102").title, find("gather").name, find("GatherND-5").name, find("Scatter")
    ('unknown attribute', 'Gather-8', 'GatherND-5', None)
    >>> find("onnx:gather").name, find("Gather-1").name, find("Gather-11").name
    ('onnx:Gather-13', 'Gather-1', 'onnx:Gather-11')
    """
    wanted = subject.strip().lower()
    if wanted == PORTABILITY:
        return Topic(PORTABILITY, "where ONNX, IR and their runtimes differ", portability.text())
    for rule in every():
        if rule.CODE.lower() == wanted:
            return _rule(rule)
    fitting = [] if wanted.startswith("onnx:") else _named(wanted, ops.operations())
    if fitting:
        return _operation(fitting[-1])
    fitting = _named(wanted.removeprefix("onnx:"), onnx.operations())
    if fitting:
        return _onnx_operation(fitting[-1])
    function = find_function(wanted)
    if function is not None:
        return _function(function)
    return _opset(wanted) or _device(wanted) or _owner(subject.strip())


def _named(wanted: str, operations: tuple[Operation, ...]) -> list[Operation]:
    return [operation for operation in operations if wanted in (operation.name.lower(), operation.type.lower())]


def _opset(name: str) -> Topic | None:
    """An operation set: the release that reads it first."""
    known = reading(name) if name.startswith("opset") else None
    if known is None:
        return None
    body = f"Read by OpenVINO {known.span}.\n\nSource: {known.source}.\n"
    return Topic(known.name, "operation set of OpenVINO", f"{body}ovgather inspect FILE lists the opsets of a file.\n")


def _device(name: str) -> Topic | None:
    """A device: what is known of it."""
    known = next((each for each in devices() if name in (each.name.lower(), *each.aliases)), None)
    if known is None:
        return None
    body = "".join(f"- {line}\n" for line in known.lines())
    return Topic(known.name, known.what, f"{body}\novgather validate --device {known.name} FILE goes by this.\n")


def _owner(type: str) -> Topic | None:
    """A type of layer that no opset has: what it belongs to."""
    known = owner_of_type(type)
    if known is None:
        return None
    return Topic(type, f"belongs to {known.name}", f"Load it: {known.load}.\n\nSource: {known.source}.\n")


def _function(function: Function) -> Topic:
    """The operation that does what a function of a framework does, and the differences."""
    here = _named(function.operation.lower(), ops.operations())[-1]
    there = _named(function.operation.lower(), onnx.operations())[-1]
    names = f"Also written {', '.join(function.names[1:])}.\n" if len(function.names) > 1 else ""
    differences = "".join(f"- {each}\n" for each in function.differences)
    body = f"Here it is {here.name} (in ONNX {there.name}): {function.arguments}.\n{names}\n{differences}"
    more = f"ovgather explain {here.name} has the page of the operation; {PORTABILITY} compares runtimes."
    return Topic(function.names[0], f"{here.name} in OpenVINO", f"{body}\n{more}\n")


def _rule(rule: Rule | OnnxRule) -> Topic:
    known = page(rule)
    facts = f"Severity: {', '.join(known.severities)}."
    if known.verdicts:
        facts += f" OpenVINO: {', '.join(known.verdicts)}."
    body = re.sub(r"(?m)::$", ":", known.text)
    return Topic(known.code, known.title, f"{facts}\n\n{body}\n")


def _operation(operation: Operation) -> Topic:
    return Topic(operation.name, _opsets(operation), _body(operation, "", "onnx:"))


def _onnx_operation(operation: Operation) -> Topic:
    return Topic(f"onnx:{operation.name}", _onnx_opsets(operation), _body(operation, "onnx:", ""))


def _body(operation: Operation, mine: str, theirs: str) -> str:
    """The page without its title, and where else to look: ``mine`` and ``theirs`` come before the names."""
    same = _named(operation.type.lower(), onnx.operations() if mine else ops.operations())
    others = _named(operation.type.lower(), ops.operations() if mine else onnx.operations())
    earlier = [f"{mine}{other.name}" for other in same if other.version < operation.version]
    later = [f"{mine}{other.name}" for other in same if other.version > operation.version]
    told = {"Earlier": earlier, "Later": later, "In IR" if mine else "In ONNX": [theirs + it.name for it in others]}
    see = "".join(f"{what}: {', '.join(names)}.\n" for what, names in told.items() if names)
    _, _, body = operation.page.strip().partition("\n")
    read = "" if mine else _read_by(operation)
    return f"{body.strip()}\n\n{see}{read}What other runtimes make of it: {PORTABILITY}.\n"


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
