"""Operations of layers, layers of bodies, and layers by name."""

from __future__ import annotations

import pytest
from small_models import layer, net, parameter

import ovgather
from ovgather.errors import InvalidModelError
from ovgather.ir.model import Model
from ovgather.layers.gather_layer import (
    GatherLayer,
    find_operation,
    gather_layers,
    is_family,
)


def one(text: str, weights: bytes | None = None) -> GatherLayer:
    (gather,) = gather_layers(ovgather.read(text.encode(), weights))
    return gather


@pytest.mark.parametrize(
    ("kind", "version", "name"),
    [
        ("Gather", "opset1", "Gather-1"),
        ("Gather", "opset6", "Gather-1"),
        ("Gather", "opset7", "Gather-7"),
        ("gather", "opset13", "Gather-8"),
        ("GATHERELEMENTS", "opset6", "GatherElements-6"),
        ("GatherND", "opset5", "GatherND-5"),
        ("GatherND", "opset16", "GatherND-8"),
        ("GatherElements", "opset5", None),
        ("Gather", "opset17", None),
        ("Gather", "", None),
        ("GatherTree", "opset1", None),
        ("Gather ", "opset8", None),
    ],
)
def test_operations(kind: str, version: str, name: str | None) -> None:
    (found,) = ovgather.read(net(layer(0, kind, version)).encode()).layers()
    operation = find_operation(found)
    assert (operation and operation.name) == name
    assert is_family(found) == (
        kind.lower() in ("gather", "gatherelements", "gathernd")
    )


def test_a_snippet_without_a_version_is_the_newest() -> None:
    for kind, name in (
        ("Gather", "Gather-8"),
        ("GatherElements", "GatherElements-6"),
        ("GatherND", "GatherND-8"),
    ):
        assert one(f'<layer type="{kind}"/>').operation.name == name
    assert one('<layer type="Gather" version="opset1"/>').operation.name == "Gather-1"


def test_bodies_have_ids_of_their_own() -> None:
    def elements(number: int, dims: str, more: str = "", name: str = "ge") -> str:
        ports = (f"FP32 {dims}", f"I64 {dims}"), (f"FP32 {dims}",)
        return layer(
            number, "GatherElements", "opset6", 'axis="0"', *ports, name=name, more=more
        )

    def body(kind: str, dims: str, more: str = "") -> str:
        inner = (
            parameter(0, dims, "f32", f"FP32 {dims}"),
            parameter(1, dims, "i64", f"I64 {dims}"),
            elements(2, dims),
        )
        text = net(*inner, more, edges="0:0-2:0 1:0-2:1")
        return f"<{kind}>{text[text.index('<layers>') : text.index('</net>')]}</{kind}>"

    deepest = layer(
        3,
        "If",
        "opset8",
        name="if",
        more=body("then_body", "5") + body("else_body", "6"),
    )
    loop = layer(7, "Loop", "opset5", name="loop", more=body("body", "4", deepest))
    iterator = layer(2, "TensorIterator", "opset1", name="ti", more=body("body", "3"))
    model = ovgather.read(net(elements(9, "2"), loop, iterator).encode())
    gathers = list(gather_layers(model))
    assert {
        (gather.layer.body, str(gather.shapes[0]), gather.status) for gather in gathers
    } == {
        ((), "[2]", "match"),
        (("loop", "body"), "[4]", "match"),
        (("loop", "body", "if", "then_body"), "[5]", "match"),
        (("loop", "body", "if", "else_body"), "[6]", "match"),
        (("ti", "body"), "[3]", "match"),
    }
    require_found(model)


def require_found(model: Model) -> None:
    """Layers of the model above, by name, id and path."""

    def dims(reference: str) -> tuple[int, ...]:
        return model.find(reference).outputs[0].dims

    assert dims("ge") == dims("9") == dims("#9") == (2,)
    assert (
        dims("loop/body/ge")
        == dims("loop/body/2")
        == dims("loop/body/#2")
        == dims("7/body/2")
        == (4,)
    )
    assert dims("loop/body/if/then_body/ge") == dims("7/body/3/then_body/2") == (5,)
    assert dims("loop/body/if/else_body/2") == (6,)
    assert model.find("if").type == "If"
    # The one at the top, of all that have this id.
    assert model.find("2").type == "TensorIterator"


def test_names_that_cannot_be_told_apart() -> None:
    same = (
        layer(4, "Relu", "opset1", name="7")
        + layer(5, "Relu", "opset1", name="x")
        + layer(6, "Relu", "opset1", name="x")
    )
    model = ovgather.read(net(same, layer(7, "Relu", "opset1", name="y")).encode())
    with pytest.raises(
        InvalidModelError, match=r"2 layers answer to 'x': say one of '#5', '#6'$"
    ):
        model.find("x")
    with pytest.raises(
        InvalidModelError, match=r"2 layers answer to '7': say one of '#4', '#7'$"
    ):
        model.find("7")
    assert model.find("#7").name == "y"
    assert model.find("#4").name == "7"
    with pytest.raises(
        InvalidModelError, match=r"no layer with the name or id 'relu'$"
    ):
        model.find("relu")


def test_a_name_nearly_right() -> None:
    model = ovgather.read(
        net(layer(4, "Relu", "opset1", name="encoder/gather")).encode()
    )
    with pytest.raises(InvalidModelError, match="did you mean 'encoder/gather'"):
        model.find("encoder/gater")
