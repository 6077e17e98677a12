"""What: the XML declaration names an encoding other than UTF-8, UTF-16, UTF-32 or ISO-8859-1.
Why: OpenVINO reads the bytes as UTF-8 whatever the declaration says, so names with non-ASCII letters become wrong.
OpenVINO: ignores the declaration.
Bad::
    <?xml version="1.0" encoding="windows-1251"?>
Good::
    <?xml version="1.0" encoding="UTF-8"?>
"""

from ovgather.validation.context import File, Findings, Rule

RULE = Rule(
    "OVG007",
    "encoding that OpenVINO does not know",
    "warning",
    "accepts",
    needs="problems",
)


def check(file: File) -> Findings:
    for problem in file.problems.get("encoding", ()):
        message = f"encoding {problem.value!r} is not one that OpenVINO knows: the file is read as UTF-8"
        yield file.report(RULE, message, (0, 5), effect="reads it as UTF-8")
