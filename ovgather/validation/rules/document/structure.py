"""What: a second ``<layers>``, ``<edges>`` or ``<data>``, an element where no reader of IR expects it, or text between
elements.

Why: OpenVINO ignores it and all its content. Such text is usually the rest of a tag or a comment.

OpenVINO: reads the first and ignores the others. It ignores unknown elements everywhere, and text outside ``<dim>``.

Bad::
    <data axis="1"/><data axis="0"/>
Good::
    <data axis="1"/>
"""

from collections.abc import Callable, Iterable
from functools import partial

from ovgather.ir.graph import Layer, Problem
from ovgather.ir.numbers import leading_integer
from ovgather.validation.context import Diagnostic, File, Findings, Fix, Place, Rule

RULE = Rule(
    "OVG009",
    "element or text that is repeated or in the wrong position",
    ("error", "warning"),
    ("accepts", "undefined"),
    fixes=("unsafe",),
)
_MOST_SHOWN = 40
_BRACKETS = "]]>"
_PARENTS = {"data": "layer", "edge": "edges", "dim": "port"}
_KNOWN = "layers edges layer edge data input output port dim rt_info body port_map back_edges"


def check(file: File) -> Findings:
    for problem in file.problems.get("repeated", ()):
        message, effect = f"a second <{problem.subject}> is ignored", "uses the first and ignores this one"
        yield _warning(file, problem, message, effect)
    for problem in file.problems.get("unknown-element", ()):
        message = f"unknown element <{problem.subject}> in <{problem.value}>"
        layers = (problem.subject, problem.value) == ("layer", "net")
        help = "did you mean <layers>?" if layers else partial(_did_you_mean, problem.subject)
        effect = "ignores it, with all that is in it"
        yield _warning(file, problem, message, effect, help, _targets(file, problem))
    for problem in file.problems.get("text", ()):
        if problem.value == _BRACKETS:
            continue  # OVG002 reports it if it is bare; escaped, it is the result of that fix
        words = " ".join(problem.value.split())
        text = words if len(words) <= _MOST_SHOWN else f"{words[: _MOST_SHOWN - 3]}..."
        span: Place = (problem.offset, problem.offset + len(problem.value.partition("\n")[0].rstrip().encode()))
        message, layer, effect = f"text {text!r} between elements", problem.layer, "ignores it"
        yield file.report(RULE, message, span, layer, effect=effect, severity="warning")
    for problem in file.problems.get("bodies-depth", ()):
        span = file.span_at(problem.offset)
        message = f"bodies nested deeper than {problem.value} are not read"
        yield file.report(RULE, message, span, problem.layer, "undefined")


def _warning(
    file: File,
    problem: Problem,
    message: str,
    effect: str,
    help: str | Callable[[], str | None] | None = None,
    about: Iterable[Layer] = (),
) -> Diagnostic:
    span, layer = file.span_at(problem.offset), problem.layer
    return file.report(
        RULE, message, span, layer, effect=effect, severity="warning", help=help, fix=partial(_renamed, file, problem)
    ).concerning(about)


def _renamed(file: File, problem: Problem) -> Fix | None:
    """An empty element with the name that is meant; OpenVINO ignored it before, so the fix is unsafe."""
    name = _meant(problem.subject) if problem.kind == "unknown-element" else None
    element = file.element_at(problem.offset)
    is_empty = element.data.endswith(b"/>", *element.tag_span)
    if name is None or not is_empty or _PARENTS.get(name) != problem.value:
        return None
    return file.fixes.replaced(element.name_span, name, f"<{problem.subject}> is <{name}>", safe=False)


def _targets(file: File, problem: Problem) -> list[Layer]:
    """The layers that a misspelt <edge> would lead to: one in each graph that has its id."""
    text = file.element_at(problem.offset).attributes.get("to-layer", "") if problem.value == "edges" else ""
    number = leading_integer(text)
    return [graph.by_id[number] for graph in file.graphs if number is not None and number in graph.by_id]


def _did_you_mean(name: str) -> str | None:
    intended = _meant(name)
    return None if intended is None else f"did you mean <{intended}>?"


def _meant(name: str) -> str | None:
    from difflib import get_close_matches

    close = get_close_matches(name.lower(), _KNOWN.split(), n=1)
    return close[0] if close and close[0] != name else None
