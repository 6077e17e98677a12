"""``validate --with-openvino`` with ONNX files, which OpenVINO reads, too."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path
from typing import Any

import onnx_models as models
import pytest
from onnx_child import requires_onnx

from ovgather.cli.main import run
from ovgather.runtimes.load import Complaint
from ovgather.validation.check import check_file
from ovgather.validation.openvino_opinion import tell_onnx

pytestmark = requires_onnx


@pytest.mark.skipif(find_spec("openvino") is None, reason="openvino is not installed")
def test_what_openvino_says_stands_under_the_finding(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: Any
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("m.onnx").write_bytes(
        models.one_node("GatherElements", [3, 4], [2, 9]).SerializeToString()
    )
    assert run(["validate", "m.onnx", "--with-openvino"]) == 1
    out = capfd.readouterr().out
    assert out.startswith(
        "error[OVG808]: dim 1 is 4 in data but 9 in indices, and only dim 0, the axis, may be longer: "
    )
    assert "\n  = OpenVINO says: read_model: " in out
    assert "OVG900" not in out


def test_what_it_says_of_others_is_a_finding_of_its_own(tmp_path: Path) -> None:
    path = tmp_path / "m.onnx"
    path.write_bytes(
        models.one_node("GatherElements", [3, 4], [2, 4]).SerializeToString()
    )
    checked = check_file(str(path))
    for said, node in (
        ("<Node(GatherElements): y>", "pick"),
        ("<Node(Relu): y>", None),
        ("so", None),
    ):
        told = tell_onnx(str(path), checked, Complaint("rejects", "read_model", said))
        (found,) = [
            each for each in told.diagnostics if each.code not in ("OVG814", "OVG852")
        ]
        assert (found.code, found.line, found.openvino) == ("OVG900", 0, "rejects")
        assert found.message == f"OpenVINO rejects the file in read_model: {said}"
        assert (found.layer.name if found.layer else None) == node
    told = tell_onnx(
        str(path), checked, Complaint("timeout", "read_model", "it takes too long")
    )
    (found,) = [
        each for each in told.diagnostics if each.code not in ("OVG814", "OVG852")
    ]
    assert (found.message, found.openvino) == ("it takes too long", "undefined")
