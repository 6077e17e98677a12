"""``crosscheck --format html``: everything is there, nothing is fetched, everyone can read it."""

from __future__ import annotations

import base64
import hashlib
import html
import re
from pathlib import Path
from random import Random
from typing import Any

import numpy
import pytest
from html_check import Page
from paths import SAMPLES

from ovgather.cli.main import run
from ovgather.crosscheck.report import FileReport, Record
from ovgather.crosscheck.verdict.compare import compare
from ovgather.errors import OvgatherError
from ovgather.layers.reference import LayerReference
from ovgather.ops import openvino as ops
from ovgather.ops.evaluation import evaluate
from ovgather.ops.sampling.random_layer import LayerChoice, random_layer
from ovgather.report import formats, render
from ovgather.report.crosscheck.html import environment
from ovgather.runtimes.outcome import Evidence, Outcome

OPERATIONS = {operation.name: operation for operation in ops.OPERATIONS}
HOSTILE = "a\"><script>alert(1)</script>\x1b[2J\u202e & 'b'"
LAYER = LayerReference("2", "ge_0", "GatherElements", "opset6", ())
NESTED = LayerReference("7", HOSTILE, "Gather", "opset8", ("loop", "body"))


def outcome(verdict: str, name: str, data: Any, indices: Any, got: Any, cause: str = "", reason: str = "") -> Outcome:
    operation = OPERATIONS[name]
    want = evaluate(operation, data, indices, 0, 0)
    found = compare(got, want)
    evidence = Evidence(operation, data, indices, 0, 0, got, frozenset(), want)
    return Outcome(verdict, reason, found.mismatches, got.size, found.first, cause, evidence)


def small() -> Outcome:
    data = numpy.arange(1, 13, dtype="f4").reshape(3, 4)
    indices = numpy.array([[0, 1, -1, 0], [2, 2, 0, 1]])
    got = data[numpy.maximum(indices, 0), numpy.arange(4)]
    return outcome("different", "GatherElements-6", data, indices, got, "clamped", "negative indices are clamped")


def large() -> Outcome:
    random = numpy.random.default_rng(0)
    data, indices = random.random((3000, 16), "f4"), random.integers(-3000, 3000, (8, 64))
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
        Record(LAYER, "in-place", "openvino", "CPU", Outcome("known", "as documented [page]", cause="narrowed")),
        Record(NESTED, "alone", "openvino", "CPU", large()),
        Record(NESTED, "static", "openvino", "CPU", Outcome("crash", f"SIGSEGV {HOSTILE}", cause="SIGSEGV")),
        Record(NESTED, "in-place", "openvino", "CPU", Outcome("skipped", "no inputs")),
    )
    return [FileReport("models/a b.xml", records), FileReport(f"{HOSTILE}.xml", (), "not XML <")]


def made(**options: Any) -> str:
    return render("crosscheck", "html", files(), **options)


def words(text: str) -> str:
    return html.unescape(re.sub(r"<[^>]*>", " ", text))


def test_it_is_found_by_its_name() -> None:
    assert "html" in formats("crosscheck")


def test_it_is_well_formed_self_contained_and_needs_no_script() -> None:
    assert Page(made()).problems == []
    assert Page(render("crosscheck", "html", [])).problems == []
    assert "nothing to check" in render("crosscheck", "html", [])


def test_the_checks_themselves_find_what_is_wrong() -> None:
    good = made()
    for old, new in (
        ("<main", "<script>1</script><main"),
        ("</table>", ""),
        (' scope="col"', ""),
        ("<h3 ", "<h5 "),
        ('href="#main"', 'href="https://example.org/"'),
        ('role="img"', ""),
        ("</style>", "p{}</style>"),
        ("<p>", '<p onclick="1">'),
    ):
        assert old in good
        assert Page(good.replace(old, new, 1)).problems


def test_names_are_escaped() -> None:
    text = made()
    assert "<script" not in text
    assert "\x1b" not in text
    assert "\u202e" not in text
    assert "a&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;\\x1b[2J\\u202e &amp; 'b'" in text


def test_tables_hold_every_verdict() -> None:
    text = made()
    page = Page(text)
    assert 'Variants of GatherElements-6 "ge_0" (layer 2)' in page.texts["caption"]
    assert page.texts["h1"] == ["Cross-check of Gather layers"]
    assert "2 files, 2 layers: 2 equal, 3 different, 1 known, 1 crash, 1 skipped" in page.texts["p"]
    row = re.search(r'<tr><th scope="row">alone</th>.*?</tr>', text, re.DOTALL)
    assert row is not None
    assert " ".join(words(row[0]).split()) == "alone different 1 of 8 elements equal negative indices are clamped"
    assert "not run" in text
    assert [title for title in page.texts["h2"] if title != "Contents"][2:] == [
        "models/a b.xml",
        "a\"><script>alert(1)</script>\\x1b[2J\\u202e & 'b'.xml",
        "What fails",
        "Known deviations",
        "Environment",
    ]


def test_who_disagrees_with_whom() -> None:
    found = Page(made()).texts
    assert "Disagreements of two runtimes, out of the runs that both answered" in found["caption"]
    rows = re.findall(r'<tr><th scope="row">(?:reference|openvino)</th>(?:<td>.*?</td>){2}</tr>', made())
    assert [re.findall(r"<td>(.*?)</td>", row) for row in rows] == [["3 of 4", "0 of 1"], ["", "1 of 1"]]
    alone = [FileReport("m.xml", (Record(LAYER, "alone", "openvino", "CPU", Outcome("equal")),))]
    assert "disagree" not in render("crosscheck", "html", alone)


