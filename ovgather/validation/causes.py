"""One mistake, one finding: rules know nothing of each other, and this module which code can follow from which other
one. A consequence on the same layer, or on one that takes the cause's output, becomes a related place of its cause.
"""

from collections import defaultdict
from collections.abc import Hashable, Iterable, Iterator, Sequence
from operator import attrgetter

from ovgather.validation.context import Diagnostic, File
from ovgather.validation.diagnostic import SEVERITIES, VERDICTS_BY_WEIGHT

# What is reported of a layer that takes tensors of wrong dims or types, has a wrong attribute, takes another tensor
# than intended, or lacks an input or has one twice (its ports still say what it takes).
_COMPUTED = ("OVG215", "OVG113")  # what the layer, or one behind it, computes
_SHAPES = ("OVG202", "OVG203", "OVG204", "OVG205", "OVG206", "OVG214", *_COMPUTED)
_RESULT = ("OVG202", "OVG203", *_COMPUTED)
_VALUES = ("OVG104", "OVG105", "OVG112", "OVG501", "OVG502", *(f"OVG70{number}" for number in range(1, 10)))
_LOST = ("OVG202", "OVG206", "OVG214", "OVG707", *_COMPUTED)
_EDGES = ("OVG302", "OVG303", "OVG305")

CONSEQUENCES: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(("OVG211", "OVG210"), ("OVG212", "OVG309", *_VALUES, *_SHAPES)),
    "OVG009": ("OVG101", "OVG106", "OVG201", "OVG212", "OVG309", "OVG401", *_EDGES, *_SHAPES, *_VALUES),
    "OVG101": (*_EDGES, *_SHAPES),
    **dict.fromkeys(("OVG109", "OVG209"), ("OVG101", "OVG306", *_EDGES, *_SHAPES, *_VALUES)),
    "OVG107": ("OVG010", "OVG305"),  # a misspelt Result
    "OVG110": _VALUES,
    "OVG102": ("OVG103", "OVG106", *_RESULT, *_VALUES),
    "OVG201": ("OVG102", "OVG212", *_EDGES, *_SHAPES, *_VALUES),  # ports and attributes of another operation
    "OVG303": ("OVG305", *_LOST),
    "OVG306": ("OVG309", *_COMPUTED),
    "OVG309": _COMPUTED,
    **dict.fromkeys(("OVG301", "OVG302"), ("OVG303", "OVG305", *_LOST)),
    "OVG304": ("OVG101", "OVG306", *_EDGES, *_SHAPES, *_VALUES),
    **dict.fromkeys(("OVG308", "OVG214"), (*_SHAPES, *_VALUES)),
    "OVG401": ("OVG402", "OVG403", "OVG212", *_SHAPES, *_VALUES),
    **dict.fromkeys(("OVG403", "OVG404"), ("OVG402", "OVG212", *_SHAPES, *_VALUES)),
    **dict.fromkeys(("OVG402", "OVG407"), _VALUES),
    "OVG212": ("OVG309", *_SHAPES, *_VALUES),
    **dict.fromkeys(("OVG103", "OVG106"), (*_RESULT, *_VALUES)),
    "OVG203": ("OVG309", *_COMPUTED),
    "OVG207": ("OVG212", "OVG309", *_SHAPES),
    "OVG208": _SHAPES,
    **dict.fromkeys(("OVG104", "OVG105"), ("OVG112", "OVG703", *_RESULT)),
    "OVG112": _RESULT,
    "OVG205": ("OVG206",),
    **dict.fromkeys(("OVG006", "OVG307", "OVG310", "OVG707"), _COMPUTED),
    "OVG206": (*_COMPUTED, "OVG305"),
    "OVG215": (
        "OVG113",
        "OVG206",
        "OVG305",
        "OVG202",
        "OVG203",
        "OVG204",
        "OVG205",
        "OVG104",
        "OVG105",
        "OVG112",
        "OVG309",
    ),
    "OVG113": (*_COMPUTED, "OVG305"),
}
"""Codes by their cause, the first cause first: a consequence goes to the first one that claims it."""

_FLOWING = {
    f"OVG{code}" for code in (*range(101, 107), 109, 110, 112, 113, 201, 205, *range(207, 213), 215, *range(401, 405))
}
"""Causes that change what flows out of a layer: the layers that take it can report a consequence."""
_MOST_OUTPUTS = 4  # the first of a layer, which are all that family layers and Consts have


def merged(findings: Sequence[Diagnostic], file: File) -> list[Diagnostic]:
    """The findings that are no consequence of another one; these have their consequences as related places."""
    findings = sorted(findings, key=attrgetter("line", "column", "code"))
    consequences = {*_of_one_origin(findings)}
    consequences |= {*_of_causes([finding for finding in findings if finding not in consequences], file)}
    return [finding for finding in findings if finding not in consequences]


def unexplained(findings: Iterable[Diagnostic], silent: Iterable[Diagnostic]) -> list[Diagnostic]:
    """The findings but those of the pass about a layer of which another finding, which is not reported, says why."""
    subjects = {subject for finding in silent if finding.code not in _COMPUTED for subject in finding.subjects}
    return [each for each in findings if each.code not in _COMPUTED or subjects.isdisjoint(each.subjects)]


def _of_one_origin(findings: Iterable[Diagnostic]) -> Iterator[Diagnostic]:
    """Findings with the origin of another one, such as an edge to the same missing layer; attached to the worst."""
    by_origin: defaultdict[Hashable, list[Diagnostic]] = defaultdict(list)
    for finding in findings:
        if finding.origin is not None:
            by_origin[finding.origin].append(finding)
    for alike in by_origin.values():
        # The worst is the cause; of equal ones ``min`` takes the first in the text.
        cause = min(alike, key=lambda each: (SEVERITIES.index(each.severity), VERDICTS_BY_WEIGHT.index(each.openvino)))
        for finding in alike:
            if finding is not cause:
                cause.attach(finding)
                cause.subjects += finding.subjects
                yield finding


def _of_causes(findings: Iterable[Diagnostic], file: File) -> Iterator[Diagnostic]:
    """Findings that the table explains; attached to their causes."""
    by_code: defaultdict[str, list[Diagnostic]] = defaultdict(list)
    waiting: defaultdict[tuple[int, str], list[Diagnostic]] = defaultdict(list)
    for finding in findings:
        by_code[finding.code].append(finding)
        if finding.code == "OVG102" and finding.severity == "error":
            continue  # a misspelt attribute is a mistake of its own
        for subject in finding.subjects:
            waiting[subject, finding.code].append(finding)
    attached: set[Diagnostic] = set()
    for code, codes in CONSEQUENCES.items():
        present = [each for each in codes if each in by_code]
        for cause in by_code.get(code, ()) if present else ():
            if cause in attached:
                continue
            reach = [*cause.subjects]
            for output in [(at, index) for at in reach for index in range(_MOST_OUTPUTS) if code in _FLOWING]:
                reach += [target.offset for target, _ in file.consumers.get(output, ())]
            for finding in [each for at in reach for name in present for each in waiting.pop((at, name), ())]:
                is_other = finding.code != cause.code or finding.code in _COMPUTED
                if finding is not cause and finding not in attached and is_other:
                    attached.add(finding)
                    if finding.code in _COMPUTED and finding.layer == cause.layer:
                        cause.join(finding)
                    else:
                        cause.attach(finding)
                    yield finding
