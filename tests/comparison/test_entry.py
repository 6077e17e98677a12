"""Cross-checks from file to verdict, with the installed OpenVINO."""

from __future__ import annotations

from contextlib import nullcontext
from functools import partial
from itertools import product
from random import Random
from typing import Any

import numpy as np
import pytest
from crosscheck_models import Ir, add_gather, gather_model, if_model, requires_openvino
from forked import starting_anew
from paths import DATA

import ovgather
from ovgather import InvalidModelError
from ovgather import crosscheck as with_variants
from ovgather.comparison.report import Report
from ovgather.runtimes.outcome import Evidence

BERT_FOLDER = DATA / "bert"
BERT = str(BERT_FOLDER / "bert.xml")
SEGV = gather_model("Gather", "opset8", ("f32", [1, 5]), ("i64", [1, 2]), 1, 1)
FPE = gather_model("Gather", "opset8", ("f32", [3]), ("i64", [2, 0]), 0)
GOOD = gather_model("GatherElements", "opset6", ("f32", [2, 3]), ("i64", [2, 5]), 1)

pytestmark = requires_openvino
crosscheck = partial(with_variants, variants=["none"])


def verdicts(report: Report) -> dict[str, str]:
    return {record.variant: record.verdict for record in report.records}


@pytest.mark.slow
@pytest.mark.parametrize("static", [False, True])
@pytest.mark.parametrize("given", [False, True])
def test_real_model_is_equal_alone_and_in_place(given: bool, static: bool) -> None:
    inputs = dict(np.load(BERT_FOLDER / "bert.npz")) if given else None
    report = crosscheck(BERT, inputs=inputs, static=static)
    assert {record.variant for record in report.records} == {"alone", "in-place"}
    assert len(report.records) == 18
    assert [record for record in report.records if record.verdict != "equal"] == []
    assert report.exit_code == 0
    assert all(record.outcome.elements for record in report.records)


def test_one_layer_by_name_one_mode() -> None:
    report = crosscheck(BERT, layer="__module.m/aten::index/Gather", mode="in-place")
    assert [(record.layer.id, record.variant) for record in report.records] == [
        ("105", "in-place")
    ]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("model", "died"), [(SEGV, "infer: SIGSEGV"), (FPE, "compile_model: SIGFPE")]
)
def test_crash_on_static_shapes_is_a_verdict(
    model: tuple[bytes, bytes], died: str
) -> None:
    # What the plugin reads is left to chance: now and then it survives, so some runs in a row are asked for a crash.
    # A process that has loaded more survives more often.
    variants: set[str] = set()
    with starting_anew() if model is SEGV else nullcontext():
        for seed in range(3):
            report = crosscheck(model[0], weights=model[1], static=True, seed=seed)
            crashed = [record for record in report.records if record.verdict == "crash"]
            assert all(died in record.reason for record in crashed)
            assert report.exit_code == 1 or not crashed
            variants |= {record.variant for record in crashed}
            if variants == {"alone", "in-place"}:
                break
    assert variants == {"alone", "in-place"}
    # The shapes of the file are static: in the model it dies without the option, too.
    found = verdicts(crosscheck(model[0], weights=model[1]))
    assert found["alone"] == "equal"
    assert found["in-place"] in ("crash", "different", "equal")


TYPES = [
    "bf16",
    "boolean",
    "f16",
    "f32",
    "f64",
    "f8e4m3",
    "f8e5m2",
    "f8e8m0",
    "i16",
    "i32",
    "i4",
    "i64",
    "i8",
]
TYPES += ["string", "u16", "u32", "u4", "u64", "u8"]
NEVER = ["u1", "u2", "u3", "u6", "nf4", "f4e2m1"]


@pytest.mark.slow
def test_element_types_that_run() -> None:
    ir = Ir()
    for number, kind in enumerate(TYPES):
        add_gather(
            ir,
            20 * number,
            "Gather",
            "opset8",
            (kind, [-1, 3]),
            ("i32", [-1, 4]),
            1,
            name=kind,
            prefix=kind,
        )
    report = crosscheck(ir.files[0], weights=ir.files[1])
    assert len(report.records) == 2 * len(TYPES)
    assert [record for record in report.records if record.verdict != "equal"] == []


@pytest.mark.parametrize("kind", NEVER)
def test_element_types_that_damage_openvino(kind: str) -> None:
    text, weights = gather_model(
        "Gather", "opset8", (kind, [-1, 3]), ("i32", [-1, 4]), 1
    )
    report = crosscheck(text, weights=weights)
    assert verdicts(report) == {"alone": "skipped", "in-place": "skipped"}
    assert all(kind in record.reason for record in report.records)


