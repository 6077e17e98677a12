"""Layers of malformed files: taken out, run and drawn, or refused in words; never an exception of another kind."""

from __future__ import annotations

import gzip
import json

import pytest
from paths import DATA

import ovgather
from ovgather.errors import InvalidModelError, OvgatherError, ShapeInferenceError
from ovgather.ir.model import Model
from ovgather.layers.gather_layer import is_family
from ovgather.report.drawing import text
from ovgather.verbs.run import prepare
from ovgather.verbs.show import listing, show

CASES = json.loads(gzip.decompress((DATA / "malformed.json.gz").read_bytes()))
LAYER = """<net name="m" version="11"><layers>
<layer id="0" name="d" type="Parameter" version="opset1"><data element_type="{0}" shape="{1}"/>
<output><port id="0" precision="FP32"/></output></layer>
<layer id="1" name="i" type="Parameter" version="opset1"><data element_type="{2}" shape="{3}"/>
<output><port id="0" precision="I64"/></output></layer>
<layer id="2" name="g" type="{4}" version="opset8"><data axis="0"/>
<input><port id="0" precision="FP32"/><port id="1" precision="I64"/></input>
<output><port id="2" precision="FP32"/></output></layer>
</layers><edges><edge from-layer="0" from-port="0" to-layer="2" to-port="0"/>
<edge from-layer="1" from-port="0" to-layer="2" to-port="1"/></edges></net>"""


def layer(*parts: str) -> Model:
    return ovgather.read(LAYER.format(*parts).encode())


def test_nothing_breaks() -> None:
    taken = drawn = 0
    for case in CASES:
        if "xml" not in case:
            continue
        model = ovgather.read(
            case["xml"].encode("utf-8", "surrogatepass"),
            bytes.fromhex(case.get("bin_hex") or ""),
        )
        list(listing(model))
        for found in filter(is_family, model.layers()):
            reference = "/".join((*found.body, f"#{found.id}"))
            try:
                made = ovgather.extract(model, reference)
                again = ovgather.read(made.text, made.weights)
                assert not again.fatal
                assert any(map(is_family, again.layers()))
                taken += 1
                shown = show(model, reference).evidence
                assert text.draw(shown)
                drawn += 1
            except OvgatherError:
                continue
    assert taken > 150
    assert drawn > 100


@pytest.mark.parametrize(
    "kind",
    ["u1", "u2", "u3", "u4", "u6", "i4", "nf4", "f4e2m1", "f8e8m0", "bf16", "string"],
)
def test_every_type_is_run_and_drawn(kind: str) -> None:
    for index_type in (
        ("i64", "u4", "u3", "i4", "u64") if kind in ("u4", "string") else ("i32",)
    ):
        model = layer(kind, "3,4", index_type, "2,2", "GatherND")
        ran = prepare(model, "g").run()
        assert str(ran.arguments[0].array.dtype) != ""
        assert ran.evidence.got.shape == (2,)
        assert text.draw(show(model, "g").evidence)


def test_messages() -> None:
    with pytest.raises(InvalidModelError) as caught:
        prepare(layer("f32", "3", "f16", "2", "GatherElements"), "g").run()
    assert str(caught.value) == "layer 'g' has f16 indices: only integers can index"
    with pytest.raises(InvalidModelError) as caught:
        prepare(
            layer(
                "f32",
                ",".join(["1"] * 40),
                "i64",
                ",".join(["1"] * 40),
                "GatherElements",
            ),
            "g",
        ).run()
    assert (
        str(caught.value) == "layer 'g' has inputs of rank 40: arrays have 32 at most"
    )
    with pytest.raises(ShapeInferenceError) as caught_shape:
        prepare(layer("f32", "3,4", "i64", "2,3", "GatherND"), "g").run()
    assert (
        "the last dim of indices is 3, above rank(data) - batch_dims, which is 2"
        in str(caught_shape.value)
    )
