"""Inference of whole files, as ``ovgather infer`` and ``ovgather.verbs.infer.infer`` tell it."""

from __future__ import annotations

from pathlib import Path

import pytest
from paths import SAMPLES
from small_models import gather_elements, net, parameter, whole

import ovgather
from ovgather.errors import InvalidModelError
from ovgather.verbs.infer import infer
from ovgather.verbs.infer.records import InferredFile, Typed

SPECIFICATION = SAMPLES / "specification"


def test_what_is_told_of_a_layer() -> None:
    path = SPECIFICATION / "gather_elements_6_page_xml.xml"
    (found,) = infer(path).layers
    assert found.layer == ("2", "gather_elements", "GatherElements", "opset6", ())
    assert found.operation == "GatherElements-6"
    assert [(name, *tensor[:2]) for name, tensor in found.inputs] == [
        ("data", "[3,7,5]", "f32"),
        ("indices", "[3,10,5]", "i32"),
    ]
    assert (found.has_axis, found.axis, found.axis_source, found.batch_dims) == (
        True,
        1,
        "attribute",
        0,
    )
    assert found.output is not None
    assert found.output[:2] == ("[3,10,5]", "f32")
    assert (found.declared, found.status, found.error) == ("[3,10,5]", "match", None)


@pytest.mark.parametrize(
    "path", sorted(SPECIFICATION.glob("*.xml")), ids=lambda path: path.name
)
def test_samples(path: Path) -> None:
    found = infer(path)
    assert found.error is None
    assert {item.status for item in found.layers} == {"match"}


def test_a_layer_that_does_not_fit() -> None:
    (found,) = infer(
        whole(gather_elements("3,7", "4,9", output="4,9"), "3,7", "4,9", "4,9").encode()
    ).layers
    assert (found.output, found.status) == (None, "mismatch")
    assert found.error is not None
    assert "dim 0 is 3 in data but 4 in indices" in found.error


def test_one_layer() -> None:
    text = whole(gather_elements()).encode()
    assert (
        len(infer(text, layer="pick").layers) == len(infer(text, layer="2").layers) == 1
    )
    with pytest.raises(
        InvalidModelError,
        match=r"layer 'data' is a Parameter \(opset1\): no operation of the Gather",
    ):
        infer(text, layer="data")
    with pytest.raises(InvalidModelError, match="no layer with the name or id 'x'"):
        infer(text, layer="x")


def test_a_model_may_be_given() -> None:
    model = ovgather.read(whole(gather_elements()).encode())
    assert (
        [item.status for item in infer(model).layers]
        == [item.status for item in infer(model).layers]
        == ["match"]
    )


def test_no_layers() -> None:
    data = net(parameter(0, "2", "f32", "FP32 2", "x")).encode()
    assert infer(data) == InferredFile("<bytes>", [], inputs={"x": Typed("[2]", "f32")})


def test_the_inputs_of_a_model() -> None:
    path = "samples_xml/demo/good.xml"
    assert infer(path).inputs["token_ids"] == Typed("[?,6]", "i64")
    given = infer(path, input_shapes={"token_ids": ["batch", 6]}).inputs
    assert given["token_ids"] == Typed("[?,6]", "i64", "[batch,6]")


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"", "the file is empty"),
        (b"<model/>", "not an IR: the root element is <model>, not <net>"),
        (
            b"PK\x03\x04",
            "not an IR: this looks like a ZIP archive, such as a PyTorch or Keras model",
        ),
        # What is mended on the way is not the reason.
        (
            b'<net name="a&b" version="11"><layers>',
            "malformed XML: the text ends within <layers>, which was opened on line 1: is it cut off?",
        ),
        (
            b"<net><!-- -- --></nt>",
            "malformed XML: `</nt>` where `</net>` was expected: <net> was opened on line 1 and never closed",
        ),
    ],
)
def test_files_that_cannot_be_read(data: bytes, reason: str) -> None:
    assert infer(data) == InferredFile("<bytes>", [], reason)


def test_a_missing_file(tmp_path: Path) -> None:
    path = str(tmp_path / "m.xml")
    assert infer(path) == InferredFile(
        path, [], "cannot be read: No such file or directory"
    )
