"""IR version that OpenVINO does not read (OVG004)

What: the ``version`` of ``<net>`` is absent, is no number, or is neither 10 nor 11.

Why: versions up to 7 were read by releases up to 2020.4; 2021.1 came without (openvinotoolkit/openvino, pull request
1438). There is no version 12.

OpenVINO: rejects the file, for ``abc`` with the one word ``stoll``. ``011`` is read as 11, which is a warning.

Bad::

    <net name="m" version="7">

Good::

    <net name="m" version="11">
"""

from __future__ import annotations

from collections.abc import Iterator

from ovgather.targets.reading import reading
from ovgather.validation.context import File
from ovgather.validation.diagnostic import Diagnostic
from ovgather.validation.releases import LAST

CODE = "OVG004"
TITLE = "IR version that OpenVINO does not read"
SEVERITIES = ("error", "warning")
VERDICTS = ("rejects", "accepts")
_LAST_OLD = 7
_NEWEST = 11
_EFFECT = '"Unable to read the model", or the one word "stoll"'


def check(file: File) -> Iterator[Diagnostic]:
    """The ``version`` of the root."""
    for problem in file.problems.get("ir-version", ()):
        if _is_read_by_target(file):
            continue
        root = file.element_at(problem.offset)
        if not problem.subject:
            message, span = "<net> has no version: OpenVINO reads 10 and 11", root.name_span
        elif file.model.ir_version is None:
            message = f"IR version {problem.value!r} is not a number: OpenVINO reads 10 and 11"
            span = root.attribute_span("version")
        else:
            message = f"IR version {file.model.ir_version} is not read by OpenVINO: it reads 10 and 11"
            span = root.attribute_span("version")
        version = file.model.ir_version
        old = version is not None and 2 <= version <= _LAST_OLD
        help = "OpenVINO read it up to 2020.4: convert the original model again" if old else None
        if version is not None and version > _NEWEST:
            help = f"no release up to {LAST} has it: is it a typing error, or a newer OpenVINO's?"
        yield file.report(CODE, "error", message, span, openvino="rejects", effect=_EFFECT, help=help)
    for problem in file.problems.get("ir-version-odd", ()):
        yield file.report_odd_number(CODE, problem, "IR version")


def _is_read_by_target(file: File) -> bool:
    """Whether the file is meant for an early release that reads its version."""
    known = reading(str(file.model.ir_version))
    return file.purpose.target is not None and known is not None and known.read_by(file.purpose.target)
