"""Variants: which there are for which layer, what they are run on, and that OpenVINO runs them."""

from __future__ import annotations

import sys
from collections import Counter
from typing import Any

import numpy as np
import pytest
from crosscheck_models import Ir, add_gather, gather_model, requires_openvino
from paths import SHARED

import ovgather
from ovgather import InvalidModelError, crosscheck
from ovgather.comparison.alone import variants
from ovgather.comparison.alone.variants import LayerCase, as_lanes, layer_case
from ovgather.comparison.report import Report, Stopped
from ovgather.layers.gather_layer import gather_layers
from ovgather.ops.sampling import values
from ovgather.runtimes import pool
from ovgather.runtimes.trial import Trial
from ovgather.tensor import element_type
from ovgather.tensor.arrays import bits

BROKEN = [sys.executable, str(SHARED / "broken_worker.py")]
# Which needs the model around it.
DEFAULT = [
    name for name in variants.names(["default"], static=False) if name != "compressed"
]
ALL = variants.names(["all"], static=False)


def case(*arguments: Any) -> LayerCase:
    model = ovgather.read(*gather_model(*arguments))
    return layer_case(next(gather_layers(model)), 0)


ELEMENTS = case(
    "GatherElements", "opset6", ("i64", [-1, 30000, 4]), ("i64", [-1, 9, 4]), 1
)
GATHER = case("Gather", "opset8", ("f32", [30000, 64]), ("i32", [-1, 128]), 0)
OLD = case("Gather", "opset7", ("f64", [2, -1, 8]), ("u8", [2, -1]), 1, 1)
TUPLES = case("GatherND", "opset8", ("f16", [2, 7, 5, 3]), ("i32", [2, 4, 2]), None, 1)
SUBJECTS = [ELEMENTS, GATHER, OLD, TUPLES]


def made(case: LayerCase, names: list[str]) -> dict[str, Trial]:
    found = {
        name: variants.make(name, case)
        for name in names
        if name not in ("static", "dynamic")
    }
    return {name: trials[-1] for name, trials in found.items() if trials}


@pytest.mark.parametrize("case", SUBJECTS)
def test_every_variant_is_legal_for_the_operation(case: LayerCase) -> None:
    for name, trial in made(case, ALL).items():
        if "out-of-range" not in name or case.operation.type == "Gather":
            assert trial.want().dtype == trial.data.dtype, name
        assert trial.data.size <= 4 * 1100, name
    for trial in (*variants.make("sizes", case), *variants.make("repeat", case)):
        assert trial.want().dtype == trial.data.dtype
        assert trial.indices.dtype == trial.element_types[1].dtype


def test_which_variants_there_are() -> None:
    assert set(DEFAULT[1:]) - made(ELEMENTS, DEFAULT).keys() == set()
    assert set(DEFAULT[1:]) - made(GATHER, DEFAULT).keys() == {"lanes"}
    # The specification of Gather-7 lets no index be negative and says nothing of those out of range.
    assert set(DEFAULT[1:]) - made(OLD, DEFAULT).keys() == {"negative", "out-of-range"}
    assert set(DEFAULT[1:]) - made(TUPLES, DEFAULT).keys() == {"out-of-range", "lanes"}
    types = {
        name.removeprefix("type-")
        for name in made(ELEMENTS, ALL)
        if name.startswith("type-")
    }
    assert {
        "boolean",
        "bf16",
        "f16",
        "f32",
        "f64",
        "i4",
        "u4",
        "u64",
        "f8e4m3",
    } <= types
    assert not types & {"u1", "u2", "nf4", "string", "i64", "dynamic"}
    assert "type-string" in made(GATHER, ALL)
    assert {name for name in made(ELEMENTS, ALL) if name.startswith("indices-")} == {
        "indices-i32",
        "indices-constant",
    }
    assert "indices-u16" in made(TUPLES, ALL)


