"""Files beside a model: links are followed where they lead to what was brought along, and nowhere else."""

from __future__ import annotations

import os
import struct
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from side_files import (
    BIN,
    FOLLOWED,
    IR,
    REFUSED,
    SECRET,
    anywhere,
    in_a_folder,
    in_a_hub,
    link,
    put,
)

import ovgather
from ovgather.cli.main import run
from ovgather.files import side
from ovgather.files.side import SideFileError, open_side_file
from ovgather.ir.constants import Weights
from ovgather.verbs.run import prepare

pytestmark = pytest.mark.skipif(
    not hasattr(os, "mkfifo"), reason="no links and no pipes"
)


def opened(model: Path, name: str = "m.bin", follow_links: bool = False) -> str:
    """``open``, or the kind of the refusal."""
    try:
        open_side_file(str(model), name, follow_links).close()
    except SideFileError as error:
        return error.kind
    return "open"


@pytest.mark.parametrize("make", FOLLOWED)
def test_links_that_are_followed(
    make: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = make(tmp_path)
    assert [each for each in ovgather.validate(model) if each.severity != "note"] == []
    monkeypatch.chdir(model.parent)
    for path in (model, "m.xml", "./m.xml"):
        weights = ovgather.read(path).weights
        assert weights is not None
        assert bytes(weights.read(0, 56) or b"") == BIN


@pytest.mark.parametrize("make", REFUSED)
def test_links_that_are_not(
    make: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = make(tmp_path)
    for path in (str(model), model):
        assert ovgather.read(path).weights is None
        (found,) = ovgather.validate(path)
        assert (found.code, found.severity) == ("OVG008", "warning")
        assert (
            found.message
            == "the .bin is not used: 'm.bin' leads out of the folder of the model"
        )
        real = os.path.realpath(model.with_suffix(".bin"))
        assert found.help == f"it is a link to {real}: --follow-links follows it"
    monkeypatch.chdir(model.parent)
    assert ovgather.read("m.xml").weights is None
    # Both ways to allow it.
    for held in (
        ovgather.read(model, follow_links=True),
        ovgather.read(model, model.with_suffix(".bin")),
    ):
        assert held.weights is not None
        assert bytes(held.weights.read(0, 5) or b"") == b"root:"


def test_names(tmp_path: Path) -> None:
    model = put(tmp_path / "m" / "m.xml", IR)
    put(tmp_path / "secret", SECRET)
    put(tmp_path / "m" / "deep" / "w", BIN)
    link(tmp_path / "m" / "up", "..")
    for name, kind in {
        "deep/w": "open", "deep/../deep/w": "open", "./deep/w": "open", "deep//w": "open", "deep": "special",
        "../secret": "outside", "deep/../../secret": "outside", str(tmp_path / "secret"): "outside", "..": "outside",
        "up/secret": "link", "up/m/deep/w": "open", "absent": "missing", "deep/absent": "missing", "m\0": "outside",
        "deep/w/x": "missing", "x" * 300: "missing", ".": "special", "m.xml/../m.xml": "missing",
    }.items():  # fmt: skip
        assert opened(model, name) == kind, name
    # A name that leads out of the folder is never allowed; a link that does is.
    assert opened(model, "../secret", follow_links=True) == "outside"
    assert opened(model, "up/secret", follow_links=True) == "open"


def test_what_is_no_file(tmp_path: Path) -> None:
    model = put(tmp_path / "m.xml", IR)
    beside = tmp_path / "m.bin"
    os.mkfifo(beside)
    for target, words in (
        (None, "m.bin: a pipe, not a file"),
        ("/dev/zero", "m.bin: a device, not a file"),
        ("pipe", "m.bin: a pipe, not a file"),
        ("folder", "m.bin: a folder, not a file"),
        ("absent", f"m.bin is a link to {tmp_path / 'absent'}: no such file"),
        ("m.bin", "m.bin is a link to"),
    ):
        if target is not None:
            beside.unlink()
            link(beside, target)
        (tmp_path / "folder").mkdir(exist_ok=True)
        if not (tmp_path / "pipe").exists():
            os.mkfifo(tmp_path / "pipe")
        (found,) = ovgather.validate(ovgather.read(model, follow_links=True))
        assert (found.code, found.severity) == ("OVG008", "warning")
        assert words in found.message
    beside.unlink()
    beside.mkdir()
    assert "m.bin: a folder, not a file" in ovgather.validate(model)[0].message
    # One that is named on purpose is an error, and is not waited for.
    (found,) = ovgather.validate(model, tmp_path / "pipe")
    assert (found.severity, found.message.split("weights ")[1]) == (
        "error",
        f"{tmp_path / 'pipe'}: a pipe, not a file",
    )


@pytest.mark.parametrize(
    "verb", ["run", "show", "listing", "extract", "infer", "convert"]
)
@pytest.mark.parametrize("foreign", [False, True])
def test_no_verb_tells_what_is_not_the_model_s(
    verb: str,
    foreign: bool,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: Any,
) -> None:
    """Neither what a link leads to, nor a ``.bin`` that rule OVG407 calls that of another file."""
    if verb == "convert" and find_spec("onnx") is None:
        pytest.skip("onnx is not installed")
    model = put(tmp_path / "m.xml", IR) if foreign else anywhere(tmp_path)
    if foreign:
        put(tmp_path / "m.bin", SECRET)
    monkeypatch.chdir(model.parent)
    commands = {
        "run": ["run", "m.xml"],
        "show": ["show", "m.xml", "--layer", "pick"],
        "listing": ["show", "m.xml"],
        "extract": ["extract", "m.xml", "-o", "out.xml"],
        "infer": ["infer", "m.xml"],
        "convert": ["convert", "m.xml", "-o", "out.onnx"],
    }
    code = run(commands[verb])
    said = capfd.readouterr()
    assert code == 0
    written = b"".join(path.read_bytes() for path in Path().glob("out.*"))
    eight = [SECRET[48:56], SECRET[:8]]
    assert not any(piece in written for piece in eight)
    for number in (struct.unpack("<q", piece)[0] for piece in eight):
        assert str(number) not in said.out + said.err
    assert "axis 0" in said.out or verb in ("run", "extract", "convert")
    if verb != "infer":
        why = (
            "m.bin belongs to another model"
            if foreign
            else "'m.bin' leads out of the folder of the model"
        )
        assert f"no values are taken from the .bin: {why}" in said.err + said.out
    if not foreign:
        put(tmp_path / "secret", BIN)
        options = ["--force"] if verb in ("extract", "convert") else []
        assert run([*commands[verb], "--follow-links", *options]) == 0
        said = capfd.readouterr()
        assert "no values are taken" not in said.out + said.err
        if verb == "run":
            assert "(constant of the file)" in said.out
        if verb == "extract":
            assert Path("out.bin").read_bytes() == BIN


def test_the_axis_of_another_model_is_in_no_message(tmp_path: Path) -> None:
    model = put(tmp_path / "m.xml", IR)
    put(tmp_path / "m.bin", SECRET)
    found = [item for item in ovgather.validate(model) if item.severity == "error"]
    assert [item.code for item in found] == ["OVG407"]
    assert str(struct.unpack("<q", SECRET[48:56])[0]) not in str(found)
    with pytest.raises(
        ovgather.InvalidModelError, match=r"cannot be run with axis|is not known"
    ):
        prepare(ovgather.read(model), "pick", axis=1).run()


@pytest.mark.skipif(find_spec("openvino") is None, reason="openvino is not installed")
def test_openvino_is_asked_without_the_bin_that_is_refused(
    tmp_path: Path, capfd: Any
) -> None:
    """It would follow the link, and wait for the pipe."""
    linked, pipe = anywhere(tmp_path), put(tmp_path / "pipe" / "m.xml", IR)
    os.mkfifo(tmp_path / "pipe" / "m.bin")
    put(tmp_path / "foreign" / "m.bin", SECRET)
    foreign = put(tmp_path / "foreign" / "m.xml", IR)
    paths = [str(linked), str(pipe), str(foreign)]
    assert (
        run(["validate", *paths, "--with-openvino", "--format", "json", "--jobs", "1"])
        == 1
    )
    out = capfd.readouterr().out
    assert out.count("read_model: Incorrect weights in bin file!") == 2
    assert str(struct.unpack("<q", SECRET[48:56])[0]) not in out
    put(tmp_path / "secret", BIN)
    assert run(["validate", str(linked), "--with-openvino", "--follow-links"]) == 0


@pytest.mark.skipif(
    find_spec("onnxruntime") is None, reason="onnxruntime is not installed"
)
def test_both_formats_have_one_rule(tmp_path: Path) -> None:
    """And ONNX Runtime is told where the links of a hub lead, for by itself it follows none out of a folder."""
    import onnx

    table = onnx.TensorProto(name="table", data_type=1, dims=[4, 3], data_location=1)
    for key, value in (("location", "m.bin"), ("length", "48")):
        table.external_data.add(key=key, value=value)
    made = onnx.parser.parse_model("""<ir_version: 8, opset_import: ["" : 13]>
        m (int64[2] ids) => (float[2, 3] y) { [pick] y = Gather (table, ids) }""")
    made.graph.initializer.append(table)
    data = made.SerializeToString()
    for make in (*FOLLOWED, *REFUSED):
        top = tmp_path / make.__name__
        model = make(top)
        model.resolve().write_bytes(data)
        if model.name == "m.xml":
            model = model.rename(model.with_suffix(".onnx"))
        refused = make in REFUSED
        findings = [
            each for each in ovgather.validate(model) if each.severity != "note"
        ]
        (found,) = findings if refused else [None]
        if found is None:
            assert [
                each for each in ovgather.validate(model) if each.severity != "note"
            ] == []
        else:
            message = "external data of tensor \"table\": 'm.bin' leads out of the folder of the model"
            assert (found.code, found.severity, found.message) == (
                "OVG802",
                "error",
                message,
            )
            assert found.help is not None
            assert found.help.endswith("--follow-links follows it")
        assert [
            each
            for each in ovgather.validate(model, follow_links=True)
            if each.severity != "note"
        ] == []
        assert bool(run(["run", str(model)])) == refused
        assert run(["run", str(model), "--follow-links"]) == 0
        if make in (in_a_hub, in_a_folder, anywhere):
            report = ovgather.crosscheck(model, follow_links=make is anywhere)
            # OpenVINO follows no link to external data.
            own = [
                record
                for record in report.records
                if not record.reason.startswith("OpenVINO does not convert")
            ]
            assert {record.verdict for record in own} == {"equal"}, report
    report = ovgather.crosscheck(tmp_path / "anywhere" / "m" / "m.onnx")
    assert {(record.variant, record.verdict) for record in report.records} == {
        ("alone", "error"),
        ("in-place", "skipped"),
    }


def test_a_file_without_addresses_is_mapped_in_parts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = put(tmp_path / "m.bin", bytes(range(256)) * 64)
    start = (
        "import resource; from ovgather.ir.constants import Weights;"
        "resource.setrlimit(resource.RLIMIT_AS, (1 << 30, 1 << 30));"
        f"weights = Weights.of(open({str(path)!r}, 'rb'), '');"
        "print(weights.size, bytes(weights.read((1 << 33) + 5, 3)), weights.read((1 << 34) - 2, 3))"
    )
    if sys.platform == "linux":
        with open(path, "r+b") as file:
            file.seek((1 << 33) + 5)
            file.write(b"abc")
            file.truncate(1 << 34)
        done = subprocess.run(
            [sys.executable, "-c", start], capture_output=True, text=True, timeout=60
        )
        assert done.stdout == "17179869184 b'abc' None\n", done.stderr
    whole = Weights(bytes(3))
    assert (whole.size, bytes(whole.read(1, 2) or b"")) == (3, b"\0\0")


@pytest.mark.skipif(not hasattr(os, "set_blocking"), reason="nothing waits")
def test_a_file_that_has_nothing_to_give_yet_is_none() -> None:
    """Python gives None in the place of bytes, as for ``/proc/kmsg``."""
    reader, writer = os.pipe()
    os.set_blocking(reader, False)
    with side._Whole(reader) as file, pytest.raises(OSError, match="unavailable"):
        file.readall()
    os.close(writer)
