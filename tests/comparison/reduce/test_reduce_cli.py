"""``ovgather reduce``: what it prints, what it writes, and its exit codes."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from crosscheck_models import gather_model, requires_openvino
from reduce_trials import BROKEN, trial, unwatched

from ovgather import read
from ovgather.cli.main import run
from ovgather.comparison.options import CrosscheckOptions, parsed
from ovgather.comparison.reduce.folder import NAMES
from ovgather.comparison.reduce.layer import (
    Failing,
    failures,
    find_layer,
    reduce_failing,
    targets,
)
from ovgather.comparison.reduce.search import NotReproducedError, Signature
from ovgather.comparison.report import IN_PLACE
from ovgather.errors import InvalidModelError
from ovgather.runtimes.outcome import Outcome

GOOD = gather_model("GatherElements", "opset6", ("f32", [2, 3]), ("i64", [2, 5]), 1)
DYING = gather_model("Gather", "opset8", ("f32", [1]), ("i64", [0]), 0, name="pick")


def put(folder: Path, files: tuple[bytes, bytes], name: str = "m.xml") -> str:
    path = folder / name
    path.write_bytes(files[0])
    path.with_suffix(".bin").write_bytes(files[1])
    return str(path)


def reduce(capfd: Any, *arguments: str) -> tuple[int, str, str]:
    code = run(["reduce", *arguments])
    said = capfd.readouterr()
    return code, said.out, said.err


@pytest.mark.slow
@requires_openvino
def test_a_crash_is_written_down(tmp_path: Path, capfd: Any) -> None:
    model, folder = put(tmp_path, DYING), tmp_path / "bug"
    settings = ["--config", "NUM_STREAMS=2", "--tolerance", "0.1%"]
    code, out, err = reduce(
        capfd,
        model,
        "--layer",
        "pick",
        "--variant",
        "static",
        "-o",
        str(folder),
        *settings,
    )
    assert (code, err) == (1, "")
    lines = out.splitlines()
    assert lines[0] == 'Gather-8 "pick" (layer 10), static: crash (empty-dim)'
    assert (
        lines[1]
        == "  it was      Gather-8 on static shapes: data f32[1], indices i64[0], axis 0"
    )
    assert (
        lines[2]
        == "  smallest    Gather-8 on static shapes: data f32[1], indices i32[0], axis 0"
    )
    assert lines[3].endswith(" runs to get there; it fails in 3 of 3 runs")
    assert lines[4:] == [f"  written to  {folder}", "  reproduce.py shows it here"]
    assert sorted(path.name for path in folder.iterdir()) == sorted(NAMES)
    assert '"NUM_STREAMS": "2"' in (folder / "reproduce.py").read_text("utf-8")
    assert "Found with a tolerance (relative 0.001)" in (
        folder / "REPORT.md"
    ).read_text("utf-8")
    code, _, err = reduce(
        capfd, model, "--config", "NONE=1", "-o", str(tmp_path / "none")
    )
    assert code == 2
    assert err.startswith("ovgather: CPU does not take the properties of --config: ")


@pytest.mark.slow
@requires_openvino
def test_in_place_on_given_inputs(tmp_path: Path, capfd: Any) -> None:
    kinds = ("i64", [2, 3]), ("i64", [2, 2])
    model = put(tmp_path, gather_model("GatherElements", "opset6", *kinds, 1))
    data = np.array([[1, 2, 3], [4, 5, 2**40 + 7]])
    np.savez(tmp_path / "in.npz", data=data, indices=np.array([[0, 1], [2, 0]]))
    given = [
        model,
        "--variant",
        "in-place",
        "--inputs",
        str(tmp_path / "in.npz"),
        "-o",
        str(tmp_path / "bug"),
    ]
    code, out, _ = reduce(capfd, *given, "--strict")
    assert code == 1
    lines = out.splitlines()
    assert (
        lines[0] == 'GatherElements-6 "g" (layer 10), in-place: known (data-narrowed)'
    )
    assert (
        lines[2]
        == "  smallest    GatherElements-6 on dynamic shapes: data i64[1], indices i32[1], axis 0"
    )
    with np.load(tmp_path / "bug" / "inputs.npz") as held:
        assert held["data"].tolist() == [2**31]


@requires_openvino
def test_a_layer_that_is_right(tmp_path: Path, capfd: Any) -> None:
    code, out, _ = reduce(
        capfd, put(tmp_path, GOOD), "--variant", "alone", "-o", str(tmp_path / "bug")
    )
    assert (code, out) == (
        0,
        'GatherElements-6 "g" (layer 10): nothing fails: there is nothing to reduce\n',
    )
    assert not (tmp_path / "bug").exists()


@requires_openvino
def test_a_report_names_the_layers(tmp_path: Path, capfd: Any) -> None:
    put(tmp_path, GOOD)
    entry = {
        "id": "10",
        "name": "g",
        "type": "GatherElements",
        "version": "opset6",
        "body": [],
        "against": "openvino",
    }
    entry |= {
        "variant": "alone",
        "device": "CPU",
        "verdict": "crash",
        "cause": "SIGFPE",
    }
    right, other = (
        entry | {"verdict": "equal", "cause": ""},
        entry | {"against": "torch"},
    )
    report = tmp_path / "report.json"
    report.write_text(
        json.dumps(
            {"files": [{"path": "m.xml", "layers": [right, entry, other, entry]}]}
        )
    )
    # What failed then does not fail now: it is looked at again.
    code, out, _ = reduce(capfd, str(report))
    assert (code, out) == (
        0,
        'GatherElements-6 "g" (layer 10): nothing fails: there is nothing to reduce\n',
    )


def test_every_failure_of_a_report_has_a_folder(tmp_path: Path) -> None:
    entry = {
        "id": "2",
        "name": "a/b",
        "body": ["loop", "body"],
        "against": "openvino",
        "variant": "static",
    }
    entry |= {"device": "GPU", "verdict": "known", "cause": "data-narrowed"}
    report = tmp_path / "report.json"
    report.write_text(json.dumps({"files": [{"path": "m.xml", "layers": [entry]}]}))
    assert not list(targets(str(report), CrosscheckOptions()))
    (found,) = targets(str(report), CrosscheckOptions(strict=True))
    assert found.path == str(tmp_path / "m.xml")
    assert (found.layer, found.folder) == ("loop/body/#2", "1-a-b-static")
    assert (found.variant, found.options.device) == ("static", "GPU")


@pytest.mark.slow
@requires_openvino
def test_a_failure_of_a_report_is_found_with_its_settings(
    tmp_path: Path, capfd: Any
) -> None:
    model, report, inputs = (
        put(tmp_path, DYING),
        str(tmp_path / "report.json"),
        str(tmp_path / "in.npz"),
    )
    np.savez(inputs, in0=np.ones(1, "f4"), in1=np.zeros(0, "i8"))
    settings = [
        "--static",
        "--mode",
        "in-place",
        "--config",
        "NUM_STREAMS=2",
        "--tolerance",
        "0.5,2ulp",
    ]
    settings += ["--seed", "7", "--inputs", inputs, "--format", "json", "-o", report]
    assert run(["crosscheck", model, *settings]) == 1
    (target,) = targets(report, CrosscheckOptions())
    options = target.options
    assert (options.static, options.seed, options.config) == (
        True,
        7,
        {"NUM_STREAMS": "2"},
    )
    assert (options.tolerance, options.inputs and sorted(options.inputs)) == (
        parsed("0.5,2ulp"),
        ["in0", "in1"],
    )
    (other,) = targets(
        report, CrosscheckOptions(seed=3), ["seed", "tolerance", "inputs"]
    )
    assert (other.options.seed, other.options.tolerance, other.options.inputs) == (
        3,
        None,
        None,
    )
    Path(inputs).rename(tmp_path / "away")
    assert reduce(capfd, report)[::2] == (2, f"ovgather: {inputs}: no such file\n")
    (tmp_path / "away").rename(inputs)
    folder = tmp_path / "bugs" / target.folder
    assert reduce(capfd, report, "-o", str(folder.parent))[0] == 1
    script = (folder / "reproduce.py").read_text("utf-8")
    assert '"NUM_STREAMS": "2"' in script
    assert "TOLERANCE = (0.5, 0.0, 2)" in script
    assert (
        reduce(
            capfd,
            report,
            "-o",
            str(folder.parent),
            "--tolerance",
            "1",
            "--config",
            "NUM_STREAMS=1",
        )[0]
        == 1
    )
    script = (folder / "reproduce.py").read_text("utf-8")
    assert '"NUM_STREAMS": "1"' in script
    assert "TOLERANCE = (1.0, 0.0, 0)" in script


def reported(folder: Path, path: str, **settings: Any) -> str:
    """A report in ``folder`` by which a layer of the file ``path`` fails."""
    layer = {"id": "2", "name": "a", "body": [], "against": "openvino", "cause": "x"}
    layer |= {"variant": "alone", "device": "CPU", "verdict": "crash"}
    document = {"settings": settings, "files": [{"path": path, "layers": [layer]}]}
    folder.mkdir(exist_ok=True)
    (folder / "report.json").write_text(json.dumps(document))
    return str(folder / "report.json")


@pytest.mark.parametrize("name", ["{}/m.xml", "../m.xml", "link.xml"])
def test_a_report_names_no_file_elsewhere(name: str, tmp_path: Path) -> None:
    (tmp_path / "m.xml").touch()
    report = reported(tmp_path / "reports", name.format(tmp_path))
    (tmp_path / "reports" / "link.xml").symlink_to(tmp_path / "m.xml")
    with pytest.raises(InvalidModelError, match="which is not below its folder"):
        list(targets(report, CrosscheckOptions()))
    (target,) = targets(report, CrosscheckOptions(), follow_links=True)
    assert Path(target.path).samefile(tmp_path / "m.xml")


@pytest.mark.parametrize("folder", ["", "reports"])
@pytest.mark.parametrize("address", ["http://127.0.0.1:1/m.xml", "file:///etc/passwd"])
def test_a_report_names_no_address(
    folder: str, address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    reported(tmp_path / folder, address)
    with pytest.raises(InvalidModelError, match="which is not below its folder"):
        list(targets(os.path.join(folder, "report.json"), CrosscheckOptions()))


@pytest.mark.parametrize("name", ["id", "name", "variant", "device", "cause"])
def test_a_report_has_texts_where_they_belong(name: str, tmp_path: Path) -> None:
    report = Path(reported(tmp_path, "m.xml"))
    document = json.loads(report.read_text("utf-8"))
    document["files"][0]["layers"][0][name] = ["a"]
    report.write_text(json.dumps(document))
    with pytest.raises(InvalidModelError, match="a value in it is of another type"):
        list(targets(str(report), CrosscheckOptions()))


@pytest.mark.parametrize(
    ("name", "settings"),
    [
        ("plugins", {"GPU": "libevil.so"}),
        ("config", {"CACHE_DIR": "/home/user"}),
        ("config", {"CACHE_DIR": ".."}),
    ],
)
def test_a_report_loads_no_library_and_names_no_folder(
    name: str, settings: dict[str, str], tmp_path: Path
) -> None:
    report = reported(tmp_path, "m.xml", **{name: settings})
    with pytest.raises(InvalidModelError, match="give it to reduce, if it is yours"):
        list(targets(report, CrosscheckOptions()))
    (target,) = targets(report, CrosscheckOptions(), [name])
    assert getattr(target.options, name) == {}


def test_the_ways_of_a_report(tmp_path: Path) -> None:
    (target,) = targets(
        reported(tmp_path, "m.xml", ways=["streams"]), CrosscheckOptions()
    )
    assert target.options.ways == ["streams"]
    with pytest.raises(InvalidModelError, match="way 'up' is none of requests"):
        list(targets(reported(tmp_path, "m.xml", ways=["up"]), CrosscheckOptions()))


def test_a_report_without_failures(tmp_path: Path, capfd: Any) -> None:
    report = tmp_path / "report.json"
    report.write_text('{"version": 1, "files": [{"path": "m.xml", "layers": []}]}')
    code, out, _ = reduce(capfd, str(report))
    assert (code, out) == (0, f"{report}: no layer fails: there is nothing to reduce\n")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('{"version": 1}', "is no report of crosscheck: it has no 'files'"),
        (
            "{nonsense",
            "is no report of crosscheck: Expecting property name enclosed in double quotes",
        ),
        (
            '{"files": [{"path": "m.xml", "layers": [{}]}]}',
            "is no report of crosscheck: it has no 'verdict'",
        ),
        (
            '{"settings": {"tolerance": 7}}',
            "is no report of crosscheck: 7 is no object with absolute, relative, ulp",
        ),
        (
            '{"settings": {"tolerance": {"ulp": "x"}}}',
            "is no report of crosscheck: its ulp is 'x', not of the type int",
        ),
        (
            '{"settings": {"config": "x"}}',
            "is no report of crosscheck: its config is 'x', not of the type dict",
        ),
        (
            '{"files": 3}',
            "is no report of crosscheck: a value in it is of another type",
        ),
    ],
)
def test_no_report(text: str, said: str, tmp_path: Path, capfd: Any) -> None:
    report = tmp_path / "report.json"
    report.write_text(text)
    code, _, err = reduce(capfd, str(report))
    assert code == 2
    assert said in err


def test_wrong_usage(tmp_path: Path, capfd: Any) -> None:
    report, model = tmp_path / "r.json", put(tmp_path, GOOD)
    report.write_text('{"files": []}')
    code, _, err = reduce(capfd, str(report), "--layer", "g")
    assert code == 2
    assert (
        "--layer and --variant go with a model; a report says itself which layers fail"
        in err
    )
    for option, value, message in (
        (
            "--tolerance",
            "some",
            "tolerance 'some' is none of 0.001 (absolute), 0.1% (relative), 2ulp",
        ),
        ("--config", "STREAMS", "'STREAMS' must be KEY=VALUE"),
        ("--plugin", "=x.so", "'=x.so' must be NAME=LIBRARY"),
    ):
        code, _, err = reduce(capfd, model, option, value)
        assert code == 2
        assert message in err
    code, _, err = reduce(capfd, model, "--layer", "r")
    assert (code, err) == (
        2,
        f"ovgather: {model}: layer 'r' is a Result, not a Gather\n",
    )
    (tmp_path / "bug").mkdir()
    (tmp_path / "bug" / "mine").write_text("")
    code, _, err = reduce(capfd, model, "-o", str(tmp_path / "bug"))
    assert code == 2
    assert (
        err
        == f"ovgather: the folder {tmp_path / 'bug'} holds mine, no part of a reproducer: name another\n"
    )
    code, _, err = reduce(capfd, str(tmp_path / "no.xml"))
    assert code == 4


def test_one_layer_must_be_meant() -> None:
    empty = read(b'<net name="m" version="11"><layers></layers><edges></edges></net>')
    with pytest.raises(
        InvalidModelError, match=r"holds 0 Gather layers: --layer says which \(none\)"
    ):
        find_layer(empty, None)


FAULTS = {"clamps": ("alone", "clamped"), "narrows": ("wide-values", "narrowed")}


@pytest.mark.slow
@pytest.mark.parametrize("fault", FAULTS)
def test_a_broken_runtime_is_found_and_made_small(fault: str) -> None:
    model = read(*gather_model("Gather", "opset8", ("i64", [20, 5]), ("i64", [16]), 0))
    variant, cause = FAULTS[fault]
    options = CrosscheckOptions(start=[*BROKEN, fault])
    found = failures(model, find_layer(model, None), options, variant)
    assert [each.signature for each in found] == [Signature("different", cause)]
    reduction = reduce_failing(found[0], options, unwatched)
    smallest = reduction.trial
    assert smallest.data.size <= 9
    assert smallest.indices.size <= 9


def test_what_fails_in_place_only_is_left_as_it_is() -> None:
    whole = trial("Gather", "opset8", ("f32", "i64"), np.ones((2, 3)), [1, 0])
    failing = Failing(IN_PLACE, Outcome("different", cause="clamped"), whole)
    reduction = reduce_failing(
        failing, CrosscheckOptions(start=[*BROKEN, "narrows"]), unwatched
    )
    assert reduction.trial is whole
    assert reduction.runs == 0
    assert reduction.problem == (
        "it fails in the model only, and not alone on the values that flow there"
        " (the failure does not come again: wanted different (clamped), got equal)"
    )
    words = "the model fails as a whole, and what flows into the layer is not known"
    with pytest.raises(NotReproducedError, match=f"^{words}$"):
        reduce_failing(failing._replace(trial=None), CrosscheckOptions(), unwatched)
