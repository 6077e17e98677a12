"""Results that are added to a model, and those that it has."""

from __future__ import annotations

from pathlib import Path

from paths import SAMPLES

from ovgather import read
from ovgather.comparison.in_model.tap import Tap, own_outputs, tap

GOOD = SAMPLES / "demo" / "good.xml"


def test_what_a_result_reads_has_no_second_result() -> None:
    """In IR of version 10 the names of the tensors of both would collide, and OpenVINO refuses the file."""
    model = read(str(GOOD))
    own = own_outputs(model)[0]
    inner = Tap(next(each for each in model.graph.layers if each.type == "Gather"), 0)
    result = next(
        layer.name
        for layer in model.graph.layers
        if layer.type == "Result" and layer.producer(0) == (own.layer, own.output)
    )
    before = Path(GOOD).read_bytes().count(b'type="Result"')
    text, names, _ = tap(model, [own, inner])
    assert names == [result, "ovgather_tap_1"]
    assert text.count(b'type="Result"') == before + 1
    text, names, _ = tap(model, [own, inner], pruned=True)
    assert names == ["ovgather_tap_0", "ovgather_tap_1"]
