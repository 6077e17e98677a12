"""What: an element stands where nothing reads it: ports beside their ``<input>``, layers among edges or in a second
``<layers>``, the attributes of an edge as elements in it, those of ``<data>`` on ``<layer>``.
Why: in the element where it belongs it is read, and the contradictions are gone. Programs that read XML as HTML, or
turn JSON into XML, leave such files.
Bad::
    <input/> <port id="0"/>
Good::
    <input> <port id="0"/> </input>
"""

from collections.abc import Iterator, Sequence
from itertools import islice

from ovgather.ir.edit.layer_text import end_of, line_of, quoted
from ovgather.ir.elements import parents
from ovgather.ir.graph import Layer, Problem
from ovgather.ir.positions import Element, Span, element_at, passages, tag_at
from ovgather.validation.diagnosis.case import Case
from ovgather.validation.diagnosis.hypothesis import Hypothesis
from ovgather.validation.facts.attributes import on_layer

ORDER = 2
_MOST = 20_000
_MOST_PLACES = 8
_PLACES = {name: parents(name) for name in ("layer", "edge", "port", "dim")} | {
    "layers": ("layers",),
    "edges": ("edges",),
}
"""The elements in which an element is read; what a second ``<layers>`` holds belongs in the first one."""
_WITH_ATTRIBUTES = ("edge", "data")
_LISTS = ("layers", "edges")
_ITEMS = (b"<layer ", b"<edge ")
_MANY = "{first}, and so on in {count} places"


def propose(case: Case) -> Iterator[Hypothesis]:
    kinds = ("unknown-element", "repeated")
    problems = [each for kind in kinds for each in case.file.problems.get(kind, ())]
    groups: dict[int, list[Problem]] = {}
    comments = dict(passages(case.source.data)) if problems else {}
    for problem in problems[:_MOST]:
        start = _place(case, problem, comments)
        if start >= 0:
            groups.setdefault(start, []).append(problem)
    for start, alike in groups.items():
        if alike[0].value in _WITH_ATTRIBUTES:
            yield _attributes(case, start, alike)
        else:
            yield _moved(case, start, alike)
    extra = case.file.problems.get("layer-extra", ())
    for problem, layer in islice(on_layer(extra), _MOST):
        yield from _on_layer(case, problem, layer)


def _place(case: Case, problem: Problem, comments: dict[int, int]) -> int:
    """Where the element starts into which that of ``problem`` belongs; -1: nothing tells. ``comments`` has their ends
    by their beginnings."""
    data = case.source.data
    offset = problem.offset
    if problem.value in _WITH_ATTRIBUTES:
        return data.rfind(f"<{problem.value}".encode(), 0, offset)
    names = [f"<{name}".encode() for name in _PLACES.get(problem.subject, ())]
    start = offset
    for _ in range(_MOST_PLACES):
        start = max([data.rfind(name, 0, start) for name in names], default=-1)
        if start < 0:
            break
        if any(begin < start < end for begin, end in comments.items()):
            continue
        end = end_of(element_at(case.source, start))
        if offset < end or data.find(b"</layer>", end, offset) < 0:
            return start
    # Edges stand behind all layers.
    return max([data.find(name, offset) for name in names], default=-1)


def _moved(case: Case, start: int, problems: Sequence[Problem]) -> Hypothesis:
    """The elements, or what is in them, are the last ones in the element that starts at ``start``."""
    parent = element_at(case.source, start)
    first = problems[0]
    changes: list[tuple[Span, bytes]] = []
    text = b""
    for problem in problems:
        element = element_at(case.source, problem.offset)
        inside = element.start, end_of(element)
        if problem.subject in _LISTS:
            inside = element.tag_span[1], element.end
        text += case.source.data[slice(*inside)]
        changes.append((line_of(element), b""))
    begin, end = parent.tag_span
    if case.source.data.endswith(b"/>", begin, end):
        closed = b">" + text + f"</{parent.name}>".encode()
        changes.append(((end - 2, end), closed))
    else:
        changes.append(((parent.end, parent.end), text))
    name = f"<{first.subject}>"
    message = f"{name} stands beside <{parent.name}>, not in it"
    what = f"{name} stands in <{parent.name}>"
    help = f"move it into <{parent.name}>"
    if first.subject in _LISTS:
        message = f"there is a second {name}: OpenVINO reads the first one alone"
        what = f"all is in one {name}"
        help = f"leave out </{first.subject}> and {name} between the two"
    elif first.subject == first.value == "layer" and first.layer is not None:
        inner = element_at(case.source, first.offset).attributes.get("id", "")
        message = f"layer {inner} stands inside layer {first.layer.id}"
        help = f"the </layer> of layer {first.layer.id} belongs before it"
    elif first.value in _LISTS:
        label = _label(element_at(case.source, first.offset))
        message = f"{label} stands in <{first.value}>, not in <{parent.name}>"
        what = f"{label} stands in <{parent.name}>"
    return case.repair(
        message,
        first.layer,
        case.file.span_at(first.offset),
        changes,
        what,
        1.0,
        reach=max(len(problems), sum(map(text.count, _ITEMS))),
        help=help,
        many=_MANY,
        part="elements",
    )


def _label(element: Element) -> str:
    name = element.attributes.get("name")
    if name is None:
        return f"<{element.name}>"
    return f'{element.name} "{name}"'


def _on_layer(case: Case, problem: Problem, layer: Layer) -> Iterator[Hypothesis]:
    """An attribute of ``<layer>`` is one of ``<data>``."""
    name = problem.subject
    fix = case.file.fixes.into_data(layer, name)
    if fix is not None:
        yield Hypothesis(
            f"attribute `{name}` is on <layer>, not on <data>",
            layer,
            case.file.span_at(problem.offset, name, "name"),
            fix.edits,
            fix.what,
            price=0.5,
            is_value=True,
            help="move it into <data>",
            many=f"attribute `{name}` is on <layer>, not on <data>, of {{count}} layers",
            part=name,
        )


def _attributes(case: Case, start: int, problems: Sequence[Problem]) -> Hypothesis:
    """The elements in the one that starts at ``start`` are its attributes."""
    parent = tag_at(case.source, start)
    children = [element_at(case.source, each.offset) for each in problems]
    texts = [f" {child.name}={quoted(child.text.strip())}" for child in children]
    begin = parent.name_span[1]
    changes: list[tuple[Span, str]] = [((begin, begin), "".join(texts))]
    changes += [((child.start, end_of(child)), "") for child in children]
    names = ", ".join(child.name for child in children)
    what = f"{names} are attributes of <{parent.name}>"
    return case.repair(
        f"<{parent.name}> has {names} as elements in it, not as attributes",
        problems[0].layer,
        case.file.span_at(start),
        changes,
        what,
        1.0,
        reach=len(problems),
        help=f"write <{parent.name}{''.join(texts[:1])} .../>",
        many=_MANY,
        part=start,
    )
