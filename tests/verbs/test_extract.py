"""``ovgather extract``: a layer with what feeds it, alone in a file, gives what it gives in the whole model."""

from __future__ import annotations

import json
import os
import struct
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import forked
import pytest
from nets import Net
from paths import DATA, ROOT, SHARED

import ovgather
from ovgather.cli.main import run
from ovgather.errors import InvalidModelError
from ovgather.layers.gather_layer import is_family

DEMO = ROOT / "samples_xml" / "demo"
BERT = DATA / "bert" / "bert.xml"
LOOP = ROOT / "tests" / "data" / "bodies" / "loop.xml"  # its body holds constants
CHILD = SHARED / "openvino_extracted.py"


def extracted(path: Path, folder: Path) -> list[str]:
    model = ovgather.read(path)
    found = []
    for layer in model.graph.layers:
        if not is_family(layer) and not layer.bodies:
            continue
        made = ovgather.extract(model, f"#{layer.id}")
        found.append(made.write(folder / f"{layer.id}.xml")[0])
        assert ovgather.validate(found[-1]) == []
        assert made.notes == ()
    return found


@pytest.mark.parametrize(
    ("path", "inputs"),
    [(DEMO / "good.xml", "-"), (BERT, BERT.with_suffix(".npz")), (LOOP, "-")],
)
def test_results_are_those_of_the_whole_model(
    path: Path, inputs: object, tmp_path: Path
) -> None:
    pytest.importorskip("openvino")
    files = extracted(path, tmp_path)
    done = forked.run(
        [sys.executable, CHILD, path, str(inputs), *files], b"", timeout=300
    )
    assert done.returncode == 0, done.stderr
    answers = json.loads(done.stdout)
    assert len(answers) == len(files) > (0 if path == LOOP else 4)
    assert all(answer["same"] for answer in answers)
    assert any(answer["inputs"] for answer in answers)


def test_a_nested_layer() -> None:
    made = ovgather.extract(
        DEMO / "nested.xml", "three_times/body/choose/then_body/pick"
    )
    assert made.layer.name == "pick"
    assert made.inputs == (
        "data: Parameter 'data' f32 [4,3]",
        "indices: Parameter 'indices' i64 [4,3]",
    )
    assert ovgather.validate(made.text, made.weights) == []
    assert b'<data axis="0" />' in made.text


MARKED = (ROOT / "tests" / "data" / "extract" / "marked.xml").read_bytes()
WEIGHTS = bytes(24) + struct.pack("<q", 0) + bytes(8)


def test_everything_is_kept_as_it_is_written() -> None:
    made = ovgather.extract(MARKED, 'g "1"', weights=WEIGHTS)
    assert made.inputs == (
        "data: Parameter 'x<1>' f16 [2..5,3]",
        "indices: Parameter 'split.1' i32 [4]",
        "axis: Const 'c' i64 []",
    )
    assert made.weights == WEIGHTS[24:32]
    start, end = MARKED.index(b'<layer id="4"'), MARKED.index(b'<layer id="5"')
    assert MARKED[start:end].strip() in made.text
    start, end = MARKED.index(b'<layer id="9"'), MARKED.index(b'<layer id="10"')
    assert MARKED[start:end].strip() in made.text
    assert b'shape="" offset="0" size="8"' in made.text
    assert b'<net name="n&amp;m" version="11">' in made.text
    assert b'<rt_info><Runtime_version value="x"/></rt_info>\n</net>' in made.text
    model = ovgather.read(made.text, made.weights)
    [layer] = filter(is_family, model.layers())
    assert layer.data == {"batch_dims": "0", "extra": "kept"}
    assert model.tensor_names(model.find("split.1")) == ("q",)
    # The attribute that is none.
    assert {found.code for found in ovgather.validate(model)} == {"OVG102"}
    assert {layer.name for layer in model.layers()} == {
        "x<1>",
        "split.1",
        "c",
        'g "1"',
        'g "1"/result',
    }


