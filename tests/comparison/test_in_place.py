"""In place: taps in chunks, and a model that fails as a whole narrowed to the layers at fault."""

from __future__ import annotations

import runpy
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from crosscheck_models import Files, Ir, add_gather, gather_model, requires_openvino
from kernel_runtime import FakeWorker

import ovgather
from ovgather import crosscheck as with_variants
from ovgather.comparison.in_model import bisect
from ovgather.comparison.in_model import run as in_place
from ovgather.comparison.in_model.bisect import narrowed
from ovgather.comparison.in_model.run import FlowRun, InferenceValues
from ovgather.comparison.ir_layers import IrRun, plan_in_model
from ovgather.comparison.options import CrosscheckOptions
from ovgather.layers.gather_layer import gather_layers
from ovgather.runtimes import available, pool
from ovgather.runtimes.outcome import Outcome

crosscheck = partial(with_variants, variants=["none"], mode="in-place")


def chain(*links: tuple[str, str, int]) -> Files:
    """GatherElements one after the other: ``(name, version, axis)``, each on the output of the one before."""
    ir = Ir()
    ir.parameter(0, "data", ("f32", [3, 3]))
    ir.parameter(1, "indices", ("i64", [3, 3]))
    source = (0, 0)
    for number, (name, version, axis) in enumerate(links):
        tensors = [("f32", [3, 3]), ("i64", [3, 3])]
        layer = 10 + number
        ir.layer(
            layer,
            name,
            "GatherElements",
            version,
            f'axis="{axis}"',
            tensors,
            tensors[:1],
        )
        ir.edge(source, (layer, 0))
        ir.edge((1, 0), (layer, 1))
        source = (layer, 2)
    ir.layer(90, "r", "Result", "opset1", "", [("f32", [3, 3])], [])
    ir.edge(source, (90, 0))
    return ir.files


FIVE = chain(*((f"g{number}", "opset6", number % 2) for number in range(5)))


def planned(files: Files) -> list[IrRun]:
    model = ovgather.read(*files)
    return plan_in_model(
        model, dict(enumerate(gather_layers(model))), CrosscheckOptions()
    )[0]


def test_taps_are_put_into_chunks(monkeypatch: pytest.MonkeyPatch) -> None:
    assert [len(chunk.layers) for chunk in planned(FIVE)] == [5]
    monkeypatch.setattr(in_place, "MOST_BYTES", 80)
    chunks = planned(FIVE)
    assert [len(chunk.layers) for chunk in chunks] == [2, 1, 1, 1]
    # And the model's own output.
    assert [len(chunk.points) for chunk in chunks] == [
        3,
        2,
        2,
        2,
    ]
    monkeypatch.setattr(in_place, "MOST_BYTES", 50)
    assert [len(chunk.layers) for chunk in planned(FIVE)] == [1] * 5


