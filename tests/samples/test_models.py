"""Real models: nothing is found wrong with them, and every declared shape is the inferred one."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

import pytest
from paths import DATA

import ovgather
from ovgather.verbs.infer import infer

SAMPLENET = DATA / "models" / "samplenet-opset1.xml"
BERT = DATA / "bert" / "bert.xml"


@pytest.mark.parametrize(
    ("path", "weights", "codes"),
    [
        pytest.param(BERT, None, [], id="bert"),
        pytest.param(
            BERT,
            b"",
            ["OVG402"],
            id="bert with an empty .bin",
        ),
        pytest.param(SAMPLENET, None, ["OVG008"], id="samplenet without its .bin"),
    ],
)
def test_findings(path: Path, weights: bytes | None, codes: list[str]) -> None:
    assert sorted({found.code for found in ovgather.validate(path, weights)}) == codes


def test_shapes_of_bert() -> None:
    found = infer(BERT).layers
    assert len(found) == 9
    assert {item.axis_source for item in found} == {"const", "attribute"}
    assert {item.status for item in found} == {"match", "refines"}
    refined = {
        item.output.shape
        for item in found
        if item.status == "refines" and item.output is not None
    }
    assert refined == {"[1,..512]", "[1,..512,32]"}  # a slice of a table of 512
    elements = next(item for item in found if item.layer.type == "GatherElements")
    assert elements.output is not None
    assert (elements.output.shape, elements.output.element_type) == ("[1,..512]", "i64")


@pytest.mark.skipif(find_spec("openvino") is None, reason="openvino is not installed")
def test_openvino_infers_the_same_shapes_of_bert() -> None:
    assert {
        item.openvino[1]
        for item in infer(BERT, with_openvino=True).layers
        if item.openvino
    } == {"equal"}


def test_shapes_of_bert_without_weights() -> None:
    ports = {
        item.layer.id: item for item in infer(ovgather.read(BERT.read_bytes())).layers
    }
    whole = {item.layer.id: item for item in infer(BERT).layers}
    for number, item in ports.items():
        assert item.status in ("match", "refines", "unknown")
        if item.axis is not None:
            assert item.axis == whole[number].axis
            assert item.output == whole[number].output


def test_shapes_of_samplenet() -> None:
    found = infer(SAMPLENET).layers
    assert [item.operation for item in found] == ["Gather-1"] * 3
    assert {(item.status, item.axis, item.axis_source) for item in found} == {
        ("match", 0, "ports")
    }


def test_cut_off_models() -> None:
    data = BERT.read_bytes()
    for end in range(0, len(data) - 8, 3_001):
        (found,) = ovgather.validate(data[:end])
        assert (found.code, found.severity) == ("OVG002", "error")