def test_a_layer_that_feeds_both_inputs_is_one_parameter() -> None:
    net = Net()
    source = net.add("Abs", "", net.parameter("i64", "3,4"), shape="3,4")
    net.add(
        "Result",
        "",
        net.add(
            "GatherElements", 'axis="0"', source, source, version="opset6", shape="3,4"
        ),
    )
    made = ovgather.extract(net.text, "l2")
    assert made.inputs == (
        "data: Parameter 'l1' i64 [3,4]",
        "indices: Parameter 'l1' i64 [3,4]",
    )
    assert made.text.count(b'type="Parameter"') == 1


def test_what_computes_constants_comes_along_once() -> None:
    net = Net()
    packed = net.const("i8", [2, 2], [1, 2, 3, 4])
    wide = net.add("Convert", 'destination_type="i64"', packed, shape="2,2")
    doubled = net.add("Add", "", wide, wide, shape="2,2")
    net.add(
        "Result",
        "",
        net.add(
            "GatherElements", 'axis="0"', doubled, wide, version="opset6", shape="2,2"
        ),
    )
    made = ovgather.extract(net.text, "l3", weights=net.weights)
    assert made.inputs == (
        "data: Add 'l2' i64 [2,2]",
        "indices: Convert 'l1' i64 [2,2]",
    )
    assert made.weights == bytes([1, 2, 3, 4])
    model = ovgather.read(made.text, made.weights)
    assert [layer.name for layer in model.layers()] == ["l0", "l1", "l2", "l3", "l4"]


def test_declared_dims_that_are_wrong_are_inferred() -> None:
    net = Net()
    first = net.add(
        "GatherElements",
        'axis="0"',
        net.parameter("f32", "3,4"),
        net.parameter("i64", "2,4"),
        version="opset6",
        shape="9,4",
    )
    net.add(
        "Result",
        "",
        net.add(
            "GatherElements",
            'axis="0"',
            first,
            net.parameter("i64", "5,4"),
            version="opset6",
            shape="5,4",
        ),
    )
    assert (
        ovgather.extract(net.text, "#4").inputs[0] == "data: Parameter 'l2' f32 [2,4]"
    )


def test_without_weights_constants_become_parameters() -> None:
    made = ovgather.extract(MARKED, "9")
    assert made.inputs[2] == "axis: Const 'axis' i64 []"
    assert made.notes == (
        "no constant holds the axis: 0, which ports or a comment tell, is written as one",
    )
    assert made.weights == struct.pack("<q", 0)
    made = ovgather.extract((DEMO / "good.xml").read_bytes(), "word_embedding")
    assert (
        "the .bin does not hold constant 'word_table': a Parameter stands for it"
        in made.notes
    )
    assert made.inputs[0] == "data: Parameter 'word_table' f32 [10,4]"


@pytest.mark.parametrize("place", [0, 1])
def test_what_feeds_the_layer_and_has_an_input_itself_becomes_a_parameter(
    place: int,
) -> None:
    path = ROOT / "samples_xml" / "rules" / "OVG501" / "good.xml"
    parts = path.read_bytes().split(b"<output>")
    parts[place] += b'<input><port id="9" precision="FP32"><dim>2</dim></port></input>'
    made = ovgather.extract(b"<output>".join(parts), weights=path.with_suffix(".bin"))
    assert made.inputs[place].split()[1] == "Parameter"
    assert made.notes == ()
    assert ovgather.validate(made.text, made.weights) == []


def test_a_layer_from_a_page_of_the_specification() -> None:
    page = b"""<layer ... type="GatherElements" ...>
    <data axis=1 />
    <input><port id="0"><dim>3</dim><dim>7</dim></port><port id="1"><dim>3</dim><dim>10</dim></port></input>
    <output><port id="2"><dim>3</dim><dim>10</dim></port></output>
</layer>"""
    made = ovgather.extract(page)
    assert made.inputs == (
        "data: Parameter 'data' f32 [3,7]",
        "indices: Parameter 'indices' i64 [3,10]",
    )
    assert made.notes == (
        "the file does not say which element type data has: f32 is assumed",
        "the file does not say which element type indices has: i64 is assumed",
    )
    assert ovgather.validate(made.text, made.weights) == []


