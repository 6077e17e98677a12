"""``crosscheck --format html``: everything is there, nothing is fetched, everyone can read it."""

from __future__ import annotations

import html
import re
from pathlib import Path
from random import Random
from typing import Any

import numpy
import pytest
from html_check import Page, records
from paths import SAMPLES

from ovgather.cli.main import run
from ovgather.comparison.report import FileReport, Record
from ovgather.comparison.verdict.compare import compare
from ovgather.errors import OvgatherError
from ovgather.layers.reference import LayerReference
from ovgather.ops import openvino as ops
from ovgather.ops.evaluation import evaluate
from ovgather.ops.sampling.random_layer import LayerChoice, random_layer
from ovgather.report import formats, render
from ovgather.report.page import environment
from ovgather.runtimes.outcome import Evidence, Outcome

OPERATIONS = {operation.name: operation for operation in ops.OPERATIONS}
HOSTILE = "a\"><script>alert(1)</script>\x1b[2J\u202e & 'b'"
LAYER = LayerReference("2", "ge_0", "GatherElements", "opset6", ())
NESTED = LayerReference("7", HOSTILE, "Gather", "opset8", ("loop", "body"))


def outcome(
    verdict: str,
    name: str,
    data: Any,
    indices: Any,
    got: Any,
    cause: str = "",
    reason: str = "",
) -> Outcome:
    operation = OPERATIONS[name]
    want = evaluate(operation, data, indices, 0, 0)
    found = compare(got, want)
    evidence = Evidence(operation, data, indices, 0, 0, got, frozenset(), want)
    return Outcome(
        verdict, reason, found.mismatches, got.size, found.first, cause, evidence
    )


def small() -> Outcome:
    data = numpy.arange(1, 13, dtype="f4").reshape(3, 4)
    indices = numpy.array([[0, 1, -1, 0], [2, 2, 0, 1]])
    got = data[numpy.maximum(indices, 0), numpy.arange(4)]
    return outcome(
        "different",
        "GatherElements-6",
        data,
        indices,
        got,
        "clamped",
        "negative indices are clamped",
    )


def large() -> Outcome:
    random = numpy.random.default_rng(0)
    data, indices = (
        random.random((3000, 16), "f4"),
        random.integers(-3000, 3000, (8, 64)),
    )
    indices[0, :2] = [3001, -5000]
    got = evaluate(OPERATIONS["Gather-8"], data, indices, 0, 0).copy()
    got[:, :, 3] = -1
    return outcome("different", "Gather-8", data, indices, got, "unexplained")


def files() -> list[FileReport]:
    equal = Outcome("equal", elements=8)
    records = (
        Record(LAYER, "alone", "openvino", "CPU", small()),
        Record(LAYER, "alone", "onnxruntime", "CPU", equal),
        Record(LAYER, "static", "openvino", "CPU", equal),
        Record(LAYER, "negative", "openvino", "CPU", small()),
        Record(
            LAYER,
            "in-place",
            "openvino",
            "CPU",
            Outcome("known", "as documented [page]", cause="narrowed"),
        ),
        Record(NESTED, "alone", "openvino", "CPU", large()),
        Record(
            NESTED,
            "static",
            "openvino",
            "CPU",
            Outcome("crash", f"SIGSEGV {HOSTILE}", cause="SIGSEGV"),
        ),
        Record(NESTED, "in-place", "openvino", "CPU", Outcome("skipped", "no inputs")),
    )
    return [
        FileReport("models/a b.xml", records),
        FileReport(f"{HOSTILE}.xml", (), "not XML <"),
    ]


def made(**options: Any) -> str:
    return render("crosscheck", "html", files(), **options)


def test_it_is_found_by_its_name() -> None:
    assert "html" in formats("crosscheck")


def test_it_is_well_formed_and_self_contained() -> None:
    assert Page(made()).problems == []
    assert Page(render("crosscheck", "html", [])).problems == []
    assert "no file is left to compare" in render("crosscheck", "html", [])


def test_names_are_escaped() -> None:
    text = made()
    assert text.count("<script") == 2
    assert "\x1b" not in text
    assert "\u202e" not in text
    layer = records(text)[6]["cells"]["Layer"]
    assert (
        layer
        == 'Gather-8 "a"><script>alert(1)</script>\\x1b[2J\\u202e & \'b\'" (layer 7 in loop/body)'
    )