OPERATIONS = [
    ("Gather", "opset1", [3, -1], [], 1, 0),
    ("Gather", "opset7", [2, 4, 5], [2, 3], 1, 1),
    ("Gather", "opset8", [2, -1, 5], [2, -1], 1, -1),
    ("Gather", "opset13", [7], [0, 2], 0, 0),
    ("GatherElements", "opset6", [3, 7, 5], [3, 10, 5], -2, 0),
    ("GatherND", "opset5", [2, 3, 4], [2, 3, 2, 1], None, 2),
    ("GatherND", "opset8", [2, 3, 4], [2, 5, 2], None, 1),
    ("GatherND", "opset8", [5], [1], None, 0),
]


@pytest.mark.slow
def test_operations() -> None:
    ir = Ir()
    for number, (operation, kind) in enumerate(product(OPERATIONS, ("i32", "i64"))):
        type, version, data, indices, axis, batch_dims = operation
        add_gather(
            ir,
            20 * number,
            type,
            version,
            ("f32", data),
            (kind, indices),
            axis,
            batch_dims,
            prefix=f"n{number}_",
        )
    report = crosscheck(ir.files[0], weights=ir.files[1])
    assert len(report.records) == 4 * len(OPERATIONS)
    # An empty dim on static shapes kills OpenVINO, and only it.
    crashed = [
        record
        for record in report.records
        if record.verdict != "equal" or record.reason
    ]
    assert {(record.variant, record.verdict, record.cause) for record in crashed} == {
        ("in-place", "crash", "empty-dim")
    }
    assert len(crashed) == 2


def test_model_that_does_not_run_on_dynamic_shapes_runs_as_it_is() -> None:
    ir = Ir()
    tensors = ("f32", [4, 3]), ("i64", [1, 2])
    add_gather(ir, 0, "GatherND", "opset8", *tensors)
    turned = [("i64", [2, 1]), ("i64", [2]), ("i64", [1, 2])]
    ir.parameter(20, "turned", turned[0])
    ir.const(21, "order", turned[1], np.array([1, 0]).tobytes())
    ir.layer(22, "turn", "Transpose", "opset1", "", turned[:2], turned[2:])
    ir.edges = [
        edge.replace('from-layer="1" from-port="0"', 'from-layer="22" from-port="2"')
        for edge in ir.edges
    ]
    ir.edge((20, 0), (22, 0))
    ir.edge((21, 0), (22, 1))
    report = crosscheck(ir.files[0], weights=ir.files[1])
    assert verdicts(report) == {"alone": "equal", "in-place": "equal"}


def _random_layer(random: Random) -> tuple[Any, ...]:
    """Arguments of ``add_gather``: any operation and element type, open, empty and static dims, batches."""
    type, version = random.choice([operation[:2] for operation in OPERATIONS])
    data = [random.choice([-1, 1, 2, 3, 6]) for _ in range(random.randint(1, 5))]
    some = [random.choice([-1, 0, 1, 4]) for _ in range(random.randint(0, 3))]
    kinds = (
        random.choice([kind for kind in TYPES if kind != "string"]),
        random.choice(["i32", "i64"]),
    )
    axis = random.randrange(len(data))
    if type == "GatherElements":
        return (
            type,
            version,
            (kinds[0], data),
            (kinds[1], [*data[:axis], 4, *data[axis + 1 :]]),
            axis - len(data),
            0,
        )
    batch_dims = random.randint(0, axis)
    if type == "GatherND":
        tuples = random.randint(1, len(data) - batch_dims)
        return (
            type,
            version,
            (kinds[0], data),
            (kinds[1], [*data[:batch_dims], *some, tuples]),
            None,
            batch_dims,
        )
    batch_dims *= version != "opset1"
    return (
        type,
        version,
        (kinds[0], data),
        (kinds[1], [*data[:batch_dims], *some]),
        axis,
        batch_dims,
    )


@pytest.mark.slow
def test_random_layers() -> None:
    ir, random = Ir(), Random(7)
    for number in range(60):
        add_gather(ir, 20 * number, *_random_layer(random), prefix=f"n{number}_")
    report = crosscheck(ir.files[0], weights=ir.files[1])
    # Static shapes with batches of 1, or with a dim of 0, kill OpenVINO, and only these.
    wrong = [record for record in report.records if record.verdict != "equal"]
    assert {(record.variant, record.verdict) for record in wrong} <= {
        ("in-place", "crash")
    }
    assert {record.layer.type for record in wrong} == {"Gather"}
    static = crosscheck(ir.files[0], weights=ir.files[1], static=True, mode="alone")
    may_die = {
        record.layer.id
        for record in static.records
        if record.outcome.reason.count("a known crash")
    }
    assert {record.layer.id for record in wrong} <= may_die
    assert len(report.records) == 120


