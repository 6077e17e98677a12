"""``validate --with-openvino``: what OpenVINO says stands under the finding it belongs to, or where it points."""

from __future__ import annotations

import io
import json
import os
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

import pytest
from paths import SAMPLES

from ovgather import schemas
from ovgather.cli.main import run
from ovgather.ir.read import read
from ovgather.report import render
from ovgather.runtimes import load as loading
from ovgather.runtimes.load import Complaint, Load, load
from ovgather.validation.check import check_file
from ovgather.validation.checked import Checked
from ovgather.validation.openvino_opinion import ask, clues, tell
from ovgather.validation.plan import Plan

RULES = SAMPLES / "rules"
GOOD = (RULES / "OVG203" / "good.xml").read_text(encoding="utf-8")
requires_openvino = pytest.mark.skipif(
    find_spec("openvino") is None, reason="openvino is not installed"
)


def told(
    text: str | bytes, message: str, verdict: str = "rejects", stage: str = "read_model"
) -> Checked:
    data = text.encode() if isinstance(text, str) else text
    return tell(check_file(data), Complaint(verdict, stage, message), read(data))


def own(checked: Checked) -> list[tuple[str, str, int, int]]:
    """The finding that OpenVINO's words make by themselves, if they do."""
    found = [found for found in checked.diagnostics if found.code == "OVG900"]
    return [(each.severity, each.openvino, each.line, each.column) for each in found]


def under(checked: Checked) -> list[tuple[str, str | None]]:
    """The findings that have OpenVINO's words under them."""
    return [
        (found.code, found.openvino_message)
        for found in checked.diagnostics
        if found.openvino_message
    ]


class TestWhereItPoints:
    """A sound file, and complaints that are made up."""

    @pytest.mark.parametrize(
        ("message", "line", "column"),
        [
            (
                "node <layer> is missing mandatory attribute: version at offset 560",
                16,
                6,
            ),
            (
                "Cannot create GatherElements layer pick id:2 from unsupported opset: opset6",
                16,
                37,
            ),
            ("GatherElements layer pick with id: 2 is inconsistent!", 16, 37),
            ("Can not find input port with id 7 in layer indices", 10, 40),
            ("CPU plug-in doesn't support this. Operation name: data", 4, 37),
            ("GatherElements node with name 'pick' has unsupported precision", 16, 37),
            (
                "While validating node 'opset6::GatherElements GatherElements_5 (opset1::Parameter data[0]:f32[3,7,5], "
                "opset1::Parameter indices[0]:i64[3,10,5]) -> ()' with friendly_name 'GatherElements_5': bad",
                *(16, 37),
            ),
            (
                "Opset opset6 doesn't contain the operation with type: GatherElements",
                16,
                37,
            ),
            ("something else", 2, 2),
        ],
    )
    def test_it_is_a_finding_there(self, message: str, line: int, column: int) -> None:
        assert own(told(GOOD, message)) == [("error", "rejects", line, column)]

    def test_its_words(self) -> None:
        (found,) = told(GOOD, "something else").diagnostics
        assert (
            found.message == "OpenVINO rejects the file in read_model: something else"
        )

    def test_a_crash(self) -> None:
        checked = told(
            GOOD, "OpenVINO died in compile_model: SIGFPE", "crashes", "compile_model"
        )
        assert own(checked) == [("error", "crashes", 2, 2)]
        assert (
            checked.diagnostics[0].message == "OpenVINO died in compile_model: SIGFPE"
        )

    def test_killed_from_outside(self) -> None:
        assert own(told(GOOD, "OpenVINO died in read_model: SIGKILL", "killed")) == [
            ("error", "undefined", 2, 2)
        ]

    def test_what_it_may_follow_from(self) -> None:
        bad = GOOD.replace('shape="3,10,5"', 'shape="3,11,5"')
        checked = told(bad, "Operation name: pick")
        (found,) = [found for found in checked.diagnostics if found.code == "OVG900"]
        assert (
            found.help
            == 'it may follow from OVG212 in line 11: layer 1 "indices" flows into this one'
        )
        assert [
            found.help for found in told(GOOD, "Operation name: pick").diagnostics
        ] == [None]

    def test_no_answer(self) -> None:
        assert own(told(GOOD, "no answer within 5 s (read_model)", "timeout")) == [
            ("error", "undefined", 2, 2)
        ]

    @pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-32"])
    def test_offsets_count_the_mark(self, encoding: str) -> None:
        assert own(
            told(GOOD.encode(encoding), "dimension (x) in node dim: at offset 563")
        ) == [("error", "rejects", 16, 6)]

    def test_an_offset_past_the_end(self) -> None:
        assert own(told(GOOD, "odd at offset 99999999")) == [
            ("error", "rejects", 37, 7)
        ]

    def test_a_name_that_two_layers_have(self) -> None:
        twice = GOOD.replace('name="indices"', 'name="data"')
        assert [
            layer.id
            for layer in clues("Operation name: data", read(twice.encode())).layers
        ] == [0, 1]


