"""file that cannot be opened (OVG001)

What: the path names nothing, a directory, or a file that may not be read, or the text is larger than 2 GiB.

Why: a file that is not there cannot be checked.

OpenVINO: throws, and for a text given in place of a path quotes the whole text as a file name.
"""

from __future__ import annotations

from collections.abc import Iterator

from ovgather.validation.context import File
from ovgather.validation.diagnostic import Diagnostic

CODE = "OVG001"
TITLE = "file that cannot be opened"
SEVERITIES = ("error",)
VERDICTS = ("rejects", "undefined")


def check(file: File) -> Iterator[Diagnostic]:
    """Files that the reader could not open."""
    for problem in file.problems.get("unreadable", ()):
        yield file.report(CODE, "error", f"cannot be read: {problem.value}", openvino="rejects")
    for problem in file.problems.get("too-large", ()):
        message = f"the text is over {problem.value} bytes: more than 2 GiB is not read"
        yield file.report(CODE, "error", message, openvino="undefined")
