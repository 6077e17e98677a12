"""What: a ``<layer>`` has no id, name, type or version, or its id is not a number. An id with leading zeros, a sign or
a blank is a warning.
Why: edges refer to a layer by its id, OpenVINO creates it from its type and version, and messages use its name.
OpenVINO: rejects the file without naming the layer. An id may contain only digits: no blanks, sign or fraction.
Bad::
    <layer id=" 2 " name="g" type="Relu" version="opset1">
Good::
    <layer id="2" name="g" type="Relu" version="opset1">
"""

from collections import Counter

from ovgather.validation.context import File, Findings, Layer, Rule
from ovgather.validation.wording import odd_numbers

RULE = Rule(
    "OVG101",
    "layer without id, name, type or version",
    "error warning",
    "rejects accepts",
    "safe",
    needs="problems",
)


def check(file: File) -> Findings:
    missing = file.problems.get("layer-attribute", ())
    versions: dict[str, Counter[str]] = {}
    if missing:
        for other in file.layers:
            if other.version:
                versions.setdefault(other.type, Counter())[other.version] += 1
    # Without any version, as in a graph that OpenVINO has compiled, it is one mistake.
    if versions:
        bare = []
    else:
        bare = [problem for problem in missing if problem.subject == "version"]
    for problem in missing:
        message = f"<layer> has no {problem.subject}"
        span = file.span_at(problem.offset)
        related = []
        help = None
        if problem.subject == "version":
            help = _usual_version(problem.layer, versions)
        if len(bare) > 1 and problem is bare[0]:
            message += f", nor has any of {len(bare) - 1} others"
            related = [
                ("nor has this one", file.span_at(other.offset)) for other in bare[1:]
            ]
        if problem not in bare[1:]:
            yield file.report(
                RULE,
                message,
                span,
                problem.layer,
                parsed=True,
                help=help,
                related=related,
            )
    for problem in file.problems.get("layer-id", ()):
        message = f"layer id {problem.value!r} is not a plain number below 2^63"
        span = file.span_at(problem.offset, "id")
        yield file.report(
            RULE,
            message,
            span,
            problem.layer,
            parsed=True,
            label="digits only",
        )
    odd = file.problems.get("layer-id-odd", ())
    yield from odd_numbers(file, RULE, odd, "layer id")


def _usual_version(
    layer: Layer | None, versions: dict[str, Counter[str]]
) -> str | None:
    """The version that most other layers of the type have."""
    if layer is None or not layer.type:
        return None
    counts = versions.get(layer.type, Counter())
    version, count = max(counts.items(), key=lambda item: item[1], default=("", 0))
    others = sum(counts.values())
    if 2 * count > others:
        return f'{count} of {others} other {layer.type} layers have version="{version}"'
    return None