class TestWhereItBelongs:
    def test_the_finding_at_the_offset(self) -> None:
        bad = GOOD.replace("<dim>10</dim>", "<dim>?</dim>", 1).replace(
            'axis="1"', 'axis="one"'
        )
        message = (
            "dimension (?) in node dim must be greater or equal to -1: at offset 494"
        )
        assert under(told(bad, message)) == [("OVG207", f"read_model: {message}")]

    def test_the_finding_with_the_text(self) -> None:
        bad = GOOD.replace("<dim>10</dim>", "<dim>?</dim>", 1).replace(
            'axis="1"', 'axis="one"'
        )
        checked = told(bad, "Cannot parse 'one' to number")
        assert under(checked) == [
            ("OVG103", "read_model: Cannot parse 'one' to number")
        ]
        assert own(checked) == []

    def test_the_only_one_that_can_be_meant(self) -> None:
        assert [
            code
            for code, _ in under(
                told(GOOD.replace('axis="1"', 'axis="one"'), "stoll or so")
            )
        ] == ["OVG103"]

    def test_not_one_of_another_layer(self) -> None:
        checked = told(
            GOOD.replace('axis="1"', 'axis="one"'),
            "Can not find output port with id 7 in layer data",
        )
        assert (under(checked), own(checked)) == ([], [("error", "rejects", 4, 37)])

    def test_not_one_that_openvino_accepts(self) -> None:
        checked = told(GOOD.replace('axis="1"', 'axis="1.9"'), "something else")
        assert (under(checked), len(own(checked))) == ([], 1)

    def test_not_when_two_could_be_meant(self) -> None:
        bad = GOOD.replace("<dim>10</dim>", "<dim>?</dim>", 1).replace(
            'axis="1"', 'axis="one"'
        )
        checked = told(bad, "something else")
        assert (under(checked), len(own(checked))) == ([], 1)

    def test_one_that_is_suppressed(self) -> None:
        comment = "<!-- ovgather: ignore OVG103 it is mended on the way --><data axis"
        bad = GOOD.replace('axis="1"', 'axis="one"').replace("<data axis", comment)
        checked = told(bad, "Cannot parse 'one' to number")
        assert checked.diagnostics == []

    def test_it_can_be_suppressed_itself(self) -> None:
        text = GOOD.replace(
            "<layers>",
            "<!-- ovgather: ignore-file OVG900 needs an extension --><layers>",
        )
        checked = told(text, "something else")
        assert checked.diagnostics == []
        assert [entry.diagnostic.code for entry in checked.suppressed] == ["OVG900"]


class TestOutput:
    CHECKED = told(
        GOOD.replace('axis="1"', 'axis="one"'), "Cannot parse 'one' to number"
    )

    def test_text(self) -> None:
        assert "= OpenVINO says: read_model: Cannot parse 'one' to number\n" in render(
            "validate", "text", [self.CHECKED]
        )

    def test_json(self) -> None:
        jsonschema = pytest.importorskip(
            "jsonschema", reason="jsonschema is not installed"
        )
        document = json.loads(render("validate", "json", [self.CHECKED]))
        jsonschema.validate(document, schemas.load("validate"))
        (found,) = document["files"][0]["diagnostics"]
        assert found["openvino_message"] == "read_model: Cannot parse 'one' to number"