def test_what_the_variants_are_run_on() -> None:
    found = made(ELEMENTS, ALL)
    length = found["boundary"].data.shape[1]
    assert (found["negative"].indices < 0).all()
    assert set(found["boundary"].indices.ravel().tolist()) == {
        0,
        length - 1,
        -1,
        -length,
    }
    assert set(found["out-of-range"].indices.ravel().tolist()) <= {
        length,
        length + 1,
        0,
        -length - 1,
        -length - 2,
    }
    assert 0 in found["empty-indices"].indices.shape
    assert 0 in found["empty-data"].data.shape
    assert set(found["size-1"].data.shape) == {1}
    assert found["constants"].placement.constants == {"data", "indices"}
    assert found["static-size-1"].placement.static
    assert found["type-f32"].data.dtype == np.float32
    assert (abs(found["wide-values"].data) > 2**31).any()
    one = made(GATHER, ALL)["axis-of-one"]
    assert one.data.shape[0] == 1
    assert set(one.indices.ravel().tolist()) == {0, 1, -1, -2}
    assert set(made(ELEMENTS, ALL)["axis-of-one"].indices.ravel().tolist()) <= {0, -1}
    assert len(set(made(GATHER, ALL)["alike"].indices.ravel().tolist())) == 1
    assert made(OLD, ALL)["boundary"].indices.min() == 0
    assert made(GATHER, ALL)["scalar-indices"].indices.shape == ()
    assert made(GATHER, ALL)["axis-1d"].placement.axis_rank == 1


@pytest.mark.parametrize("case", SUBJECTS)
def test_sizes_around_those_of_vectors(case: LayerCase) -> None:
    outputs = {trial.want().size for trial in variants.make("sizes", case)}
    assert {1, 3, 7, 8, 9, 15, 16, 17, 31, 33, 63, 65} <= outputs


def test_special_values_are_among_the_data() -> None:
    data = values.random_data(values.generator(0), element_type.named("f32"), (64,))
    assert np.isnan(data).sum() >= 4
    assert len(set(bits(data).tolist())) == data.size
    assert np.isinf(data).any()
    assert 0x80000000 in bits(data).tolist()
    assert (bits(data) & 0x7F800000 == 0).sum() >= 4


def test_lanes_hold_the_same_bits() -> None:
    wide = made(ELEMENTS, ALL)["wide-values"]
    lanes = as_lanes(wide._replace(axis=-2))
    assert lanes.axis == 1
    assert lanes.want().copy().view("i8")[..., 0].tolist() == wide.want().tolist()


def test_layers_that_are_alike_share_their_variants() -> None:
    ir = Ir()
    for number in range(3):
        add_gather(
            ir,
            20 * number,
            "Gather",
            "opset8",
            ("f32", [9 + number, 3]),
            ("i64", [2]),
            0,
            prefix=f"n{number}_",
        )
    layers = list(gather_layers(ovgather.read(*ir.files)))
    assert len({layer_case(layer, 0) for layer in layers}) == 1
    assert layer_case(layers[0], 1) != layer_case(layers[0], 0)


def test_names_and_patterns() -> None:
    assert variants.names(["none"], static=False) == []
    assert variants.names(["default"], static=True)[0] == "dynamic"
    assert variants.names(["size-1", "static", "size-1"], static=False) == [
        "size-1",
        "static",
    ]
    assert len(variants.names(["indices-[iu]*"], static=False)) == 8
    with pytest.raises(
        InvalidModelError,
        match="variant 'sideways' is none of default, all, none, static, data-constant",
    ):
        variants.names(["sideways"], static=False)


def counts(report: Report) -> Counter[tuple[str, str]]:
    return Counter((record.verdict, record.cause) for record in report.records)


