"""What is said of files that run as meant: once, as a note where nothing is wrong, and of the part that is wrong."""

from __future__ import annotations

import json
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from small_models import constant, i64, layer, net, parameter, result

from ovgather import validate
from ovgather.cli.main import run
from ovgather.validation.diagnostic import Diagnostic
from ovgather.verbs.infer import infer


def findings(text: str, code: str, weights: bytes | None = None) -> list[Diagnostic]:
    return [
        finding for finding in validate(text.encode(), weights) if finding.code == code
    ]


def chain(*names: str, between: str = "") -> str:
    """A Parameter and ReLU layers behind each other, whose outputs have ``names``; the last one feeds a Result."""
    layers = [parameter(0, "3", "f32", "FP32 3", "p")]
    layers += [
        layer(k, "ReLU", "opset1", "", ("FP32 3",), ("FP32 3",))
        for k in range(1, len(names))
    ]
    texts = []
    for text, name in zip(layers, names, strict=True):
        start, output, end = text.partition("<output>")
        texts.append(
            start
            + output
            + end.replace('precision="FP32"', f'precision="FP32" names="{name}"', 1)
        )
    last = len(names) - 1
    edges = [f"{k}:{min(k, 1)}-{k + 1}:0" for k in range(last)]
    return net(*texts, result(99, "FP32 3"), edges=" ".join([*edges, f"{last}:1-99:0"]))


class TestNames:
    def test_names_inside_are_one_note(self) -> None:
        [note] = findings(chain("x", "x", "y", "y", "a,,b", "z"), "OVG213")
        assert note.severity == "note"
        assert (
            note.message
            == "3 tensor names inside the model are lost or changed: 'x', 'y', 'a,,b'"
        )
        assert [each.message for each in note.related] == [
            "tensor name 'y' is taken by layer 2 \"relu\"",
            "names 'a,,b' has an empty item",
        ]

    def test_one_name_inside(self) -> None:
        [note] = findings(chain("x", "x", "z"), "OVG213")
        assert (note.severity, note.related) == ("note", ())
        assert note.message.startswith("tensor name 'x' is taken by layer 0 ")

    def test_what_users_see_is_a_warning(self) -> None:
        first, second = findings(chain("x", "y", "y", "y", "x"), "OVG213")
        assert (first.severity, first.message[:21]) == ("note", "2 tensor names inside")
        assert second.severity == "warning"
        assert second.message.startswith("tensor name 'x' is taken by layer 0 ")

    def test_an_output_of_the_model_keeps_its_name(self) -> None:
        [note] = findings(chain("p", "y", "y"), "OVG213")
        assert note.severity == "note"
        assert note.layer is not None
        assert note.layer.id == "1"

    @pytest.mark.skipif(
        find_spec("openvino") is None, reason="openvino is not installed"
    )
    def test_as_openvino_does(self, tmp_path: Path) -> None:
        (tmp_path / "m.xml").write_text(chain("x", "x", "x"), encoding="utf-8")
        program = (
            "import sys, json, openvino; model = openvino.Core().read_model(sys.argv[1]);"
            "print(json.dumps([[*node.output(0).get_names()] for node in model.get_ordered_ops()]))"
        )
        done = subprocess.run(
            [sys.executable, "-c", program, str(tmp_path / "m.xml")],
            capture_output=True,
            text=True,
            timeout=100,
        )
        parameter_names, inner, output, _ = json.loads(done.stdout)
        assert (parameter_names, output, inner) == (["x"], ["x_1"], ["x_2"])


