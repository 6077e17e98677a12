"""``ovgather.testing``: strategies for other people's suites."""

from __future__ import annotations

import subprocess
import sys

import pytest
from hypothesis import find, given, settings

import ovgather
from ovgather import testing
from ovgather.errors import InvalidModelError, UnavailableError
from ovgather.testing import RandomLayer, RandomModel, layers, models

QUICK = settings(max_examples=25, database=None, deadline=None)


@QUICK
@given(layers())
def test_layers_evaluate_to_what_is_inferred(layer: RandomLayer) -> None:
    shapes = [list(layer.data.shape), list(layer.indices.shape)]
    operation = layer.operation
    axis = layer.axis if operation.axis_from else None
    made = ovgather.infer_shape(
        operation.type,
        shapes,
        version=layer.opset,
        axis=axis,
        batch_dims=layer.batch_dims,
    )
    assert made == ovgather.PartialShape.of(layer.expected().shape)


@QUICK
@given(models(["GatherElements", "Gather-8"], length=2, element_types=("f32", "u8")))
def test_models_validate(model: RandomModel) -> None:
    found = ovgather.validate(model.text, model.weights)
    assert not [item for item in found if item.severity == "error"]
    assert {layer.operation.name for layer in model.layers} <= {
        "GatherElements-6",
        "Gather-8",
    }


def test_findings_shrink_to_the_index_that_matters() -> None:
    only = layers(["GatherElements"], element_types=("f32",), index_types=("i64",))
    layer = find(
        only,
        lambda layer: bool((layer.indices < 0).any()),
        settings=settings(database=None),
    )
    assert (layer.data.shape, layer.indices.tolist()) == ((1,), [-1])
    assert layer.data.tolist() == [0.0]


def test_messages() -> None:
    with pytest.raises(InvalidModelError) as caught:
        layers(batchdims=1)
    assert str(caught.value) == (
        "no option is called 'batchdims': there are element_types, index_types, negative, outside, empty, wide,"
        " plain, max_rank, max_length"
    )
    for options, message in (
        ({"max_rank": 0}, "max_rank and max_length must be 1 or more, not 0 and 5"),
        ({"element_types": ()}, "element_types is empty: data must be of some type"),
        ({"element_types": ("float",)}, "element type 'float' is none of OpenVINO's"),
        ({"index_types": ("i64", "int")}, "element type 'int' is none of OpenVINO's"),
    ):
        with pytest.raises(InvalidModelError) as caught:
            layers(**options)
        assert str(caught.value) == message
    with pytest.raises(InvalidModelError) as caught:
        models(["Scatter"])
    assert str(caught.value).startswith(
        "no operation is called 'Scatter': there are Gather-1, "
    )
    with pytest.raises(InvalidModelError) as caught:
        layers(["GatherElements"], index_types=("u8",))
    assert str(caught.value) == "none of GatherElements-6 takes indices of type u8"


def test_hypothesis_is_needed_only_for_strategies(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "hypothesis.strategies", None)
    with pytest.raises(UnavailableError) as caught:
        testing.layers()
    assert (
        str(caught.value)
        == 'hypothesis is not installed: pip install ".[testing]" in the checkout of ovgather'
    )
    code = "import sys, ovgather.testing; sys.exit('hypothesis' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_the_first_example_is_drawn_at_once() -> None:
    code = """if True:
        import sys
        from hypothesis import HealthCheck, Phase, given, settings
        from ovgather.testing import models
        def count(frame, event, argument):
            counts[-1] += event == "call"
        @settings(max_examples=9, database=None, phases=[Phase.generate], suppress_health_check=list(HealthCheck))
        @given(models())
        def test(model):
            counts.append(0)
        counts = [0]
        sys.setprofile(count)
        test()
        print(max(counts))"""
    calls = int(
        subprocess.run(
            [sys.executable, "-c", code], capture_output=True, check=True, text=True
        ).stdout
    )
    assert calls < 200_000  # which take half a second
