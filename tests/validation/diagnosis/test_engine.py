"""The search: one finding for one mistake, two for two, and no more trials than are worth it."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from contradictions import Chain, findings
from hypothesis import given, settings
from hypothesis import strategies as st
from paths import SAMPLES
from small_models import layer, net, parameter, result

from ovgather.validation.check import check_file
from ovgather.validation.diagnosis import engine
from ovgather.validation.diagnosis.proposals import hypotheses
from ovgather.validation.diagnostic import Diagnostic

AMBIGUOUS = net(
    parameter(0, "2,3", "f32", "FP32 2,3", "x"),
    parameter(1, "2,3", "f32", "FP32 2,3", "y"),
    layer(2, "Add", "opset1", "", ("FP32 2,3", "FP32 2,3"), ("FP32 2,3",), "sum"),
    result(3, "FP32 2,3"),
    edges="0:0-2:0 1:0-2:0 2:2-3:0",
)
"""Both edges lead into one input, and either of them may be meant for the other."""


def hopeless(count: int) -> str:
    """Concats that no small repair makes right."""
    layers = [
        parameter(0, "2,3", "f32", "FP32 2,3", "x"),
        parameter(1, "4,5", "f32", "FP32 4,5", "y"),
    ]
    edges = ""
    for number in range(2, 2 + count):
        ports = ("FP32 2,3", "FP32 4,5")
        layers.append(
            layer(
                number,
                "Concat",
                "opset1",
                'axis="0"',
                ports,
                ("FP32 6,8",),
                f"c{number}",
            )
        )
        layers.append(result(number + count, "FP32 6,8"))
        edges += f" 0:0-{number}:0 1:0-{number}:1 {number}:2-{number + count}:0"
    return net(*layers, edges=edges)


def said(found: list[Diagnostic]) -> list[tuple[str, str, str]]:
    return [
        (each.hypothesis, each.layer.name if each.layer else "", each.message)
        for each in found
    ]


def test_a_healthy_chain() -> None:
    assert Chain(6).findings() == []


def test_two_mistakes_far_apart_are_two_findings() -> None:
    assert said(
        Chain(6).dims(1, "output", 2, 9).dims(5, "output", 7, 3).findings()
    ) == [
        ("port", "l1", "output 0 is declared [2,9], but the layer computes [2,3]"),
        ("port", "l5", "output 0 is declared [7,3], but the layer computes [2,3]"),
    ]


def test_two_mistakes_in_one_layer_are_two_findings() -> None:
    assert said(Chain(6).dims(3, "input", 2, 9).precision(3, "I64").findings()) == [
        ("port", "l3", 'input 0 is declared [2,9], but layer 2 "l2" produces [2,3]'),
        ("port", "l3", "output 0 is declared i64, but the layer computes f32"),
    ]


def test_one_mistake_in_many_layers_is_one_finding() -> None:
    chain = Chain(6)
    for number in (1, 3, 4, 6):
        chain.precision(number, "I64")
    [finding] = chain.findings()
    assert finding.message == "the precision of ports of 4 layers is wrong"
    remedy = finding.fix()
    assert remedy is not None
    assert (remedy.what, len(remedy.edits)) == (
        "output port 0 is FP32, and so on for 3 more",
        4,
    )


def test_equal_explanations_are_named_and_none_is_made() -> None:
    [finding] = findings(AMBIGUOUS)
    assert finding.help == (
        "either the edge from layer 0 leads to layer 2, port 1 or the edge from layer 1 leads to layer 2, port 1"
    )
    assert finding.fix() is None


def test_what_was_considered() -> None:
    [finding] = findings(AMBIGUOUS)
    first, second, *others = finding.considered
    assert (first.hypothesis, second.hypothesis) == ("another_target", "another_target")
    assert (first.explains, first.brings) == (second.explains, second.brings)
    assert all(each.explains < first.explains for each in others)
    assert {each.hypothesis for each in others} == {"extra_edge", "missing_edge"}


def test_many_that_nothing_explains_are_one_finding() -> None:
    [finding] = findings(hopeless(7))
    assert (finding.code, finding.hypothesis, len(finding.related)) == ("OVG113", "", 6)
    assert finding.message.endswith(" (and 6 more like it)")
    [finding] = findings(hopeless(2))  # equal ones need not be many
    assert finding.message.endswith(" (and 1 more like it)")


@pytest.mark.slow
@pytest.mark.parametrize("length", [40, 1000])
def test_the_number_of_trials_is_bounded(
    length: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    counts, tried = [0], engine.tried

    def counted(*arguments: Any) -> Any:
        counts[0] += 1
        return tried(*arguments)

    monkeypatch.setattr(engine, "tried", counted)
    chain = Chain(length)
    for number in range(1, length + 1):
        chain.dims(number, "output", 2, 4 + number % 90)
    assert chain.findings()
    # One more for the fixes of rules, and one for what is no contradiction.
    assert (
        0
        < counts[0]
        <= min(engine._MOST_TRIALS, max(3, engine._MOST_LAYERS // length)) + 2
    )


def test_a_finding_that_is_not_selected_is_not_said_by_another_name() -> None:
    text = Chain(3).dims(2, "output", 2, 9).text
    codes = {each.code for each in check_file(text.encode()).diagnostics}
    assert codes == {"OVG215"}
    left = check_file(text.encode(), keeps=lambda code: code != "OVG215").diagnostics
    assert [each.code for each in left] == ["OVG206"]
    assert (
        check_file(
            text.encode(), keeps=lambda code: code not in ("OVG215", "OVG206")
        ).diagnostics
        == []
    )


def test_a_comment_suppresses_what_is_explained() -> None:
    chain = Chain(3).dims(2, "output", 2, 9)
    for number, code, left in ((2, "OVG215", ["OVG206"]), (3, "OVG206", [])):
        comment = f"<!-- ovgather: ignore {code} known -->"
        chain.layers[number] = chain.layers[number].replace(
            "</layer>", f"{comment}</layer>"
        )
        assert [
            each.code for each in check_file(chain.text.encode()).diagnostics
        ] == left


def test_each_hypothesis_has_a_page_and_an_order() -> None:
    modules = hypotheses()
    assert len(modules) > 20
    assert [module.ORDER for module in modules] == sorted(
        module.ORDER for module in modules
    )
    for module in modules:
        words = [
            word
            for word in ("What: ", "\nWhy: ", "\nBad::\n", "\nGood::\n")
            if word not in module.__doc__
        ]
        assert words == [], module.__name__


def test_healthy_files_do_not_load_the_engine() -> None:
    paths = [
        str(SAMPLES / "demo" / "good.xml"),
        str(SAMPLES / "hypotheses" / "port" / "good.xml"),
    ]
    paths += [str(SAMPLES / "hypotheses" / "port" / "bad.xml")]
    program = (
        "import json, sys; from ovgather.validation.check import check_file\n"
        "loaded = []\n"
        "for path in sys.argv[1:]:\n"
        "    check_file(path)\n"
        "    loaded.append('ovgather.validation.diagnosis.engine' in sys.modules)\n"
        "print(json.dumps(loaded))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, *paths],
        capture_output=True,
        text=True,
        timeout=100,
    )
    assert json.loads(done.stdout) == [False, False, True], done.stderr


PORTS = [
    (0, "output"),
    *[(number, side) for number in range(1, 5) for side in ("input", "output")],
    (5, "input"),
]


@settings(deadline=None)
@given(
    st.sampled_from(PORTS),
    st.integers(0, 1),
    st.integers(1, 40).filter(lambda dim: dim not in (2, 3)),
)
def test_any_dim_of_any_port_is_one_finding_at_this_port(
    port: tuple[int, str], index: int, dim: int
) -> None:
    dims = [2, 3]
    dims[index] = dim
    chain = Chain(4).dims(*port, *dims)
    text = chain.text.replace("<layer ", "\n<layer ")
    [finding] = findings(text)
    line = 2 + port[0]
    assert line in (finding.line, *[each.line for each in finding.related])
    assert finding.hypothesis


ROW = (
    parameter(0, "2,3", "f32", "FP32 2,3", "x"),
    parameter(1, "2,3", "f32", "FP32 2,3", "y"),
    layer(2, "Add", "opset1", "", ("FP32 2,3", "FP32 2,3"), ("FP32 2,3",), "sum"),
    layer(3, "ReLU", "opset1", "", ("FP32 2,3",), ("FP32 2,3",), "positive"),
    layer(4, "Abs", "opset1", "", ("FP32 2,3",), ("FP32 2,3",), "size"),
    result(5, "FP32 2,3"),
)


def test_what_only_the_repaired_file_shows_is_a_finding_of_its_own() -> None:
    """Without its edges nothing is known of the last layer; with them, its axis contradicts its input."""
    share = ("Softmax", "opset8", 'axis="7"', ("FP32 2,3",), ("FP32 2,3",), "share")
    text = net(*ROW[:4], layer(4, *share), ROW[5], edges="0:0-2:0 1:0-2:1")
    uncovered, missing = findings(text)
    assert missing.message == "3 edges are missing"
    assert uncovered.message.startswith("axis 7 is out of range")
    assert not uncovered.fixable


def test_the_ends_of_two_edges_in_a_row() -> None:
    edges = "0:0-2:0 1:0-2:1 2:2-4:0 2:1-4:0 4:1-5:0"
    (found,) = findings(net(*ROW, edges=edges))
    assert said([found]) == [
        (
            "exchanged",
            "positive",
            'the ends of two edges in a row are swapped: they skip layer 3 "positive"',
        )
    ]


def test_a_mistake_imports_only_the_operations_of_the_file(tmp_path: Path) -> None:
    """To import all of them, and ``http`` with an XML module, takes longer than to check most files."""
    wrong = "FP32 1,3,3,4"
    pool = (
        'kernel="9,9" strides="1,1" pads_begin="0,0" pads_end="0,0" auto_pad="explicit"'
    )
    text = net(
        parameter(0, "1,3,4,5", "f32", "FP32 1,3,4,5", "x"),
        layer(1, "MaxPool", "opset1", pool, ("FP32 1,3,4,5",), (wrong,), "pool"),
        result(3, wrong),
        edges="0:0-1:0 1:1-3:0",
    )
    path = tmp_path / "model.xml"
    path.write_text(text)
    code = "import sys\nfrom ovgather.validation.check import check_file\n"
    code += "assert check_file(sys.argv[1]).diagnostics\n"
    code += (
        "print('ssl' in sys.modules, 'ovgather.ops.declared.sequences' in sys.modules)"
    )
    run = subprocess.run(
        [sys.executable, "-c", code, str(path)], capture_output=True, text=True
    )
    assert run.stdout == "False False\n", run.stderr