@requires_openvino
def test_chunks_judge_what_one_run_does(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(in_place, "MOST_BYTES", 80)
    report = crosscheck(FIVE[0], weights=FIVE[1])
    assert [record.layer.name for record in report.records] == [
        f"g{number}" for number in range(5)
    ]
    assert {record.verdict for record in report.records} == {"equal"}


@requires_openvino
def test_what_a_result_reads_in_version_10_has_a_second_result() -> None:
    """OpenVINO refuses such a file in which the tensors of two Results, or of an input and a Result, share a name."""
    text = FIVE[0].replace(b'version="11"', b'version="10"', 1)
    for name, port in (
        (b"data", b'0" precision="FP32"'),
        (b"last", b'2" precision="FP32"'),
    ):
        text = text.replace(
            b'<output><port id="' + port, b'<output><port names="%s" id="' % name + port
        )
    # One name for one tensor.
    *before, last = text.split(b' names="last"')
    text = b"".join(before) + b' names="last"' + last
    records = crosscheck(text, weights=FIVE[1]).records
    assert {each.verdict for each in records} == {"equal"}, records


def test_pruned_text_has_no_results_but_the_taps() -> None:
    (whole,) = planned(FIVE)
    header, blobs = whole.only(whole.layers[1]).request()
    part = ovgather.read(bytes(blobs[0]))
    assert [
        layer.name for layer in part.graph.layers if layer.type == "Result"
    ] == header["outputs"]
    assert len(header["outputs"]) == 2
    assert len(bytes(blobs[0])) < len(bytes(whole.request()[1][0]))


class Runtime:
    """Stands for OpenVINO: a run fails when what it needs holds one of the ``bad`` layers."""

    def __init__(self, verdict: str, *bad: str) -> None:
        self.verdict = verdict
        self.bad = bad
        self.runs = 0

    def __call__(self, cases: Any) -> list[list[Outcome]]:
        found = []
        for case in cases:
            self.runs += 1
            reading = isinstance(case, FlowRun)
            part = case.run if reading else case
            needed = {point.layer.name for point in part.points}
            for name in [name for name in needed if name[0] == "g"]:
                needed |= {f"g{number}" for number in range(int(name[1:]))}
            fails = needed & set(self.bad)
            if reading and not fails:
                zeros = {"type": "f32", "shape": [3, 3]}, bytearray(36)
                case.values = [
                    InferenceValues(part.rounds[0], dict.fromkeys(part.points, zeros))
                ]
            outcome = (
                Outcome(self.verdict, "OpenVINO died") if fails else Outcome("equal")
            )
            found.append([outcome] * (1 if reading else len(part.layers)))
        return found


def put_in_place(monkeypatch: pytest.MonkeyPatch, runtime: Runtime) -> Runtime:
    """Let it answer in place of ``confirm.ask``."""
    for module in (bisect, in_place):
        monkeypatch.setattr(module, "ask", runtime)
    return runtime


@pytest.mark.parametrize("bad", range(5))
@pytest.mark.parametrize("verdict", ["crash", "error"])
def test_failure_is_narrowed_to_the_layer_at_fault(
    bad: int, verdict: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    (whole,) = planned(FIVE)
    runtime = put_in_place(monkeypatch, Runtime(verdict, f"g{bad}"))
    found = narrowed(whole, [Outcome(verdict)] * 5)
    assert [outcome.verdict for outcome in found] == [
        *["equal"] * bad,
        verdict,
        *["skipped"] * (4 - bad),
    ]
    assert all(
        f"before it, in layer 'g{bad}'" in outcome.reason
        for outcome in found[bad + 1 :]
    )
    assert runtime.runs <= 9


def test_failure_elsewhere_stays_with_the_model(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    put_in_place(monkeypatch, Runtime("crash"))
    (whole,) = planned(FIVE)
    found = narrowed(whole, [Outcome("crash", "died")] * 5)
    assert {outcome.verdict for outcome in found} == {"crash"}
    assert all("no Gather layer is at fault" in outcome.reason for outcome in found)


@pytest.mark.slow
@requires_openvino
def test_openvino_is_narrowed() -> None:
    # An index that is out of range where only the second layer looks at it: data has 3 rows, its own indices say 9.
    ir = Ir()
    add_gather(
        ir,
        0,
        "GatherElements",
        "opset6",
        ("f32", [3, 3]),
        ("i64", [3, 3]),
        0,
        name="good",
        prefix="a_",
    )
    outside = np.array([[0, 1, 9]]).tobytes()
    add_gather(
        ir,
        20,
        "GatherElements",
        "opset6",
        ("f32", [3, 3]),
        ("i64", [1, 3]),
        0,
        indices_value=outside,
        name="bad",
        prefix="b_",
    )
    report = crosscheck(ir.files[0], weights=ir.files[1])
    assert [(record.layer.name, record.verdict) for record in report.records] == [
        ("good", "equal"),
        ("bad", "equal"),
    ]
    assert report.records[1].reason.startswith(
        "both refuse the values: indices[0,2] is 9, outside [-3, 2]"
    )


@requires_openvino
def test_crash_is_narrowed() -> None:
    ir = Ir()
    add_gather(
        ir,
        0,
        "Gather",
        "opset8",
        ("f32", [3]),
        ("i64", [2]),
        0,
        name="good",
        prefix="a_",
    )
    add_gather(
        ir,
        20,
        "Gather",
        "opset8",
        ("f32", [3]),
        ("i64", [2, 0]),
        0,
        name="bad",
        prefix="b_",
    )
    report = crosscheck(ir.files[0], weights=ir.files[1], static=True)
    assert [(record.layer.name, record.verdict) for record in report.records] == [
        ("good", "equal"),
        ("bad", "crash"),
    ]


@requires_openvino
@pytest.mark.parametrize("kind", ["f16", "i64"])
def test_types_of_version_10_are_those_of_the_loaded_model(kind: str) -> None:
    """OpenVINO makes f16 inputs of such a file f32, and its f16 and i64 results f32 and i32."""
    text, weights = gather_model("Gather", "opset1", (kind, [4, 3]), ("i64", [2]), 0)
    old = ovgather.read(text.replace(b'version="11"', b'version="10"'), weights)
    assert [record.verdict for record in crosscheck(old).records] == ["equal"]


@pytest.mark.parametrize("name", ["second_inference", "overwrites_data"])
def test_faults_of_later_inferences_are_found(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    kernel = runpy.run_path(str(Path(__file__).with_name("kernels") / f"{name}.py"))[
        "run"
    ]
    monkeypatch.setattr(pool, "started", lambda start, device: FakeWorker(kernel))
    monkeypatch.setattr(available, "require", lambda runtime: None)
    model = gather_model("Gather", "opset8", ("f32", [4, 3]), ("i64", [2]), 0)
    (record,) = crosscheck(model[0], weights=model[1]).records
    assert record.verdict == "different"
    if name == "overwrites_data":
        assert record.cause == "input-overwritten"
        assert record.reason.startswith(
            "the runtime overwrites the input 0 of the model, which the layer reads"
        )
    else:
        assert "in inference 2 of the compiled model" in record.reason
        assert crosscheck(model[0], weights=model[1], repeat=1).ok


@requires_openvino
def test_states_start_anew_in_each_inference() -> None:
    """The mask has the length of one input, not of all that the state has seen."""
    import openvino
    from openvino import opset13 as ops

    rows = ops.parameter([-1, 4], openvino.Type.f32, name="rows")
    mask = ops.parameter([-1, 1], openvino.Type.f32, name="mask")
    picks = ops.parameter([-1], openvino.Type.i64, name="picks")
    start = ops.constant(np.zeros((0, 4), "f4"))
    read = ops.read_value(
        start, "seen", openvino.Type.f32, openvino.PartialShape([-1, 4])
    )
    seen = ops.concat([read, rows], 0)
    chosen = ops.gather(ops.add(seen, mask), picks, ops.constant(np.int64(0)))
    model = openvino.Model(
        [ops.result(chosen)], [ops.assign(seen, "seen")], [rows, mask, picks]
    )
    given = {
        "rows": np.ones((3, 4), "f4"),
        "mask": np.ones((3, 1), "f4"),
        "picks": np.array([0, 2]),
    }
    assert [record.verdict for record in crosscheck(model, inputs=given).records] == [
        "equal"
    ]


@requires_openvino
def test_a_layer_is_not_blamed_for_a_consumer_that_refuses_other_inputs() -> None:
    import openvino
    from openvino import opset8

    data = opset8.parameter([5, 4], np.float32, name="data")
    other = opset8.parameter(openvino.PartialShape([-1, -1]), np.float32, name="other")
    rows = opset8.gather(
        data, opset8.constant(np.arange(8) % 5), opset8.constant(0), name="rows"
    )
    joined = opset8.concat([rows, other], 1)
    first = opset8.gather(
        joined, opset8.constant([0]), opset8.constant(0), name="first"
    )
    verdicts = {
        record.layer.name: record
        for record in crosscheck(openvino.Model([first], [data, other], "m")).records
    }
    assert {name: record.verdict for name, record in verdicts.items()} == {
        "rows": "equal",
        "first": "skipped",
    }
    assert (
        "the model fails before it: OpenVINO in infer: [CPU] Concat node"
        in verdicts["first"].reason
    )