def test_strings() -> None:
    ir = Ir()
    for number, (dims, kind) in enumerate([([3], "i32"), ([0], "i64"), ([2], "i8")]):
        add_gather(
            ir,
            20 * number,
            "Gather",
            "opset8",
            ("string", [4]),
            (kind, dims),
            0,
            prefix=f"n{number}_",
        )
    report = crosscheck(ir.files[0], weights=ir.files[1], mode="alone")
    assert [record.verdict for record in report.records] == [
        "equal",
        "equal",
        "skipped",
    ]


def test_given_inputs_of_a_lone_layer() -> None:
    data, indices = (
        np.arange(6, dtype="f4").reshape(2, 3),
        np.zeros((2, 5), "i8").astype("i8"),
    )
    given = {"data": data, "indices": indices.astype(np.int64)}
    report = crosscheck(GOOD[0], layer="g", mode="alone", inputs=given)
    assert verdicts(report) == {"alone": "equal"}
    with pytest.raises(InvalidModelError, match="takes data: f32"):
        crosscheck(GOOD[0], layer="g", mode="alone", inputs={"data": data})
    with pytest.raises(InvalidModelError, match="need `layer`"):
        crosscheck(GOOD[0], mode="alone", inputs=given)


def test_both_branches_run_in_place() -> None:
    text, weights = if_model()
    report = crosscheck(text, weights=weights)
    assert [
        (record.layer.body, record.variant, record.verdict) for record in report.records
    ] == [
        (("choice", body), variant, "equal")
        for body in ("then_body", "else_body")
        for variant in ("alone", "in-place")
    ]


def test_opset_without_the_operation_and_dead_layers_are_skipped() -> None:
    text, weights = gather_model(
        "GatherElements", "opset17", ("f32", [2, 3]), ("i64", [2, 5]), 1
    )
    report = crosscheck(text, weights=weights)
    assert {record.reason for record in report.records} == {
        "opset17 holds no GatherElements"
    }
    dead = GOOD[0].replace(
        b'<edge from-layer="10" from-port="2" to-layer="11" to-port="0"/>', b""
    )
    report = crosscheck(dead.replace(b'type="Result"', b'type="Sink"'))
    assert verdicts(report) == {"alone": "equal", "in-place": "skipped"}


def test_without_weights() -> None:
    text, _ = gather_model("Gather", "opset8", ("f32", [4, 3]), ("i64", [2]), 1)
    report = crosscheck(text)
    assert set(verdicts(report).values()) == {"skipped"}
    assert all("no weights" in record.reason for record in report.records)


def test_what_openvino_refuses_is_an_error() -> None:
    text, weights = gather_model("Gather", "opset8", ("f32", [4, 3]), ("i64", [2]), 5)
    report = crosscheck(text, weights=weights)
    assert verdicts(report) == {"alone": "skipped", "in-place": "error"}
    assert "out of the tensor rank range" in report.records[1].reason
    assert report.exit_code == 1


def test_difference_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    right = Evidence.expected

    def wrong(evidence: Evidence) -> object:
        output = right(evidence).copy()
        if output.ndim == 2:
            output[1, 4] = 77
        return output

    monkeypatch.setattr(Evidence, "expected", wrong)
    report = crosscheck(GOOD[0])
    for record in report.records:
        assert (record.verdict, record.outcome.mismatches, record.outcome.elements) == (
            "different",
            1,
            10,
        )
        assert record.outcome.first is not None
        assert (record.outcome.first.at, record.outcome.first.want) == ((1, 4), 77.0)
    assert report.exit_code == 1


def test_slow_run_is_a_timeout() -> None:
    report = crosscheck(BERT, timeout=0.001, layer="105")
    assert set(verdicts(report).values()) == {"timeout"}


def test_seed_decides() -> None:
    from ovgather.comparison.alone.run import plan_alone
    from ovgather.comparison.options import CrosscheckOptions
    from ovgather.layers.gather_layer import gather_layers

    gather = next(gather_layers(ovgather.read(GOOD[0])))
    first, again, other = (
        plan_alone(gather, CrosscheckOptions(seed=seed)).trial.data
        for seed in (1, 1, 2)
    )
    assert np.array_equal(first.view("u4"), again.view("u4"))
    assert not np.array_equal(first.view("u4"), other.view("u4"))


def test_inputs_that_do_not_fit_are_listed() -> None:
    good = dict(np.load(BERT_FOLDER / "bert.npz"))
    with pytest.raises(InvalidModelError) as caught:
        crosscheck(BERT, inputs={"in0": good["in0"].astype("i4")})
    message = str(caught.value)
    for part in (
        "'in0' has dtype int32, not int64",
        "none for 'attention_mask.1'",
        "input_ids or in0: i64 [?,?]",
    ):
        assert part in message


def test_unreadable_file() -> None:
    with pytest.raises(InvalidModelError):
        crosscheck(b"not xml")
