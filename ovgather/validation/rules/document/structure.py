"""What: a second ``<layers>``, ``<edges>`` or ``<data>``, an element where no reader of IR expects it, text between
elements, or dims as an attribute of a port.
Why: OpenVINO ignores it and all its content. Such text is usually the rest of a tag or a comment.
OpenVINO: reads the first and ignores the others. It ignores unknown elements everywhere, and text outside ``<dim>``.
Bad::
    <data axis="1"/><data axis="0"/>
Good::
    <data axis="1"/>
"""

from functools import partial

from ovgather.ir.edit.layer_text import end_of
from ovgather.ir.numbers import leading_integer
from ovgather.validation.context import (
    Diagnostic,
    File,
    Findings,
    Fix,
    Place,
    Problem,
    Rule,
)
from ovgather.validation.facts.element_names import meant_name

_TITLE = "element or text that is repeated or in the wrong position"
RULE = Rule(
    "OVG009", _TITLE, "error warning", "accepts undefined", "unsafe", needs="problems"
)
_MOST_SHOWN = 40


def check(file: File) -> Findings:
    for problem in file.problems.get("repeated", ()):
        message = f"a second <{problem.subject}> is ignored"
        place = file.span_at(problem.offset)
        effect = "uses the first and ignores this one"
        if problem.subject == "edges":
            bare = [graph for graph in file.graphs if not graph.edges]
        else:
            bare = []
        # The first <edges> may be empty.
        about = [layer for graph in bare for layer in graph.layers]
        fix = partial(_without_first, file, problem)
        yield file.report(
            RULE,
            message,
            place,
            problem.layer,
            effect=effect,
            severity="warning",
            about=about,
            fix=fix,
        )
    yield from (
        _unknown(file, problem) for problem in file.problems.get("unknown-element", ())
    )
    for problem in file.problems.get("port-dims", ()):
        message = "`dims` is an attribute of <port>, not <dim> elements in it"
        port = file.element_at(problem.offset)
        yield file.report(
            RULE,
            message,
            port.attribute_span("dims", "name"),
            problem.layer,
            effect="ignores it",
            severity="warning",
            fix=partial(file.fixes.dims_as_elements, port),
        )
    for problem in file.problems.get("text", ()):
        if problem.value == "]]>":
            continue  # OVG002 reports it if it is bare; escaped, it is the result of that fix
        words = " ".join(problem.value.split())
        if len(words) <= _MOST_SHOWN:
            text = words
        else:
            text = f"{words[: _MOST_SHOWN - 3]}..."
        span: Place = (
            problem.offset,
            problem.offset + len(problem.value.partition("\n")[0].rstrip().encode()),
        )
        message = f"text {text!r} between elements"
        yield file.report(
            RULE, message, span, problem.layer, effect="ignores it", severity="warning"
        )
    for problem in file.problems.get("bodies-depth", ()):
        message = f"bodies nested deeper than {problem.value} are not read"
        yield file.report(
            RULE, message, file.span_at(problem.offset), problem.layer, "undefined"
        )


def _without_first(file: File, problem: Problem) -> Fix | None:
    """The first of two elements is left out, so that the second one counts."""
    first = file.element_at(
        file.source.data.rfind(f"<{problem.subject}".encode(), 0, problem.offset)
    )
    what = f"the first <{problem.subject}> is left out"
    return file.fixes.replaced((first.start, end_of(first)), "", what, safe=False)


def _unknown(file: File, problem: Problem) -> Diagnostic:
    name = problem.subject
    parent = problem.value
    layer = problem.layer
    place = file.span_at(problem.offset)

    def help() -> str | None:
        meant = meant_name(file, problem)
        return None if meant is None else f"did you mean <{meant}>?"

    def fix() -> Fix | None:
        """The element with the name that is meant; OpenVINO ignored it before, so the fix is unsafe."""
        meant = meant_name(file, problem)
        if meant is None:
            return None
        return file.fixes.renamed_element(file.element_at(problem.offset), meant)

    # A misspelt <edge> concerns the layer that it leads to, in each graph.
    if parent == "edges":
        text = file.element_at(problem.offset).attributes.get("to-layer", "")
    else:
        text = ""
    number = leading_integer(text)
    about = [
        each for graph in file.graphs if (each := graph.with_id(number)) is not None
    ]
    message = f"unknown element <{name}> in <{parent}>"
    effect = "ignores it, with all that is in it"
    # With the edges.
    lost = (
        parent == "net"
        and not file.model.graph.ids
        and meant_name(file, problem) == "layers"
    )
    severity = "error" if lost else "warning"
    return file.report(
        RULE,
        message,
        place,
        layer,
        effect=effect,
        severity=severity,
        help=help,
        fix=fix,
        about=about,
    )