def test_every_run_is_a_record_of_its_file() -> None:
    runs = records(made())
    assert [run["status"] for run in runs] == [
        *(
            "different",
            "equal",
            "equal",
            "different",
            "known",
            "different",
            "crash",
            "skipped",
            "error",
        ),
    ]
    assert runs[0]["cells"] == {
        "File": "models/a b.xml",
        "Layer": 'GatherElements-6 "ge_0" (layer 2)',
        "Variant": "alone",
        "Runtime": "openvino on CPU",
        "Elements that differ": "1 of 8",
        "Why": "negative indices are clamped",
    }
    assert runs[0]["cause"] == ["different: clamped", "bad", ""]
    assert runs[4]["cause"] == ["narrowed", "known", ""]
    assert (runs[8]["cells"]["Why"], runs[8]["cause"][0]) == (
        "not XML <",
        "Files that cannot be read",
    )


def test_who_disagrees_with_whom() -> None:
    found = Page(made()).texts
    assert (
        "Disagreements of two runtimes, out of the runs that both answered"
        in found["caption"]
    )
    rows = re.findall(
        r'<tr><th scope="row">(?:reference|openvino)</th>(?:<td>.*?</td>){2}</tr>',
        made(),
    )
    assert [re.findall(r"<td>(.*?)</td>", row) for row in rows] == [
        ["3 of 4", "0 of 1"],
        ["", "1 of 1"],
    ]
    alone = [
        FileReport(
            "m.xml", (Record(LAYER, "alone", "openvino", "CPU", Outcome("equal")),)
        )
    ]
    assert "disagree" not in render("crosscheck", "html", alone)


def test_what_is_alike_is_drawn_once() -> None:
    first, _, _, again, known, second, crash, _, _ = (
        run["parts"] for run in records(made())
    )
    assert first["first difference"][1] == "at [0,2]: got 3.0, want 11.0"
    kind, drawing = first["The layer, cell by cell"]
    assert kind == "code"
    assert "\u2717: 1 of 8 elements differ" in drawing
    assert sum(text.endswith("\u2717") for text in first["The same in words"][1]) == 1
    assert "2 outside [-3000, 2999]" in second["Where the indices point"][1]
    assert [
        name for name in (*again, *known, *crash) if "cell" in name or "Where" in name
    ] == []


def test_commands_repeat_a_run() -> None:
    repeat = {
        "--seed": "3",
        "--static": "",
        "--inputs": "my inputs.npz",
        "--device": "AUTO",
        "--config=A=1": "",
    }
    text = made(repeat=repeat, command=["ovgather", "crosscheck", "a b.xml"], seed=3)
    runs = records(text)
    commands = [
        part[1]
        for place in (0, 5, 6, 4)
        for part in runs[place]["parts"].values()
        if part[0] == "command"
    ]
    again, small = (
        "ovgather crosscheck 'models/a b.xml' --layer",
        "ovgather reduce 'models/a b.xml' --layer",
    )
    rest = "--against openvino --seed 3 --static --device AUTO --config=A=1"
    assert commands == [
        f"{again} '#2' --mode alone --variants none {rest}",
        f"{small} '#2' --variant alone --seed 3 --device AUTO --config=A=1",
        f"{again} 'loop/body/#7' --mode alone --variants none {rest}",
        f"{small} 'loop/body/#7' --variant alone --seed 3 --device AUTO --config=A=1",
        f"{again} 'loop/body/#7' --mode alone --variants static {rest}",
        f"{small} 'loop/body/#7' --variant static --seed 3 --device AUTO --config=A=1",
        f"{again} '#2' --mode in-place --against openvino --seed 3 --static --inputs 'my inputs.npz' --device AUTO"
        " --config=A=1",
    ]
    assert "<code>ovgather crosscheck 'a b.xml'</code>" in text
    assert "<dt>Seed</dt><dd>3</dd>" in text
    for name, value in environment().items():
        assert f"<dt>{name}</dt><dd>{html.escape(value, quote=False)}</dd>" in text