def extract(capfd: Any, *arguments: object) -> tuple[int, str, str]:
    code = run(["extract", *map(str, arguments)])
    out, err = capfd.readouterr()
    return code, out, err


def test_the_verb(capfd: Any, tmp_path: Path) -> None:
    target = tmp_path / "out.xml"
    code, out, err = extract(
        capfd, DEMO / "good.xml", "--layer", "word_embedding", "-o", target
    )
    assert (code, err) == (0, "")
    assert out == (
        'Gather-8 "word_embedding" (layer 3)\n'
        "  data: Const 'word_table' f32 [10,4]\n"
        "  indices: Parameter 'token_ids' i64 [?,6]\n"
        "  axis: Const 'rows' i64 []\n"
        f"written to {target} and {tmp_path / 'out.bin'}\n"
    )
    assert sorted(os.listdir(tmp_path)) == ["out.bin", "out.xml"]
    assert target.with_suffix(".bin").stat().st_size == 10 * 4 * 4 + 8


def test_files_that_are_there(capfd: Any, tmp_path: Path) -> None:
    model, other = tmp_path / "m.xml", tmp_path / "out.xml"
    for suffix in (".xml", ".bin"):
        model.with_suffix(suffix).write_bytes(
            (DEMO / "good.xml").with_suffix(suffix).read_bytes()
        )
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    other.with_suffix(".bin").write_bytes(b"mine")
    arguments = (model, "--layer", "word_embedding", "-o")
    code, _, err = extract(capfd, *arguments, other)
    assert code == 2
    assert (
        f"Error: {other.with_suffix('.bin')} is there already: --force overwrites it"
        in err
    )
    assert not other.exists()
    assert extract(capfd, *arguments, other, "--force")[0] == 0
    os.symlink(model, tmp_path / "link.xml")
    os.link(model.with_suffix(".bin"), tmp_path / "hard.bin")
    for name, named in (
        ("m.xml", "m.xml"),
        ("link.xml", "link.xml"),
        ("hard.xml", "hard.bin"),
    ):
        for force in ((), ("--force",)):
            code, out, err = extract(capfd, *arguments, tmp_path / name, *force)
            assert (code, out) == (2, "")
            same = (
                ""
                if name == "m.xml"
                else f"is the same file as {model.with_suffix(Path(named).suffix)}, which "
            )
            assert (
                err
                == f"ovgather: {tmp_path / named} {same}is read: it is not overwritten\n"
            )
    assert {name: (tmp_path / name).read_bytes() for name in before} == before
    weights = tmp_path / "other.bin"
    weights.write_bytes(before["m.bin"])
    _, _, err = extract(
        capfd, *arguments, tmp_path / "other.xml", "--weights", weights, "--force"
    )
    assert err == f"ovgather: {weights} is read: it is not overwritten\n"


def test_nothing_is_half_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = ovgather.extract(DEMO / "good.xml", "word_embedding")
    target = tmp_path / "out.xml"
    for name in ("out.xml", "out.bin"):
        (tmp_path / name).write_bytes(b"old")

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    # Neither when a file cannot take its place, nor when only the first of both can be written.
    with monkeypatch.context() as patch:
        patch.setattr(os, "replace", full)
        with pytest.raises(OSError, match="No space"):
            made.write(target, overwrite=True)
    no_bytes = replace(made, text="x")  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        no_bytes.write(target, overwrite=True)
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == {
        "out.xml": b"old",
        "out.bin": b"old",
    }


