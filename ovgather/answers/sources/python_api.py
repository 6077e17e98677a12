"""What Python prints where a program is written for another release of OpenVINO."""

from ovgather.answers.pattern import EXACT, Pattern

WHO = "Python, of OpenVINO's package"
_NOTES = "docs.openvino.ai: release notes, discontinued and deprecated"

PATTERNS = (
    Pattern(
        r"No module named '?\"?openvino\.(?P<module>inference_engine|tools\.mo|runtime|preprocess|"
        r"offline_transformations)\b|"
        r"cannot import name '(?P<name>IECore|IENetwork|IEPlugin)'",
        "the program is written for an earlier OpenVINO: openvino.inference_engine ended with 2023.3, openvino.tools.mo"
        " with 2024.6, openvino.runtime with 2025.4",
        "import openvino and use openvino.Core; or install the release that the program was written for",
        commands=("ovgather inspect model.xml",),
        source=_NOTES,
        weight=EXACT,
    ),
    Pattern(
        r"module 'openvino(?:\.runtime)?' has no attribute '(?P<name>\w+)'|'\S*IENetwork' object has no"
        r" attribute '(?P<old>\w+)'",
        "the program is written for another release of OpenVINO than the one that is installed",
        "look up since when the name exists; openvino.convert_model and openvino.Core came with 2023.1",
        commands=("ovgather inspect model.xml",),
        source=_NOTES,
        weight=EXACT,
    ),
)
