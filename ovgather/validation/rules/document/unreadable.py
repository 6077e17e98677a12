"""What: the path does not exist, is a directory, or is not readable, the text is larger than 2 GiB or than memory, or
the process that checks the file dies.
Why: a missing file cannot be checked.
OpenVINO: throws; of a file at an address this is not known. If it gets a text in place of a path, it quotes the whole
text as a file name.
"""

from ovgather.files.remote import is_remote
from ovgather.validation.context import File, Findings, Rule

RULE = Rule(
    "OVG001",
    "file that cannot be opened",
    "error",
    "rejects undefined",
    needs="problems",
)


def check(file: File) -> Findings:
    # Of a file that does not come over the network nobody knows what OpenVINO would do with it.
    verdict = "undefined" if is_remote(file.model.path) else "rejects"
    for problem in file.problems.get("unreadable", ()):
        yield file.report(RULE, f"cannot be read: {problem.value}", openvino=verdict)
    for problem in file.problems.get("unchecked", ()):
        yield file.report(RULE, problem.value, openvino="undefined")