class TestWeights:
    def write(self, folder: Path, number: int) -> None:
        text = net(
            constant(0, "2", "f32", 0, 8, "FP32 2"),
            result(1, "FP32 2"),
            edges="0:0-1:0",
        )
        for index in range(number):
            (folder / f"m{index}.xml").write_text(text, encoding="utf-8")

    def printed(self, capfdbinary: Any, folder: Path, format: str) -> str:
        assert run(["validate", str(folder), "--format", format]) == 0
        return str(capfdbinary.readouterr().out.decode())

    def test_one_line_for_a_run(self, tmp_path: Path, capfdbinary: Any) -> None:
        self.write(tmp_path, 3)
        text = self.printed(capfdbinary, tmp_path, "text")
        assert text.count("OVG008") == 1
        assert text.startswith("warning[OVG008]: 3 files have no .bin: ")
        assert "\n3 warnings in 3 files" in text
        [line] = self.printed(capfdbinary, tmp_path, "concise").splitlines()
        assert line.startswith(str(tmp_path / "m0.xml"))
        assert line.endswith(" (so it is for 2 other files)")

    def test_programs_get_one_for_each_file(
        self, tmp_path: Path, capfdbinary: Any
    ) -> None:
        self.write(tmp_path, 3)
        document = json.loads(self.printed(capfdbinary, tmp_path, "json"))
        assert [
            [each["code"] for each in file["diagnostics"]] for file in document["files"]
        ] == [["OVG008"]] * 3
        for format in ("sarif", "junit", "github", "gitlab"):
            assert (
                self.printed(capfdbinary, tmp_path, format).count(
                    "no .bin beside the file"
                )
                >= 3
            )

    def test_one_file_is_shown_with_its_place(
        self, tmp_path: Path, capfdbinary: Any
    ) -> None:
        self.write(tmp_path, 1)
        assert " --> " in self.printed(capfdbinary, tmp_path, "text")


class TestExtensions:
    def text(self, *kinds: tuple[str, str]) -> str:
        layers = [
            layer(k, kind, version, "", (), ("FP32 3",))
            for k, (kind, version) in enumerate(kinds)
        ]
        results = [result(10 + k, "FP32 3") for k in range(len(kinds))]
        return net(
            *layers,
            *results,
            edges=" ".join(f"{k}:0-{10 + k}:0" for k in range(len(kinds))),
        )

    def test_one_finding_for_an_extension(self) -> None:
        kinds = [
            ("VocabDecoder", "extension"),
            ("CaseFold", "extension"),
            ("CaseFold", "extension"),
        ]
        [warning] = findings(self.text(*kinds), "OVG107")
        assert (warning.severity, warning.openvino, len(warning.related)) == (
            "warning",
            "rejects",
            2,
        )
        assert warning.message == (
            "version 'extension' of 3 layers is not an OpenVINO opset: VocabDecoder, CaseFold"
        )

    def test_each_extension_has_its_own(self) -> None:
        """A type that OpenVINO itself has is of no extension."""
        kinds = [
            ("A", "extension"),
            ("B", "extension"),
            ("A", "mine"),
            ("Gather", "extension"),
            ("B", "opset_6"),
        ]
        assert [
            (each.severity, len(each.related))
            for each in findings(self.text(*kinds), "OVG107")
        ] == [
            ("warning", 1),
            ("warning", 0),
            ("error", 0),
            ("error", 0),
        ]

    def test_the_name_of_an_opset_of_ones_own(self) -> None:
        assert [
            each.severity
            for each in findings(self.text(("Template", "custom_opset")), "OVG107")
        ] == ["warning"]
        assert [
            each.severity
            for each in findings(self.text(("Template", "my_opset6")), "OVG107")
        ] == ["error"]

    def test_a_file_without_any_version(self) -> None:
        text = (
            self.text(("A", "1"), ("B", "1"))
            .replace('version="1"', "")
            .replace('version="opset1"', "")
        )
        [error] = findings(text, "OVG101")
        assert len(error.related) == 3