def test_it_is_the_same_each_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "0")
    assert made() == made()
    assert "1970-01-01 00:00 UTC" in made()


def test_only_some_of_many_failures_are_drawn() -> None:
    records_ = tuple(
        Record(
            LAYER._replace(id=str(number), name=f"g{number}"),
            "alone",
            "openvino",
            "CPU",
            small(),
        )
        for number in range(203)
    )
    runs = records(render("crosscheck", "html", [FileReport("m.xml", records_)]))
    assert len(runs) == 203
    assert sum("The layer, cell by cell" in run["parts"] for run in runs) == 200


@pytest.mark.parametrize(
    ("verdicts", "words", "kind"),
    [
        (["equal"], "All is equal, bit by bit", "good"),
        (["equal", "known"], "Nothing fails", "known"),
        (["equal", "crash"], "1 layer fails", "bad"),
        (["skipped"], "Nothing was compared", "known"),
    ],
)
def test_the_verdict_comes_first(verdicts: list[str], words: str, kind: str) -> None:
    records = tuple(
        Record(LAYER, f"v{n}", "openvino", "CPU", Outcome(each))
        for n, each in enumerate(verdicts)
    )
    text = render("crosscheck", "html", [FileReport("m.xml", records)])
    assert f'<p class="verdict"><strong class="{kind}">{words}</strong>' in text


@pytest.mark.slow
def test_whatever_layer_it_is() -> None:
    runs = []
    for seed in range(50):
        layer = random_layer(Random(seed), LayerChoice(negative=True, outside=True))
        try:
            want = layer.expected()
        except OvgatherError:
            want = None
        got = numpy.zeros_like(want) if want is not None else layer.data
        evidence = Evidence(
            layer.operation,
            layer.data,
            layer.indices,
            layer.axis,
            layer.batch_dims,
            got,
            frozenset(),
            want,
        )
        named = LayerReference(str(seed), "", layer.operation.type, layer.opset, ())
        runs.append(
            Record(
                named,
                "alone",
                "openvino",
                "CPU",
                Outcome("different", "", 1, 1, None, "", evidence),
            )
        )
    text = render("crosscheck", "html", [FileReport("m.xml", tuple(runs))])
    assert Page(text).problems == []
    drawings = [
        name
        for run in records(text)
        for name in run["parts"]
        if name in ("The layer, cell by cell", "Where the indices point")
    ]
    assert len(drawings) == 50


def test_evidence_that_does_not_fit_is_said() -> None:
    data = numpy.zeros((2, 3))
    evidence = Evidence(
        OPERATIONS["GatherElements-6"], data, numpy.zeros((2,), "i8"), 0, 0, data
    )
    record = Record(
        LAYER,
        "alone",
        "openvino",
        "CPU",
        Outcome("different", "", 1, 1, None, "", evidence),
    )
    [run] = records(render("crosscheck", "html", [FileReport("m.xml", (record,))]))
    message = (
        "It cannot be drawn: data and indices must have the same rank, not 2 and 1"
    )
    assert run["parts"]["drawing"][1].startswith(message)


def test_options_that_repeat_a_run_are_told(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    told: dict[str, Any] = {}
    monkeypatch.setattr(
        "ovgather.cli._shared.crosscheck_files.crosscheck_model",
        lambda *_, **__: files()[:1],
    )
    monkeypatch.setattr(
        "ovgather.cli._shared.outputs.ReportOptions.show",
        lambda *_, **options: told.update(options),
    )
    numpy.savez(tmp_path / "in.npz", in0=numpy.zeros(1))
    model = str(SAMPLES / "demo" / "good.xml")
    settings = [
        "--config",
        "A=1",
        "--config",
        "B=2",
        "--tolerance",
        "2ulp",
        "--device",
        "AUTO",
    ]
    run(
        [
            "crosscheck",
            model,
            "--inputs",
            str(tmp_path / "in.npz"),
            "--static",
            *settings,
            "--format",
            "html",
        ]
    )
    assert told["repeat"] == {
        "--seed": "0",
        "--inputs": str(tmp_path / "in.npz"),
        "--device": "AUTO",
        "--static": "",
        "--config=A=1": "",
        "--config=B=2": "",
        "--tolerance=2ulp": "",
    }
