"""What: elements are called otherwise: ``<image>`` for ``<input>``, ``<tensor>`` for ``<data>``.
Why: OpenVINO ignores an element that it does not know. With the name of an element that holds the same, it is read, and
the contradictions are gone.
Bad::
    <layer ...> <image> <port id="0"/> </image> <output> ... </output> </layer>
Good::
    <layer ...> <input> <port id="0"/> </input> <output> ... </output> </layer>
"""

from collections.abc import Iterator

from ovgather.validation.diagnosis.case import Case
from ovgather.validation.diagnosis.hypothesis import Hypothesis
from ovgather.validation.facts.element_names import meant_name

ORDER = 2
_MOST = 20_000


def propose(case: Case) -> Iterator[Hypothesis]:
    for problem in case.file.problems.get("unknown-element", [])[:_MOST]:
        meant = meant_name(case.file, problem)
        if meant is None:
            continue
        element = case.file.element_at(problem.offset)
        fix = case.file.fixes.renamed_element(element, meant)
        if fix is not None:
            yield Hypothesis(
                "",  # a rule says it
                problem.layer,
                element.name_span,
                fix.edits,
                fix.what,
                help=f"did you mean <{meant}>?",
                many=f"{{count}} elements are called <{problem.subject}>, not <{meant}>",
                part=problem.offset,
            )