class TestAxis:
    def gather(self, data: str, indices: str, declared: str) -> str:
        return net(
            parameter(0, data, "f32", f"FP32 {data}".replace("?", "-1"), "data"),
            parameter(
                1, indices, "i64", f"I64 {indices}".replace("?", "-1"), "indices"
            ),
            constant(2, "", "i64", 0, 8, "I64 "),
            layer(
                3,
                "Gather",
                "opset8",
                'batch_dims="0"',
                (
                    f"FP32 {data}".replace("?", "-1"),
                    f"I64 {indices}".replace("?", "-1"),
                    "I64 ",
                ),
                (f"FP32 {declared}".replace("?", "-1"),),
            ),
            result(4, f"FP32 {declared}".replace("?", "-1")),
            edges="0:0-3:0 1:0-3:1 2:0-3:2 3:3-4:0",
        )

    def test_data_of_rank_1(self) -> None:
        [found] = infer(self.gather("5", "2", "2").encode()).layers
        assert (found.axis, found.axis_source, found.status) == (0, "ports", "match")
        [found] = infer(self.gather("?", "?", "?").encode()).layers
        assert (found.axis, found.axis_source, found.status) == (0, "ports", "match")
        [found] = infer(self.gather("5", "2", "2").encode(), i64(-1)).layers
        assert (found.axis, found.axis_source) == (-1, "const")

    def test_a_declared_shape_that_an_axis_gives(
        self, tmp_path: Path, capfdbinary: Any
    ) -> None:
        path = tmp_path / "m.xml"
        path.write_text(self.gather("100,32", "?,?", "?,?,32"), encoding="utf-8")
        assert run(["infer", str(path)]) == 0
        assert (
            "-> [?,?,32] f32 (declared)  unknown: "
            in capfdbinary.readouterr().out.decode()
        )
        assert run(["infer", "--format", "json", str(path)]) == 0
        [found] = json.loads(capfdbinary.readouterr().out)["files"][0]["layers"]
        assert found["output"] == {
            "shape": "[?,?,32]",
            "element_type": "f32",
            "source": "declared",
        }
        assert (found["axis"], found["status"]) == (None, "unknown")

    def test_a_declared_shape_that_no_axis_gives(self) -> None:
        [found] = infer(self.gather("?,?", "?,?", "7,?,?").encode()).layers
        assert found.output is not None
        assert (found.output.shape, found.output.is_declared) == ("[?,?,?]", False)


def test_a_body_that_declares_the_shape_of_all_slices() -> None:
    body = net(
        parameter(0, "1,2", "f32", "FP32 1,2"),
        constant(1, "1", "i64", 0, 8, "I64 1"),
        layer(2, "Unsqueeze", "opset1", "", ("FP32 1,2", "I64 1"), ("FP32 3,1,2",)),
        result(3, "FP32 3,1,2"),
        edges="0:0-2:0 1:0-2:1 2:2-3:0",
    )
    inside = body[body.index("<layers>") : body.index("</net>")]
    maps = (
        '<port_map><input external_port_id="0" internal_layer_id="0" axis="0"/>'
        '<output external_port_id="1" internal_layer_id="3" axis="0"/></port_map>'
    )
    loop = layer(1, "TensorIterator", "opset1", "", ("FP32 3,2",), ("FP32 3,1,2",))
    loop = loop.replace("</layer>", f"{maps}<body>{inside}</body></layer>")
    text = net(
        parameter(0, "3,2", "f32", "FP32 3,2"),
        loop,
        result(2, "FP32 3,1,2"),
        edges="0:0-1:0 1:1-2:0",
    )
    [error] = findings(text, "OVG215", i64(0))
    assert error.layer is not None
    message = "output 0 is declared [3,1,2], but the layer computes [1,1,2]"
    assert (error.layer.type, error.message) == ("Unsqueeze", message)


def test_names_that_stand_in_no_layer() -> None:
    port = '<port id="0" names="a,,b"/>'
    assert (
        findings(
            f'<net name="n" version="11"><edges>{port}</edges><layers/></net>', "OVG213"
        )
        == []
    )
