"""What a notebook shows: tables without code of files, and drawings."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import ovgather
from ovgather.comparison.report import FileReport, Record, Report
from ovgather.layers.reference import LayerReference
from ovgather.runtimes.outcome import Outcome

GOOD, BROKEN = "samples_xml/demo/good.xml", "samples_xml/demo/broken.xml"
HOSTILE = "<script>alert(1)</script>"
RECORD = Record(
    LayerReference("1", HOSTILE, "Gather", "opset8", ()),
    "none",
    "openvino",
    "CPU",
    Outcome("crash"),
)

SHOWN: dict[str, tuple[Callable[[], Any], str]] = {
    "findings": (lambda: ovgather.validate(BROKEN), "<td>OVG203</td>"),
    "layers": (
        lambda: ovgather.infer(GOOD),
        "<td>word_embedding</td><td>Gather-8</td>",
    ),
    "report": (lambda: Report([FileReport("m.xml", (RECORD,))]), "<td>crash</td>"),
    "model": (lambda: ovgather.read(GOOD), "<td>Gather</td><td>"),
    "text": (
        lambda: ovgather.show(GOOD, "word_embedding"),
        "<pre>Gather-8 &quot;word_embedding&quot;",
    ),
}


@pytest.mark.parametrize("name", SHOWN)
def test_it_is_shown(name: str) -> None:
    make, expected = SHOWN[name]
    html = make()._repr_html_()
    assert expected in html
    assert "<script>" not in html


def test_onnx_models_are_shown() -> None:
    pytest.importorskip("onnx.helper", reason="onnx is not installed")
    from onnx_models import one_node

    model = ovgather.read(one_node("GatherElements", [3, 4], [2, 4], [2, 4], axis=0))
    assert "<td>GatherElements</td><td>1</td>" in model._repr_html_()
