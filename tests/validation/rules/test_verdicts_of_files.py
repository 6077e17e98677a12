"""The verdict of a whole file is OpenVINO's own, where a mutant once showed that it was another."""

from __future__ import annotations

from pathlib import Path

import pytest
from openvino_verdicts import requires_openvino, verdicts
from small_models import layer, net, parameter, result

from ovgather.validation.check import check_file

STAGES = {"": "accepts", "read": "rejects", "compile": "rejects_on_compile"}


def _sum(ids: tuple[int, ...], version: int, type: str = "Add") -> str:
    """One Parameter into the input ports 0 and 1 of a layer whose ports have these ids."""
    inputs = "".join(
        f'<port id="{number}" precision="FP32"><dim>2</dim></port>' for number in ids
    )
    output = '<port id="9" precision="FP32"><dim>2</dim></port>'
    node = (
        f'<layer id="1" name="x" type="{type}" version="opset1"><input>{inputs}</input>'
        f"<output>{output}</output></layer>"
    )
    edges = ["0:0-1:0", "0:0-1:1", "1:9-2:0"] if 1 in ids else ["0:0-1:0", "1:9-2:0"]
    text = net(
        parameter(0, "2", "f32", "FP32 2"),
        node,
        result(2, "FP32 2"),
        edges=" ".join(edges),
    )
    return text.replace('version="11"', f'version="{version}"')


def _converted(data: str, constant: str = "f32") -> str:
    """A Const and a Convert into an Add."""
    return net(
        parameter(0, "2", "f32", "FP32 2"),
        layer(1, "Convert", "opset1", data, ("FP32 2",), ("FP32 2",)),
        layer(
            2,
            "Const",
            "opset1",
            f'element_type="{constant}" shape="2" offset="0" size="8"',
            (),
            ("FP32 2",),
        ),
        layer(3, "Add", "opset1", "", ("FP32 2", "FP32 2"), ("FP32 2",)),
        result(4, "FP32 2"),
        edges="0:0-1:0 1:1-3:0 2:0-3:1 3:2-4:0",
    )


def _double_output(version: int) -> str:
    port = '<port id="1" precision="FP32"><dim>2</dim></port>'
    text = _sum((0,), version, "Sqrt").replace('id="9"', 'id="1"')
    return text.replace('from-port="9"', 'from-port="1"').replace(port, port * 2)


def _read_result(version: int, used: int, ports: int) -> str:
    """A Result with outputs, of which one is read, or none."""
    node = layer(1, "Result", "opset1", "", ("FP32 2",), ("FP32 2",) * ports)
    source = f"1:{used}" if used else "0:0"
    text = net(
        parameter(0, "2", "f32", "FP32 2"),
        node,
        layer(2, "Sqrt", "opset1", "", ("FP32 2",), ("FP32 2",)),
        result(3, "FP32 2"),
        edges=f"0:0-1:0 {source}-2:0 2:1-3:0",
    )
    return text.replace('version="11"', f'version="{version}"')


FILES = {
    f"inputs {ids} in version {version}": _sum(ids, version)
    for version in (10, 11)
    for ids in ((0, 1), (0, 1, 0), (0, 1, 1), (0, 0, 1), (0, 1, 0, 1), (1, 0, 1))
}
FILES |= {
    f"Result with {ports} outputs, {used} is read, version {version}": _read_result(
        version, used, ports
    )
    for version in (10, 11)
    for used, ports in ((0, 1), (1, 1), (0, 2), (2, 2), (1, 2))
}
FILES |= {
    "two inputs of one id, one edge, version 10": _sum((0, 0), 10, "Sqrt"),
    "two inputs of one id, one edge, version 11": _sum((0, 0), 11, "Sqrt"),
    "two outputs of one id, version 10": _double_output(10),
    "two outputs of one id, version 11": _double_output(11),
    "no destination_type": _converted(""),
    "destination_type in capitals": _converted('destination_type="F32"'),
    "type of a Const in capitals": _converted('destination_type="f32"', "F32"),
    "type of a Const as a port writes it": _converted('destination_type="i32"', "I32"),
    "all right": _converted('destination_type="f32"'),
}


@requires_openvino
@pytest.mark.runtime
def test_the_verdict_is_that_of_openvino(tmp_path: Path) -> None:
    paths = {name: tmp_path / f"{place}.xml" for place, name in enumerate(FILES)}
    for name, path in paths.items():
        path.write_text(FILES[name])
        path.with_suffix(".bin").write_bytes(bytes(8))
    runtime = verdicts([str(path) for path in paths.values()], last="compile")
    said = {name: check_file(path).verdict.openvino for name, path in paths.items()}
    expected = {name: STAGES[runtime[str(path)].stage] for name, path in paths.items()}
    assert said == expected
    assert {*expected.values()} == {*STAGES.values()}


def test_a_const_whose_type_is_in_capitals() -> None:
    text = FILES["type of a Const in capitals"].encode()
    found = [
        each
        for each in check_file(text, bytes(8)).diagnostics
        if each.severity == "error"
    ]
    [finding] = found
    assert finding.code == "OVG211"
    assert finding.message == "element_type 'F32' of a Const is not in lower case"
    assert finding.help == "did you mean `f32`?"
