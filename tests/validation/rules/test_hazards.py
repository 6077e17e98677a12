"""The runtime hazards of a Gather, case by case: what is claimed against what OpenVINO does, each in a new process.

``d`` is data, ``i`` indices, ``a`` the axis (a number: a Const; a shape: a Parameter), ``b`` batch_dims.
"""

from __future__ import annotations

import struct
from contextlib import nullcontext
from pathlib import Path

import pytest
from forked import starting_anew
from openvino_verdicts import Verdict, requires_openvino, verdicts
from paths import ROOT
from small_models import constant, i64, layer, net, parameter, result

from ovgather.validation.api import validate

_PORTS = {"f32": "FP32", "i64": "I64", "i8": "I8", "string": "STRING"}

CRASHES = [
    ("OVG701", {"d": "1,1", "i": "1", "a": 1, "b": 1}),
    ("OVG701", {"d": "1,5", "i": "1,2", "a": 1, "b": 1}),
    ("OVG701", {"d": "1,50", "i": "1,15", "a": 1, "b": 1}),
    ("OVG701", {"d": "1,1,5", "i": "1,2", "a": 2, "b": 1}),
    ("OVG701", {"d": "1,5", "i": "1,2", "a": 1, "b": -1, "opset": "opset7"}),
    ("OVG701", {"d": "1,5,16", "i": "1,200", "a": 1, "b": 1, "kind": "i8"}),
    ("OVG702", {"d": "3", "i": "0", "a": 0}),
    ("OVG702", {"d": "3,16", "i": "2,0", "a": 0}),
    ("OVG702", {"d": "3,0,20", "i": "2", "a": 0}),
    ("OVG702", {"d": "2,0,3", "i": "2,2", "a": 2, "b": 1}),
    ("OVG702", {"d": "0,3", "i": "2", "a": 1, "opset": "opset1"}),
    ("OVG703", {"d": "3,4", "i": "2", "a": "", "opset": "opset1"}),
    ("OVG703", {"d": "3", "i": "2", "a": "1", "opset": "opset1"}),
]
REJECTS = [
    ("OVG703", {"d": "3,4", "i": "2", "a": "", "opset": "opset7"}),
    ("OVG703", {"d": "3,4", "i": "2", "a": "?"}),
    ("OVG708", {"d": "...", "i": "2", "a": 0}),
    ("OVG708", {"d": ",".join("1" * 33), "i": "2", "a": 0}),
    ("OVG708", {"d": ",".join("1" * 17), "i": ",".join("1" * 17), "a": 0}),
]
MAY_SURVIVE = [case for _, case in CRASHES if case["i"] in ("1,15", "1,200", "2,0")]
"""On some machines these survive: the memory that they read can be read."""
RUNS = [
    {"d": "1,50", "i": "1,16", "a": 1, "b": 1},
    {"d": "1,5,17", "i": "1,2", "a": 1, "b": 1},
    {"d": "2,5", "i": "2,2", "a": 1, "b": 1},
    {"d": "1,2,5", "i": "1,2", "a": 2, "b": 1},
    {"d": "1,5", "i": "1,2", "a": 1},
    {"d": "1,?", "i": "1,2", "a": 1, "b": 1},
    {"d": "5", "i": "2", "a": 0, "b": -1},
    {"d": "3,20", "i": "0", "a": 0},
    {"d": "0,3,20", "i": "2", "a": 1},
    {"d": "0,3", "i": "0,2", "a": 1, "b": 1},
    {"d": "?", "i": "2,0", "a": 0},
    {"d": "3,4", "i": "?", "a": ""},
    {"d": "?,4", "i": "2", "a": "", "opset": "opset1"},
    {"d": "3,4", "i": "2", "a": "?", "opset": "opset1"},
    {"d": ",".join("1" * 32), "i": "1", "a": 0},
]


