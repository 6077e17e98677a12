"""What: the root element is not ``<net>``, or the file is of another kind: an ONNX model, the ``.bin``, a web page, a
git-lfs pointer.
Why: the intended file is elsewhere.
OpenVINO: says only "Unable to read the model. Please check if the model format is supported and model is correct." It
accepts the root in any case (``NET``), which no other reader of IR does: a warning.
Bad::
    <ir:net version="11">
Good::
    <net name="m" version="11">
"""

import re

from ovgather.validation.context import File, Findings, Rule

RULE = Rule(
    "OVG003",
    "file that is not an IR",
    "error warning",
    "rejects accepts",
    needs="problems",
)


def check(file: File) -> Findings:
    for problem in file.problems.get("not-ir", ()):
        message = f"not an IR: this looks like {problem.value}"
        # The line is shown where it can be read.
        is_binary = re.search(
            rb"[\x00-\x08\x0e-\x1f\x7f-\xff]", file.model.source.original[:100]
        )
        yield file.report(RULE, message, None if is_binary else (0, 1))
    for problem in file.problems.get("root", ()):
        message = f"not an IR: the root element is <{problem.value}>, not <net>"
        span = file.span_at(problem.offset)
        effect = '"Unable to read the model", without a reason'
        prefix, _, name = problem.value.rpartition(":")
        help = None
        if name == "net":
            help = (
                f"remove {prefix}: from the names of all elements: IR has no namespace"
            )
        yield file.report(RULE, message, span, effect=effect, help=help)
    for problem in file.problems.get("root-case", ()):
        message = f"the root element is spelt <{problem.subject}>, not <net>"
        span = file.span_at(problem.offset)
        yield file.report(
            RULE,
            message,
            span,
            openvino="accepts",
            effect="takes any case here",
            severity="warning",
        )
