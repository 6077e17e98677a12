"""The wording of OVG107, with severity, verdict and help."""

from __future__ import annotations

import pytest
from rule_messages import messages_of
from small_models import gather_elements, whole

from ovgather.targets.owners import CUSTOM, TOKENIZERS

CASES = [
    (
        whole(gather_elements(version="8")),
        None,
        [
            "error, rejects: version '8' is not an OpenVINO opset | GatherElements is in opset6 to opset16"
        ],
    ),
    (
        whole(gather_elements(version="OPSET6")),
        None,
        [
            "error, rejects: version 'OPSET6' is not an OpenVINO opset | GatherElements is in opset6 to opset16"
        ],
    ),
    (
        whole(gather_elements().replace('"GatherElements"', '"Constant"')),
        None,
        [
            "error, rejects: opset6 has no 'Constant'; no opset has it | did you mean 'Const'?"
        ],
    ),
    (
        whole(gather_elements().replace('"GatherElements"', '"Wizard"')),
        None,
        ["error, rejects: opset6 has no 'Wizard'; no opset has it"],
    ),
    (
        whole(
            gather_elements()
            .replace('"GatherElements"', '"opset6"')
            .replace('"opset6">', '"GatherElements">')
        ),
        None,
        [
            "error, rejects: version 'GatherElements' is not an OpenVINO opset | type and version are swapped"
        ],
    ),
    (
        whole(
            gather_elements(version="opset 6").replace('"GatherElements"', '"Wizard"')
        ),
        None,
        ["error, rejects: version 'opset 6' is not an OpenVINO opset"],
    ),
    (
        whole(
            gather_elements(version="extension").replace('"GatherElements"', '"Wizard"')
        ),
        None,
        [
            f"warning, rejects: version 'extension' is not an OpenVINO opset | {CUSTOM.load}"
        ],
    ),
    (
        whole(
            gather_elements(version="extension").replace(
                '"GatherElements"', '"StringTensorUnpack"'
            )
        ),
        None,
        [
            "warning, rejects: version 'extension' is not an OpenVINO opset: StringTensorUnpack belongs to"
            f" openvino_tokenizers | {TOKENIZERS.load}; StringTensorUnpack is in opset15 to opset16"
        ],
    ),
    *[
        (
            whole(
                gather_elements(version=version).replace(
                    '"GatherElements"', f'"{kind}"'
                )
            ),
            None,
            [
                f"{severity}, rejects: version {version!r} is not an OpenVINO opset{where}"
            ],
        )
        for kind, version, severity, where in (
            (
                "StringTensorUnpack",
                "custom",
                "warning",
                " | StringTensorUnpack is in opset15 to opset16",
            ),
            (
                "StringTensorUnpack",
                "8",
                "error",
                " | StringTensorUnpack is in opset15 to opset16",
            ),
            ("Wizard", "custom", "warning", ""),
            ("Wizard", "8", "warning", ""),
        )
    ],
    (
        whole(gather_elements()).replace('type="GatherElements"', 'type=""'),
        None,
        ["error, rejects: type '' is the name of no operation"],
    ),
]


@pytest.mark.parametrize(("text", "weights", "messages"), CASES)
def test_messages(
    text: str | bytes, weights: bytes | None, messages: list[str]
) -> None:
    assert messages_of("OVG107", text, weights) == messages