def text(
    d: str,
    i: str,
    a: int | str,
    b: int | None = None,
    opset: str = "opset8",
    kind: str = "f32",
    out: str = "",
) -> str:
    """A Gather of two Parameters."""

    def port(name: str, shape: str) -> str:
        return f"{_PORTS[name]} {shape.replace('?', '-1').replace('...', '')}"

    constant_axis = isinstance(a, int)
    axis = port("i64", "" if constant_axis else str(a))
    inputs = (port(kind, d), port("i64", i), axis)
    rank = 0 if d == "..." else len(d.split(",")) + (len(i.split(",")) if i else 0) - 1
    made = port(kind, ",".join(["1"] * rank) if rank > 32 else "")
    return net(
        parameter(0, d, kind, inputs[0], "data"),
        parameter(1, i, "i64", inputs[1], "indices"),
        constant(2, "", "i64", 0, 8, axis)
        if constant_axis
        else parameter(2, str(a), "i64", axis, "axis"),
        layer(
            3,
            "Gather",
            opset,
            "" if b is None else f'batch_dims="{b}"',
            inputs,
            (made,),
        ),
        result(4, made),
        edges="0:0-3:0 1:0-3:1 2:0-3:2 3:3-4:0",
    )


def write(case: dict[str, object], folder: Path) -> str:
    path = folder / "m.xml"
    path.write_text(text(**case), encoding="utf-8")  # type: ignore[arg-type]
    axis = case["a"]
    path.with_suffix(".bin").write_bytes(i64(axis if isinstance(axis, int) else 0))
    return str(path)


def hazards(path: str) -> list[tuple[str, str, str]]:
    found = [finding for finding in validate(path) if finding.code.startswith("OVG7")]
    return [(finding.code, finding.severity, finding.openvino) for finding in found]


@pytest.mark.slow
@requires_openvino
@pytest.mark.parametrize(("code", "case"), CRASHES)
def test_crashes(code: str, case: dict[str, object], tmp_path: Path) -> None:
    path = write(case, tmp_path)
    assert hazards(path) == [(code, "warning", "crashes")]
    # A process that has loaded more has more foreign memory that can be read.
    with starting_anew() if code == "OVG701" else nullcontext():
        crashed = any(verdicts([path])[path].crash for _ in range(6))
    if not crashed and case in MAY_SURVIVE:
        pytest.skip("foreign memory can be read here")
    assert crashed


@pytest.fixture(scope="module")
def judged(tmp_path_factory: pytest.TempPathFactory) -> dict[str, tuple[str, Verdict]]:
    """The path of each case that crashes nothing, and its verdict; one process judges them all."""
    paths = {
        str(case): write(case, tmp_path_factory.mktemp("case"))
        for case in (*(case for _, case in REJECTS), *RUNS)
    }
    found = verdicts(list(paths.values()))
    return {case: (path, found[path]) for case, path in paths.items()}


@requires_openvino
@pytest.mark.parametrize(("code", "case"), REJECTS)
def test_rejects(
    code: str, case: dict[str, object], judged: dict[str, tuple[str, Verdict]]
) -> None:
    path, verdict = judged[str(case)]
    assert set(hazards(path)) == {(code, "warning", "rejects_on_compile")}
    assert (verdict.stage, verdict.crash) == ("compile", False)


@requires_openvino
@pytest.mark.parametrize("case", RUNS)
def test_runs(case: dict[str, object], judged: dict[str, tuple[str, Verdict]]) -> None:
    path, verdict = judged[str(case)]
    assert hazards(path) == []
    assert (verdict.stage, verdict.crash) == ("", False)