def test_what_is_alike_is_told_once_and_drawn() -> None:
    text = made()
    articles = re.findall(r"<article.*?</article>", text, re.DOTALL)
    assert len(articles) == 4
    first, second, crash, known = articles
    assert "<dd>alone, negative</dd>" in first
    assert "at [0,2]: got <code>3.0</code>, want <code>11.0</code>" in first
    assert first.count("<svg") == 1
    assert first.count("differs</strong>") == 1
    assert second.count("<svg") == 2
    assert "2 outside [-3000, 2999]" in words(second)
    assert "512 of 8192 elements of the output [8,64,16] differ" in words(second)
    assert "<svg" not in crash + known
    assert "narrowed" in known


def test_commands_repeat_a_run() -> None:
    repeat = {"--seed": "3", "--static": "", "--inputs": "my inputs.npz", "--device": "AUTO", "--config=A=1": ""}
    text = made(repeat=repeat, command=["ovgather", "crosscheck", "a b.xml"], seed=3)
    commands = [html.unescape(line) for line in re.findall(r"<pre><code>(.*?)</code></pre>", text)]
    again, small = "ovgather crosscheck 'models/a b.xml' --layer", "ovgather reduce 'models/a b.xml' --layer"
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
        "ovgather crosscheck 'a b.xml'",
    ]
    assert '<th scope="row">Seed</th><td>3</td>' in text
    for name, value in environment().items():
        assert f'<th scope="row">{name}</th><td>{html.escape(value, quote=False)}</td>' in text


def test_it_is_the_same_each_time() -> None:
    assert made() == made()


def test_many_failures_are_cut_off() -> None:
    record = Record(LAYER, "alone", "openvino", "CPU", Outcome("error", "x"))
    records = tuple(record._replace(layer=LAYER._replace(id=str(number), name=f"g{number}")) for number in range(230))
    text = render("crosscheck", "html", [FileReport("m.xml", records)])
    assert text.count("<article") == 200
    assert "30 more are left out; the tables above have them." in text
    script = re.search(r"<script>([\s\S]*)</script>", text)
    assert script is not None
    assert Page(text.replace(script[0], "")).problems == []
    digest = base64.b64encode(hashlib.sha256(script[1].encode()).digest()).decode()
    assert f"script-src 'sha256-{digest}';" in text


@pytest.mark.parametrize(
    ("verdicts", "words", "kind"),
    [
        (["equal"], "All is equal, bit by bit", "equal"),
        (["equal", "known"], "Nothing fails", "known"),
        (["equal", "crash"], "1 layer fails", "failing"),
        (["skipped"], "Nothing was compared", "known"),
    ],
)
def test_the_verdict_comes_first(verdicts: list[str], words: str, kind: str) -> None:
    records = tuple(Record(LAYER, f"v{n}", "openvino", "CPU", Outcome(each)) for n, each in enumerate(verdicts))
    text = render("crosscheck", "html", [FileReport("m.xml", records)])
    assert f'<p class="banner"><strong class="{kind}">{words}</strong>' in text
    assert text.index('banner">') < text.index("What to look at")


def test_names_can_be_pasted_and_the_environment_is_folded() -> None:
    text = html.unescape(made())
    assert "<code>--layer '#2'</code>" in text
    assert "<code>--layer 'loop/body/#7'</code>" in text
    assert re.search(r'id="environment">Environment</h2>\s*<details><summary>Versions, processor, command', text)


def test_whatever_layer_it_is() -> None:
    records = []
    for seed in range(50):
        layer = random_layer(Random(seed), LayerChoice(negative=True, outside=True))
        try:
            want = layer.expected()
        except OvgatherError:
            want = None
        got = numpy.zeros_like(want) if want is not None else layer.data
        evidence = Evidence(
            layer.operation, layer.data, layer.indices, layer.axis, layer.batch_dims, got, frozenset(), want
        )
        named = LayerReference(str(seed), "", layer.operation.type, layer.opset, ())
        records.append(Record(named, "alone", "openvino", "CPU", Outcome("different", "", 1, 1, None, "", evidence)))
    for start in range(0, 50, 10):  # few enough for a page without a search
        part = tuple(records[start : start + 10])
        assert Page(render("crosscheck", "html", [FileReport("m.xml", part)])).problems == []


def test_evidence_that_does_not_fit_is_said() -> None:
    data = numpy.zeros((2, 3))
    evidence = Evidence(OPERATIONS["GatherElements-6"], data, numpy.zeros((2,), "i8"), 0, 0, data)
    record = Record(LAYER, "alone", "openvino", "CPU", Outcome("different", "", 1, 1, None, "", evidence))
    text = render("crosscheck", "html", [FileReport("m.xml", (record,))])
    assert "It cannot be drawn: data and indices must have the same rank, not 2 and 1" in words(text)


def test_options_that_repeat_a_run_are_told(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    told: dict[str, Any] = {}
    monkeypatch.setattr("ovgather.cli._shared.crosscheck_files.crosscheck_ir", lambda *_, **__: files()[:1])
    monkeypatch.setattr("ovgather.cli._shared.outputs.ReportOptions.show", lambda *_, **options: told.update(options))
    numpy.savez(tmp_path / "in.npz", in0=numpy.zeros(1))
    model = str(SAMPLES / "demo" / "good.xml")
    settings = ["--config", "A=1", "--config", "B=2", "--tolerance", "2ulp", "--device", "AUTO"]
    run(["crosscheck", model, "--inputs", str(tmp_path / "in.npz"), "--static", *settings, "--format", "html"])
    assert told["repeat"] == {
        "--seed": "0",
        "--inputs": str(tmp_path / "in.npz"),
        "--device": "AUTO",
        "--static": "",
        "--config=A=1": "",
        "--config=B=2": "",
        "--tolerance=2ulp": "",
    }
    assert told["command"][:3] == ["ovgather", "crosscheck", model]
