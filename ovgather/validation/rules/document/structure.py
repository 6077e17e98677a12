"""What: a second ``<layers>``, ``<edges>`` or ``<data>``, an element where no reader of IR expects it, or text between
elements.

Why: OpenVINO ignores it and all its content. Such text is usually the rest of a tag or a comment.

OpenVINO: reads the first and ignores the others. It ignores unknown elements everywhere, and text outside ``<dim>``.

Bad::
    <data axis="1"/><data axis="0"/>
Good::
    <data axis="1"/>
"""

from functools import partial

from ovgather.ir.graph import Layer, Problem
from ovgather.ir.numbers import leading_integer
from ovgather.validation.context import File, Findings, Fix, Place, Rule

RULE = Rule(
    "OVG009",
    "element or text that is repeated or in the wrong position",
    ("error", "warning"),
    ("accepts", "undefined"),
    ("unsafe",),
)
_MOST_SHOWN = 40
_PARENTS = {"data": "layer", "edge": "edges", "dim": "port"}
_KNOWN = "layers edges layer edge data input output port dim rt_info body port_map back_edges"


def check(file: File) -> Findings:
    for problem in (*file.problems.get("repeated", ()), *file.problems.get("unknown-element", ())):
        message, effect = f"a second <{problem.subject}> is ignored", "uses the first and ignores this one"
        help, place, fix = None, file.span_at(problem.offset), partial(_renamed, file, problem)
        if problem.kind == "unknown-element":
            message, effect = (
                f"unknown element <{problem.subject}> in <{problem.value}>",
                "ignores it, with all that is in it",
            )
            help = partial(_did_you_mean, problem)
        finding = file.report(
            RULE, message, place, problem.layer, effect=effect, severity="warning", help=help, fix=fix
        )
        yield finding.concerning(_targets(file, problem))
    for problem in file.problems.get("text", ()):
        if problem.value == "]]>":
            continue  # OVG002 reports it if it is bare; escaped, it is the result of that fix
        words = " ".join(problem.value.split())
        text = words if len(words) <= _MOST_SHOWN else f"{words[: _MOST_SHOWN - 3]}..."
        span: Place = (problem.offset, problem.offset + len(problem.value.partition("\n")[0].rstrip().encode()))
        message = f"text {text!r} between elements"
        yield file.report(RULE, message, span, problem.layer, effect="ignores it", severity="warning")
    for problem in file.problems.get("bodies-depth", ()):
        message = f"bodies nested deeper than {problem.value} are not read"
        yield file.report(RULE, message, file.span_at(problem.offset), problem.layer, "undefined")


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
    is_edge = problem.kind == "unknown-element" and problem.value == "edges"
    text = file.element_at(problem.offset).attributes.get("to-layer", "") if is_edge else ""
    number = leading_integer(text)
    return [graph.by_id[number] for graph in file.graphs if number is not None and number in graph.by_id]


def _did_you_mean(problem: Problem) -> str | None:
    name = "layers" if (problem.subject, problem.value) == ("layer", "net") else _meant(problem.subject)
    return None if name is None else f"did you mean <{name}>?"


def _meant(name: str) -> str | None:
    from difflib import get_close_matches

    close = get_close_matches(name.lower(), _KNOWN.split(), n=1)
    return close[0] if close and close[0] != name else None