def test_messages(capfd: Any, tmp_path: Path) -> None:
    good, target = DEMO / "good.xml", tmp_path / "out.xml"
    code, _, err = extract(capfd, good, "--layer", "word_embeding", "-o", target)
    assert (code, err) == (
        2,
        f"ovgather: {good}: no layer with the name or id 'word_embeding'; did you mean 'word_embedding'?\n",
    )
    code, _, err = extract(capfd, good, "-o", target)
    assert code == 2
    assert err.startswith(
        f"ovgather: {good} has 5 Gather layers: say which: 'word_embedding', 'position_embedding', "
    )
    code, _, err = extract(
        capfd, good, "--layer", "word_embedding", "-o", tmp_path / "out"
    )
    assert (
        err
        == f"ovgather: {tmp_path / 'out'} does not end in .xml: the weights are put beside it, with .bin\n"
    )
    code, _, err = extract(
        capfd, good, "--layer", "word_embedding", "-o", tmp_path / "none" / "out.xml"
    )
    assert (code, err) == (
        2,
        f"Error: cannot write {tmp_path / 'none' / 'out.xml'}: No such file or directory\n",
    )
    code, _, err = extract(capfd, tmp_path / "none.xml", "--layer", "g", "-o", target)
    assert (code, "none.xml" in err) == (4, True)
    net = Net()
    net.add("Result", "", net.add("Abs", "", net.parameter("f32", "3"), shape="3"))
    with pytest.raises(InvalidModelError) as caught:
        ovgather.extract(net.text, "l2")
    assert str(caught.value) == "<bytes>: nothing comes out of layer 'l2', a Result"
    with pytest.raises(InvalidModelError) as caught:
        ovgather.extract(net.text)
    assert str(caught.value) == "<bytes> has no Gather layer: say which layer"
    assert b'type="Abs"' in ovgather.extract(net.text, "l1").text
    sets = b'<layer id="1" name="sets" type="Assign" version="opset6"><output><port id="1"/></output></layer>'
    text = b'<net name="m" version="11"><layers>%s</layers><edges/></net>' % sets
    with pytest.raises(
        InvalidModelError,
        match="layer 'sets' sets a variable, which OpenVINO takes only with what ",
    ):
        ovgather.extract(text, "sets")
    page = b'<layer name="a" type="Abs" version="opset1"><output><port id="0"><dim>3</dim></port></output></layer>'
    with pytest.raises(
        InvalidModelError,
        match="layer 'a', a 'Abs', has no id that can be read: of such layers only ",
    ):
        ovgather.extract(page, "a")


@pytest.mark.parametrize(
    ("path", "layer"),
    [
        (
            ROOT / "samples_xml" / "rules" / "OVG201" / "bad-5.xml",
            "pick",
        ),  # a third port, which no edge feeds
        (DATA / "schemas" / "if_v10.xml", "indices"),  # a Parameter with tensor names
        (DATA / "schemas" / "if_v10.xml", "choose/else_body/d"),
    ],
)
def test_what_only_version_10_takes_or_rejects(
    path: Path, layer: str, tmp_path: Path
) -> None:
    assert "error" not in [found.severity for found in ovgather.validate(path)]
    made = ovgather.extract(path, layer).write(tmp_path / "out.xml")[0]
    assert [
        found for found in ovgather.validate(made) if found.severity == "error"
    ] == []


def test_a_result_that_has_an_output(tmp_path: Path) -> None:
    """No Result is added behind it, since none may stand behind a Result."""
    path = tmp_path / "m.xml"
    text = (DEMO / "good.xml").read_text()
    head, separator, tail = text.rpartition("</input>")
    port = '<output><port id="1" precision="FP32"/></output>'
    path.write_text(head + separator + port + tail)
    result = ovgather.read(path).graph.layers[-1]
    assert result.type == "Result"
    written = ovgather.extract(path, f"#{result.id}").write(tmp_path / "out.xml")[0]
    layers = ovgather.read(written).graph.layers
    assert [layer.type for layer in layers] == ["Parameter", "Result"]
