"""What: an attribute of an edge, an id, an offset or a size is spelt as another program writes it: ``1.0``, ``1,024``,
``0x10``, ``10L`` or ``from_layer``; or a list as ``1 3 3`` or ``[1, 3, 3]``; or edges call layers by their names.
Why: IR has plain integers, lists with commas, and names with a hyphen. Spelt so, the file contradicts itself less.
Bad::
    <edge from-layer="1.0" from-port="0" to-layer="2.0" to-port="0"/>
Good::
    <edge from-layer="1" from-port="0" to-layer="2" to-port="0"/>
"""

import re
from collections.abc import Iterator

from ovgather.forward.records import find_layer
from ovgather.ir.graph import Layer, Problem
from ovgather.ir.numbers import read_id
from ovgather.ir.positions import Element, tag_at
from ovgather.text import closest
from ovgather.validation.diagnosis.case import Case
from ovgather.validation.diagnosis.hypothesis import (
    Hypothesis,
    attribute_change,
)

ORDER = 3
_NAMES = "{first}; {count} attributes of edges are misspelt"
_NUMBERS = "{first}; {count} numbers are written like this"
_LISTS = "{first}; {count} lists are written like this"
_BY_NAME = "{count} ends of edges refer to layers by name, not by id"
_PROBLEMS = {"edge-attribute": "", "layer-id": "layer ", "port-id": "port "}
_THOUSANDS = re.compile(r"\d{1,3}(?:[,.' _\u00a0\u202f]\d{3})+")
_MARKED = re.compile(r"(\d+)[A-Za-z_]+", re.ASCII)
_ITEM = r"(?:-?\d{1,18}|\?)"
_LIST = re.compile(
    rf"[\[({{]?\s*{_ITEM}(?:(?:\s*[,;x|/]\s*|\s+){_ITEM})*\s*[\])}}]?", re.ASCII
)
_KINDS_OF_LISTS = ("integers", "shape")
_LONGEST = 40
_ENDS = {"from-layer", "from-port", "to-layer", "to-port"}


def propose(case: Case) -> Iterator[Hypothesis]:
    for kind, owner in _PROBLEMS.items():
        for problem in case.file.problems.get(kind, ()):
            layer, name = problem.layer, problem.subject
            if problem.value:
                tag = tag_at(case.source, problem.offset)
                called = f"{owner}{name}"
                yield from _of_number(case, layer, tag, name, problem.value, called)
                yield from _of_layer(case, problem, tag)
            elif kind == "edge-attribute":
                yield from _of_name(case, case.file.element_at(problem.offset), name)
    for layer in case.everyone:
        data = layer.data if layer.type == "Const" else {}
        for name in ("offset", "size"):
            element = case.element(layer).first("data")
            text = data.get(name, "")
            if element is not None and text and read_id(text) is None:
                yield from _of_number(case, layer, element, name, text, name)

        yield from _of_lists(case, layer)


def _of_lists(case: Case, layer: Layer) -> Iterator[Hypothesis]:
    """The attributes of ``layer`` that are lists in another notation, each as a list with commas."""
    declaration = find_layer(layer.signature)
    if declaration is None:
        return
    for attribute in declaration.attributes:
        text = layer.data.get(attribute.name, "")[:_LONGEST]
        right = ",".join(re.findall(_ITEM, text))
        plain = ",".join([item.strip() for item in text.split(",")])
        is_list = attribute.kind in _KINDS_OF_LISTS and _LIST.fullmatch(text)
        if is_list and right != plain:
            name = attribute.name
            data = case.element(layer).first("data")
            fix = case.file.fixes.value(data, name, right, f"{name} is {right}", False)
            if fix is not None:
                yield Hypothesis(
                    f"{name} {text!r} is not a list with commas",
                    layer,
                    f"data/{name}",
                    fix.edits,
                    fix.what,
                    help=f'set {name}="{right}"',
                    many=_LISTS,
                    part=name,
                )


def _of_layer(case: Case, problem: Problem, tag: Element) -> Iterator[Hypothesis]:
    """The id of the one layer that has the name which an end of an edge has in its place."""
    graph, _ = case.file.edges.get(problem.offset, (None, None))
    if graph is None or problem.value not in graph.names:
        return
    row = graph.names.index(problem.value)
    if graph.names.count(problem.value) == 1:
        name = problem.subject
        what = f"{name} is {graph.ids[row]}"
        hypothesis = _hypothesis(
            case, graph.layer(row), tag, name, graph.ids[row], what
        )
        message = (
            f"{name} refers to layer {graph.ids[row]} by its name, {problem.value!r}"
        )
        help = "write the ids of the layers"
        yield hypothesis._replace(message=message, help=help, many=_BY_NAME)


def readings(text: str) -> list[int]:
    """The integers that ``text`` may mean: ``1.000`` is 1 or 1000."""
    text = text.strip().strip("\"'")
    numbers = []
    if len(text) > _LONGEST:
        return []
    try:
        number = int(text, 16) if text[:2] in ("0x", "0X") else float(text)
        if number == int(number) and number >= 0:
            numbers.append(int(number))
    except (ValueError, OverflowError):
        pass
    if (marked := _MARKED.fullmatch(text)) is not None:
        numbers.append(int(marked[1]))
    if _THOUSANDS.fullmatch(text):
        numbers.append(int(re.sub(r"\D", "", text)))
    return numbers


def _of_number(
    case: Case, layer: Layer | None, tag: Element, name: str, text: str, called: str
) -> Iterator[Hypothesis]:
    for number in readings(text):
        what = f"{called} is {number}"
        message = f"{called} {text!r} is not a plain number"
        hypothesis = _hypothesis(case, layer, tag, name, number, what)
        yield hypothesis._replace(message=message, is_value=True)


def _hypothesis(
    case: Case, layer: Layer | None, tag: Element, name: str, number: int, what: str
) -> Hypothesis:
    span = tag.attribute_span(name)
    return case.repair(
        "",
        layer,
        span,
        [attribute_change(tag, name, str(number))],
        what,
        help=f"write {number}",
        safe=True,
        many=_NUMBERS,
        part=(tag.start, name),
    )


def _of_name(case: Case, tag: Element, name: str) -> Iterator[Hypothesis]:
    similar = closest(name, tag.attributes.keys() - _ENDS)
    if similar is not None:
        span = tag.attribute_span(similar, "name")
        yield case.repair(
            f"<edge> has no {name}, but `{similar}`",
            None,
            span,
            [(span, name)],
            f"`{similar}` is now `{name}`",
            help=f"did you mean `{name}`?",
            safe=True,
            many=_NAMES,
            part=(tag.start, name),
        )