@pytest.mark.slow
@requires_openvino
def test_openvino_runs_the_default_variants() -> None:
    ir = Ir()
    add_gather(
        ir,
        0,
        "GatherElements",
        "opset6",
        ("i64", [-1, 7]),
        ("i64", [-1, 9]),
        1,
        prefix="a",
    )
    add_gather(
        ir, 20, "Gather", "opset8", ("f32", [7, -1]), ("i32", [-1, 2]), 0, prefix="b"
    )
    add_gather(
        ir, 40, "Gather", "opset1", ("f16", [7, -1]), ("i32", [-1]), -1, prefix="c"
    )
    add_gather(
        ir,
        60,
        "GatherND",
        "opset5",
        ("u8", [2, 3, 4]),
        ("i32", [2, 3, 1]),
        None,
        2,
        prefix="d",
    )
    add_gather(ir, 80, "Gather", "opset8", ("i64", [4]), ("i64", []), 0, prefix="e")
    report = crosscheck(ir.files[0], weights=ir.files[1], mode="alone")
    assert report.exit_code == 0
    assert {(verdict, cause) for verdict, cause in counts(report)} <= {
        ("equal", ""),
        ("equal", "refused"),
        ("known", "short-row-overrun"),
    }
    assert len(report.records) > 45


@requires_openvino
def test_strict_makes_known_deviations_failures() -> None:
    text, weights = gather_model(
        "GatherElements", "opset6", ("i64", [-1, 7]), ("i64", [-1, 9]), 1
    )
    for strict in (False, True):
        report = crosscheck(
            text,
            weights=weights,
            mode="alone",
            variants=["wide-values", "lanes"],
            strict=strict,
        )
        assert [(record.variant, record.verdict) for record in report.records] == [
            ("alone", "equal"),
            ("wide-values", "known"),
            ("lanes", "equal"),
        ]
        assert report.records[1].cause == "data-narrowed"
        assert report.exit_code == int(strict)


def test_another_runtime_can_be_put_in_the_place_of_openvino() -> None:
    text, weights = gather_model(
        "GatherElements", "opset6", ("f32", [-1, 7]), ("i64", [-1, 9]), 1
    )
    report = crosscheck(
        text,
        weights=weights,
        mode="alone",
        start=[*BROKEN, "clamps"],
        variants=["negative", "boundary"],
    )
    assert {(record.verdict, record.cause) for record in report.records} == {
        ("different", "clamped")
    }
    assert report.records[0].evidence is not None


def test_progress_is_told() -> None:
    told: list[tuple[int, int]] = []
    text, weights = gather_model(
        "GatherElements", "opset6", ("f32", [-1, 7]), ("i64", [-1, 9]), 1
    )
    crosscheck(
        text,
        weights=weights,
        mode="alone",
        start=[*BROKEN, "right"],
        variants=["negative", "boundary"],
        progress=lambda known, total: told.append((known, total)),
    )
    assert told == [(1, 3), (2, 3), (3, 3)]


def test_interrupt_leaves_what_is_known() -> None:
    def stop(known: int, total: int) -> None:
        if known == 2:
            raise KeyboardInterrupt

    text, weights = gather_model(
        "GatherElements", "opset6", ("f32", [-1, 7]), ("i64", [-1, 9]), 1
    )
    with pytest.raises(Stopped) as caught:
        crosscheck(
            text, weights=weights, mode="alone", start=[*BROKEN, "right"], progress=stop
        )
    assert [
        (record.variant, record.verdict) for record in caught.value.report.records
    ] == [
        ("alone", "equal"),
        ("static", "equal"),
    ]


def test_interrupt_of_a_worker_that_does_not_end_leaves_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def stop(known: int, total: int) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(pool, "_PATIENCE", 0.2)
    text, weights = gather_model(
        "GatherElements", "opset6", ("f32", [-1, 7]), ("i64", [-1, 9]), 1
    )
    with pytest.raises(Stopped) as caught:
        crosscheck(
            text,
            weights=weights,
            mode="alone",
            start=[*BROKEN, "never_ends"],
            progress=stop,
        )
    assert caught.value.report.records == ()
