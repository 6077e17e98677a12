"""Random ONNX models and single mistakes in them: the verdict of a file beside that of OpenVINO."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

import pytest
from openvino_verdicts import requires_openvino, verdicts

from ovgather.validation.check import check_file

pytestmark = [
    pytest.mark.skipif(find_spec("onnx") is None, reason="onnx is not installed"),
    pytest.mark.runtime,
]
COUNT = 12
"""150 models and 200 mistakes were compared by hand; these keep the test short."""


@requires_openvino
def test_the_verdict_is_that_of_openvino(tmp_path: Path) -> None:
    from random_onnx import mistake, random_model

    paths = []
    for seed in range(COUNT):
        model = random_model(seed)
        for name, each in (("good", model), ("bad", mistake(model, seed)[1])):
            path = tmp_path / f"{seed}-{name}.onnx"
            path.write_bytes(each.SerializeToString())
            paths.append(str(path))
    found = verdicts(paths, last="compile")
    for path in paths:
        said = check_file(path).verdict
        if said.openvino != "unknown":
            assert (said.openvino == "accepts") == (not found[path].stage), (
                path,
                said,
                found[path],
            )
