"""What: the ``version`` of ``<net>`` is absent, not a number, or neither 10 nor 11.
Why: releases up to 2020.4 read versions up to 7; 2021.1 dropped them (openvinotoolkit/openvino, pull request 1438).
There is no version 12.
OpenVINO: rejects the file; for ``abc`` the whole message is ``stoll``. It reads ``011`` as 11, which is a warning.
Bad::
    <net name="m" version="7">
Good::
    <net name="m" version="11">
"""

from ovgather.targets.release import reading
from ovgather.validation.context import File, Findings, Rule
from ovgather.validation.releases import LAST

RULE = Rule(
    "OVG004",
    "IR version that OpenVINO does not read",
    "error warning",
    "rejects accepts",
    "safe",
    needs="problems purpose.target",
)
_LAST_OLD = 7
_NEWEST = 11
_EFFECT = '"Unable to read the model", or the one word "stoll"'


def check(file: File) -> Findings:
    version = file.model.ir_version
    target = file.purpose.target
    # An early release may read an early version.
    reader = reading(str(version)) if target is not None else None
    is_read = target is not None and reader is not None and reader.read_by(target)
    if not is_read:
        for problem in file.problems.get("ir-version", ()):
            help = None
            span = file.span_at(problem.offset, "version" if problem.subject else "")
            if not problem.subject:
                message = "<net> has no version: OpenVINO reads 10 and 11"
            elif version is None:
                message = f"IR version {problem.value!r} is not a number: OpenVINO reads 10 and 11"
            else:
                message = (
                    f"IR version {version} is not read by OpenVINO: it reads 10 and 11"
                )
                if 2 <= version <= _LAST_OLD:
                    help = "OpenVINO read it up to 2020.4: convert the original model again"
                elif version > _NEWEST:
                    help = f"no release up to {LAST} has it: is it a typing error, or from a newer OpenVINO?"
            yield file.report(RULE, message, span, effect=_EFFECT, help=help)
    for problem in file.problems.get("ir-version-odd", ()):
        yield file.report_odd_number(RULE, problem, "IR version")
