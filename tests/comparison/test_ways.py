"""Other ways to run a compiled model, and what its inferences cost: faults that one request after another hides."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
import strange_models
from crosscheck_models import requires_openvino
from paths import SHARED

from ovgather import crosscheck
from ovgather.cli.main import run as run_cli
from ovgather.comparison import over_time
from ovgather.comparison.expected import ExpectedFailures, matching, name_of
from ovgather.comparison.options import CrosscheckOptions
from ovgather.comparison.report import FileReport, Record, Report
from ovgather.errors import ConfigurationError
from ovgather.layers.reference import LayerReference
from ovgather.runtimes.costs import LEAK, SLOW, Cost, Costs, slow
from ovgather.runtimes.outcome import Outcome
from ovgather.runtimes.ways import WAYS

CHEAP = (lambda number: None), (lambda: None)
"""A compiled model of its own, and a further request, that cost nothing."""
LAYER = LayerReference("3", "words", "Gather", "opset8", ())


def checked(fault: str, ways: Sequence[str] = tuple(WAYS)) -> list[Record]:
    start = [sys.executable, str(SHARED / "strange_openvino.py"), fault]
    model = strange_models.words()
    options = {"mode": "in-place", "start": start, "ways": ways}
    return list(crosscheck(model, **options).records)  # type: ignore[arg-type]


@pytest.mark.slow
@requires_openvino
@pytest.mark.parametrize(
    ("fault", "way", "verdict", "cause"),
    [
        ("async_gives_the_result_of_before", "requests", "different", "requests"),
        ("ignores_outputs_of_the_caller", "outputs", "different", "outputs"),
        ("wrong_with_streams", "streams", "different", "streams"),
        ("import_loses_a_row", "imported", "different", "imported"),
        ("export_is_refused", "imported", "error", "error"),
        ("query_aborts", "queried", "crash", "SIGABRT"),
        ("query_forgets_gather", "queried", "error", "error"),
        ("two_at_once_abort", "streams", "crash", "SIGABRT"),
    ],
)
def test_a_fault_of_one_way_is_found(
    fault: str, way: str, verdict: str, cause: str
) -> None:
    records = checked(fault, [way])
    failing = [each for each in records if each.verdict not in ("equal", "skipped")]
    assert {(each.verdict, each.cause) for each in failing} == {(verdict, cause)}


@requires_openvino
def test_the_real_runtime_is_right_in_every_way() -> None:
    model = strange_models.words()
    report = crosscheck(model, mode="in-place", ways=tuple(WAYS), variants=[])
    assert [(each.verdict, each.reason) for each in report.records] == [
        ("equal", "")
    ] * 2


@requires_openvino
def test_a_fault_of_any_further_inference_is_none_of_the_way() -> None:
    (first, _) = checked("worn_out", ["requests"])
    assert first.verdict == "different"
    assert first.cause not in WAYS
    assert "when the inferences run once more" in first.reason


def aliased() -> Any:
    """What the Gather reads is a Result, too, by a Convert that changes nothing."""
    import openvino
    from openvino import opset13 as ops

    data = ops.parameter([-1, -1], openvino.Type.f32, name="data")
    same = ops.convert(data, "f32")
    rows = ops.gather(data, ops.constant([0]), ops.constant(0), name="rows")
    return openvino.Model([ops.result(same), ops.result(rows)], [data], "aliased")


@requires_openvino
def test_outputs_that_share_memory_with_inputs_are_no_fault_of_the_layer() -> None:
    """OpenVINO writes into the input tensor of the inference before, and requests share that output."""
    report = crosscheck(aliased(), mode="in-place", ways=tuple(WAYS))
    assert [each.verdict for each in report.records] == ["equal"]


@pytest.mark.slow
@requires_openvino
def test_a_leak_is_found() -> None:
    (first, *_) = checked("leaks_50_mb", [])
    assert (first.verdict, first.cause) == ("error", LEAK)
    assert "50 MiB of memory more" in first.reason


def test_what_is_slow_is_run_again() -> None:
    costs = Costs()
    costs.all = [Cost(0.001, 0, 10), Cost(0.9, 0, 10), Cost(0.001, 0, 10)]
    times = iter([0.8, 0.7])
    cause, words = costs.unusual(
        lambda number: costs.all.append(Cost(next(times), 0, 10)), *CHEAP
    )
    assert cause == SLOW
    assert words == "it takes 0.7 s, and 0.001 s in other runs, in inference 2"


@pytest.mark.parametrize(
    "costs",
    [
        [Cost(0.001, 0, 10), Cost(0.09, 0, 10), Cost(0.001, 0, 10)],
        [Cost(0.002, 0, 10), Cost(0.9, 0, 1000), Cost(0.002, 0, 10)],
        [Cost(0.001, 0, 10), Cost(0.9, 0, 10)],
    ],
)
def test_what_is_in_proportion_is_not_slow(costs: list[Cost]) -> None:
    """It is short, or the inputs are long, or there is nothing to compare it with."""
    assert slow(costs) == []


def test_memory_that_is_kept_once_is_no_leak() -> None:
    costs = Costs()
    costs.all = [Cost(0.1, 0, 10), Cost(0.1, 1 << 28, 10), Cost(0.1, 0, 10)]
    found = costs.unusual(lambda number: costs.all.append(Cost(0.1, 0, 10)), *CHEAP)
    assert found == ("", "")


def test_what_is_slow_where_it_comes_later_only() -> None:
    """It is large, and could be slow for that; as the first one of a compiled model it is not."""
    costs = Costs()
    first = [Cost(0.001, 0, 10), Cost(0.9, 0, 1000), Cost(0.001, 0, 10)]
    for own, found in ((0.01, "slow"), (0.5, "")):
        costs.all = list(first)
        cause, words = costs.unusual(
            lambda number: costs.all.append(Cost(0.8, 0, 1000)),
            lambda number, own=own: costs.all.append(Cost(own, 0, 1000)),  # type: ignore[misc]
            lambda: None,
        )
        assert cause == found
        assert not words or words == (
            "it takes 0.8 s, and 0.01 s where it is the first one of a compiled model,"
            " in inference 2"
        )


def test_memory_that_a_change_of_shapes_takes_is_a_leak() -> None:
    costs = Costs()
    growths = {0: 0, 1: 40 << 20, 2: 0}
    costs.all = [Cost(0.1, growths[number], 10) for number in growths]
    last = [2]

    def again(number: int) -> None:
        costs.all.append(Cost(0.1, growths[number] * (last[0] != number), 10))
        last[0] = number

    assert costs.unusual(again, *CHEAP) == (
        LEAK,
        "inferences 1 and 2 take 40 MiB of memory more each time, in turn",
    )


@pytest.mark.parametrize(
    ("growths", "words"),
    [
        (
            [5, 5, 0, *[5] * 9],
            "each infer request keeps 5 MiB of memory when it is gone",
        ),
        ([5, 5, 0, 5, 0, 5], ""),
        ([*[5] * 7, 0, 0], ""),
    ],
)
def test_memory_of_infer_requests(growths: list[int], words: str) -> None:
    costs = Costs()
    costs.all = [Cost(0.1, 0, 10)]
    left = iter(growths)

    def request() -> None:
        costs.all.append(Cost(0.1, next(left) << 20, 0))

    found = costs.unusual(lambda number: None, lambda number: None, request)
    assert found == (LEAK if words else "", words)


def report(verdict: str, reason: str = "") -> Report:
    outcome = Outcome(verdict, reason, cause="zeros")
    record = Record(LAYER, "in-place", "openvino", "CPU", outcome)
    return Report([FileReport("m.xml", (record,))])


def test_going_on_ends_with_the_first_failure(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[CrosscheckOptions] = []

    def check(options: CrosscheckOptions) -> Report:
        asked.append(options)
        return report("equal" if len(asked) < 3 else "different", "it is wrong")

    (record,) = over_time.going_on(CrosscheckOptions(minutes=1.0), check).records
    assert (record.verdict, record.reason) == ("different", "it is wrong")
    assert [each.repeat for each in asked] == [5, 10, 20]
    assert len({each.seed for each in asked}) == 3
    assert [len(each.ways) for each in asked] == [3, len(WAYS), len(WAYS)]


def test_without_minutes_nothing_goes_on() -> None:
    done = report("equal")
    assert over_time.going_on(CrosscheckOptions(), lambda options: done) is done


def test_an_expected_failure_is_known() -> None:
    failures = ExpectedFailures(["words in-place *"])
    (record,) = failures(next(iter(report("different"))))
    assert name_of(record) == "words in-place openvino"
    assert (record.verdict, record.cause) == ("known", "expected")
    strict = Report([FileReport("m.xml", (record,))], strict=True)
    assert strict.ok
    failures.require_known()


def test_an_expected_failure_that_no_record_has_is_an_error() -> None:
    failures = ExpectedFailures(["word in-place openvino"])
    failures(next(iter(report("different"))))
    with pytest.raises(
        ConfigurationError, match="no record is called 'word in-place openvino'"
    ):
        failures.require_known()
    assert matching("a*", {"ab", "b"}) == {"ab"}


def test_ways_of_no_name(capsys: pytest.CaptureFixture[str]) -> None:
    assert run_cli(["crosscheck", "m.xml", "--ways", "backwards"]) == 2
    assert "'backwards' is none of default, all, none, requests" in (
        capsys.readouterr().err
    )


@requires_openvino
def test_times_stand_in_junit(tmp_path: Path) -> None:
    import openvino

    path = tmp_path / "m.xml"
    openvino.save_model(strange_models.words(), path)
    out = tmp_path / "m.junit"
    options = ["--quick", "--mode", "alone", "--format", "junit", "-o", str(out)]
    assert run_cli(["crosscheck", str(path), *options]) == 0
    assert out.read_text("utf-8").count(' time="') == 2