@requires_openvino
@pytest.mark.parametrize("case", [case for _, case in CRASHES if "opset" not in case])
def test_constants_are_gathered_beforehand(
    case: dict[str, object], tmp_path: Path
) -> None:
    path = Path(write(case, tmp_path))
    shapes = {"data": str(case["d"]), "indices": str(case["i"])}
    changed = path.read_text()
    for name, shape in shapes.items():
        count = 1
        for dim in shape.split(","):
            count *= int(dim)
        kind = str(case.get("kind", "f32")) if name == "data" else "i64"
        size = count * {"f32": 4, "i8": 1, "i64": 8}[kind]
        old = f'name="{name}" type="Parameter" version="opset1"><data shape="{shape}" element_type="{kind}"/>'
        new = f'name="{name}" type="Const" version="opset1"><data element_type="{kind}" shape="{shape}" '
        new += f'offset="8" size="{size}"/>'
        assert old in changed
        changed = changed.replace(old, new)
    path.write_text(changed)
    path.with_suffix(".bin").write_bytes(
        path.with_suffix(".bin").read_bytes() + bytes(4000)
    )
    assert hazards(str(path)) == []
    assert not verdicts([str(path)])[str(path)].crash


def test_a_gather_without_indices_behind_a_slice() -> None:
    """The edge goes the wrong way: the layer of indices reads the GatherElements, which reads one input alone."""
    text = (ROOT / "samples_xml/rules/OVG710/bad.xml").read_text()
    edge = 'from-layer="1" from-port="0" to-layer="7" to-port="1"'
    turned = 'from-layer="7" from-port="1" to-layer="1" to-port="0"'
    assert edge in text
    findings = validate(text.replace(edge, turned).encode())
    assert "OVG710" not in {finding.code for finding in findings}


def ranks(name: str) -> bytes:
    """A model that gives [2,3] the shape [1,...,1,2,3] of 40 dims, and goes on with ``name``."""
    long = ",".join(["1"] * 38 + ["2", "3"])
    layers = [
        parameter(0, "2,3", "f32", "FP32 2,3"),
        constant(1, "40", "i64", 0, 320, "I64 40"),
        layer(
            2,
            "Reshape",
            "opset1",
            'special_zero="false"',
            ("FP32 2,3", "I64 40"),
            (f"FP32 {long}",),
        ),
    ]
    edges = "0:0-2:0 1:0-2:1 "
    if name == "Reshape":
        layers.append(constant(3, "1", "i64", 320, 8, "I64 1"))
        layers.append(
            layer(
                4,
                "Reshape",
                "opset1",
                'special_zero="false"',
                (f"FP32 {long}", "I64 1"),
                ("FP32 6",),
            )
        )
        edges += "2:2-4:0 3:0-4:1 4:2-5:0"
        layers.append(result(5, "FP32 6"))
    else:
        layers.append(
            layer(4, "ReLU", "opset1", "", (f"FP32 {long}",), (f"FP32 {long}",))
        )
        edges += "2:2-4:0 4:1-5:0"
        layers.append(result(5, f"FP32 {long}"))
    return net(*layers, edges=edges).encode()


@requires_openvino
@pytest.mark.parametrize("name", ["Reshape", "ReLU"])
def test_a_reshape_to_more_dims_than_the_cpu_takes(name: str, tmp_path: Path) -> None:
    """OpenVINO makes one Reshape of two."""
    path = tmp_path / "m.xml"
    path.write_bytes(ranks(name))
    weights = struct.pack("<41q", *[1] * 38, 2, 3, 6)
    path.with_suffix(".bin").write_bytes(weights)
    is_refused = "OVG708" in {finding.code for finding in validate(path)}
    assert is_refused == (
        verdicts([str(path)], last="compile")[str(path)].stage == "compile"
    )
    assert is_refused == (name == "ReLU")


def test_a_slice_in_a_body_that_nobody_follows_is_passed_over() -> None:
    text = (ROOT / "samples_xml/rules/OVG710/good.xml").read_text()
    inner = text[text.index("<layers>") : text.index("</net>")]
    outer = (
        '<net name="m" version="11"><layers><layer id="0" name="f" type="Foo" version="extension">'
        f"<body>{inner}</body></layer></layers><edges/></net>"
    )
    assert "OVG710" not in [each.code for each in validate(outer.encode())]