FAKE = """
import os, sys
from ovgather.runtimes import wire
wire.send(sys.stdout.buffer, {"version": "0", "devices": ["CPU"]})
while (frame := wire.receive(sys.stdin.buffer)) is not None:
    wire.send(sys.stdout.buffer, {"stage": "read_model"})
    %s
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("deed", "complaint"),
    [
        (
            "os.abort()",
            Complaint("crashes", "read_model", "OpenVINO died in read_model: SIGABRT"),
        ),
        (
            "import signal; os.kill(os.getpid(), signal.SIGKILL)",
            Complaint(
                "killed",
                "read_model",
                "OpenVINO died in read_model: SIGKILL: something ended it, perhaps for want of memory",
            ),
        ),
        (
            "import time; time.sleep(60)",
            Complaint("timeout", "read_model", "no answer within 1 s (read_model)"),
        ),
        (
            "wire.send(sys.stdout.buffer, {'error': 'Exception from a:1:\\nstoll', 'stage': 'read_model'})",
            Complaint("rejects", "read_model", "stoll"),
        ),
        ("wire.send(sys.stdout.buffer, {'loaded': True})", None),
    ],
)
def test_what_a_child_does(
    deed: str, complaint: Complaint | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(loading, "require", lambda runtime: None)
    monkeypatch.setattr(
        loading.pool, "command", lambda: [sys.executable, "-c", FAKE % deed]
    )
    assert load([Load("m.xml")], timeout=1.0 if "sleep" in deed else 60.0) == [
        complaint
    ]


class Done(NamedTuple):
    code: int
    out: str
    err: str


def validate(capfd: pytest.CaptureFixture[str], *arguments: str) -> Done:
    code = run(["validate", "--isolated", *arguments])
    out, err = capfd.readouterr()
    return Done(code, out, err)


def test_missing_openvino(
    capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "openvino", None)
    done = validate(capfd, "--with-openvino", str(SAMPLES / "demo" / "good.xml"))
    assert (done.code, done.out) == (5, "")
    assert (
        done.err
        == 'ovgather: openvino is not installed: pip install ".[openvino]" in the checkout of ovgather\n'
    )


@requires_openvino
class TestOpenVINO:
    @pytest.mark.slow
    def test_every_sample_that_it_refuses_has_a_finding_that_says_so(self) -> None:
        paths = [str(path) for path in sorted(RULES.rglob("*.xml"))]
        plan = Plan()
        results = ask(map(plan.check, paths), plan)
        refused = 0
        for path, checked in zip(paths, results, strict=True):
            said = under(checked)
            refused += bool(said)
            assert own(checked) == [], path
            assert len(said) <= 1
            assert not said or Path(path).name.startswith("bad"), path
        assert refused > 60

    def test_reading(self, capfd: pytest.CaptureFixture[str]) -> None:
        done = validate(capfd, "--with-openvino", str(RULES / "OVG103" / "bad-2.xml"))
        assert "= OpenVINO says: read_model: Cannot parse '+1' to number\n" in done.out
        assert done.code == 1

    def test_compiling(self, capfd: pytest.CaptureFixture[str]) -> None:
        path = str(RULES / "OVG403" / "bad-3.xml")
        assert "OpenVINO says" not in validate(capfd, "--with-openvino", path).out
        done = validate(capfd, "--with-openvino=compile", path)
        assert "= OpenVINO says: OpenVINO died in compile_model: SIGSEGV" in done.out

    def test_a_sound_file(self, capfd: pytest.CaptureFixture[str]) -> None:
        done = validate(
            capfd, "--with-openvino=compile", str(SAMPLES / "demo" / "good.xml")
        )
        assert (done.code, "OpenVINO says" in done.out) == (0, False)

    def test_weights_that_are_given(
        self, capfd: pytest.CaptureFixture[str], tmp_path: Path
    ) -> None:
        path = tmp_path / "m.xml"
        path.write_bytes((SAMPLES / "demo" / "good.xml").read_bytes())
        weights = ("--weights", str(SAMPLES / "demo" / "good.bin"))
        assert (
            "OpenVINO says"
            not in validate(capfd, "--with-openvino", *weights, str(path)).out
        )
        done = validate(capfd, "--with-openvino", "--format", "json", str(path))
        assert done.err == ""
        (found,) = json.loads(done.out)["files"][0]["diagnostics"]
        assert (found["code"], "Empty weights" in found["openvino_message"]) == (
            "OVG008",
            True,
        )

    def test_standard_input(
        self, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        bad = GOOD.replace('version="opset6"', 'version="opset5"').encode()
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(bad)))
        done = validate(capfd, "--with-openvino", "-")
        assert (
            "OpenVINO says: read_model: Opset opset5 doesn't contain the operation"
            in done.out
        )

    def test_after_fixing(
        self, capfd: pytest.CaptureFixture[str], tmp_path: Path
    ) -> None:
        path = tmp_path / "m.xml"
        path.write_text(GOOD.replace('axis="1"', 'axis="+1"'), encoding="utf-8")
        done = validate(capfd, "--fix", "--with-openvino", str(path))
        assert (done.code, "OpenVINO says" in done.out) == (0, False)

    def test_a_file_that_is_not_there(self, capfd: pytest.CaptureFixture[str]) -> None:
        done = validate(capfd, "--with-openvino", "none.xml")
        assert (done.code, "OpenVINO says" in done.out) == (4, False)

    def test_a_name_with_a_blank_and_letters_of_any_kind(
        self, capfd: pytest.CaptureFixture[str], tmp_path: Path
    ) -> None:
        path = tmp_path / "mödel 1.xml"
        path.write_text(
            GOOD.replace('version="opset6"', 'version="opset5"'), encoding="utf-8"
        )
        assert (
            "OpenVINO says: read_model: Opset opset5"
            in validate(capfd, "--with-openvino", str(path)).out
        )

    @pytest.mark.skipif(
        sys.platform != "linux", reason="names are any bytes only there"
    )
    def test_a_name_that_is_no_text(
        self, capfdbinary: pytest.CaptureFixture[bytes], tmp_path: Path
    ) -> None:
        for suffix in (".xml", ".bin"):
            target = os.path.join(os.fsencode(tmp_path), b"m\xff" + suffix.encode())
            Path(os.fsdecode(target)).write_bytes(
                (SAMPLES / "demo" / f"good{suffix}").read_bytes()
            )
        code = run(["validate", "--isolated", "--with-openvino", str(tmp_path)])
        assert (code, b"OpenVINO says" in capfdbinary.readouterr().out) == (0, False)
