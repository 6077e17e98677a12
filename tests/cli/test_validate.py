"""The options of ``ovgather validate``: what is reported, what the exit code is, and the words for wrong usage."""

from __future__ import annotations

import json
from pathlib import Path
from typing import NamedTuple

import pytest
from paths import ROOT

from ovgather.cli.main import run

DEMO = ROOT / "samples_xml" / "demo"
SUPPRESSED = ROOT / "samples_xml" / "rules" / "OVG012" / "good.xml"
CODES = ["OVG203", "OVG501", "OVG402", "OVG102", "OVG107", "OVG206"]
"""What ``broken.xml`` has, in the order of its lines; OVG501 is a warning."""


class Done(NamedTuple):
    code: int
    out: str
    err: str

    @property
    def codes(self) -> list[str]:
        return [line.split()[1] for line in self.out.splitlines()]


class Runner:
    """Runs the command line in a folder with the demo files."""

    def __init__(self, capfd: pytest.CaptureFixture[str]) -> None:
        self.capfd = capfd

    def __call__(self, *arguments: str) -> Done:
        code = run(["validate", *arguments])
        out, err = self.capfd.readouterr()
        return Done(code, out, err)

    def concise(self, *arguments: str) -> Done:
        return self(*arguments, "--format", "concise")


@pytest.fixture
def validate(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> Runner:
    for name in ("broken.xml", "broken.bin", "good.xml", "good.bin"):
        (tmp_path / name).write_bytes((DEMO / name).read_bytes())
    monkeypatch.chdir(tmp_path)
    return Runner(capfd)


class TestSelection:
    def test_everything_without_it(self, validate: Runner) -> None:
        assert validate.concise("broken.xml").codes == CODES

    @pytest.mark.parametrize(
        ("options", "expected"),
        [
            (["--select", "OVG2"], ["OVG203", "OVG206"]),
            (["--select", "OVG203,OVG5"], ["OVG203", "OVG501"]),
            (["--select", "OVG203", "--select", "OVG5"], ["OVG203", "OVG501"]),
            (["--ignore", "OVG2,OVG1,OVG4"], ["OVG501"]),
            (["--select", "OVG2", "--ignore", "OVG203"], ["OVG206"]),
            (["--select", "OVG203", "--ignore", "OVG2"], ["OVG203"]),
        ],
    )
    def test_codes(
        self, validate: Runner, options: list[str], expected: list[str]
    ) -> None:
        assert validate.concise("broken.xml", *options).codes == expected

    def test_the_exit_code_goes_by_what_is_reported(self, validate: Runner) -> None:
        assert validate("broken.xml", "--select", "OVG2").code == 1
        assert validate("broken.xml", "--select", "OVG3").code == 0

    def test_an_unknown_code(self, validate: Runner) -> None:
        done = validate("broken.xml", "--select", "OVG2033")
        assert done.code == 2
        assert (
            done.err
            == "ovgather: --select: no rule has the code `OVG2033`; did you mean `OVG203`?\n"
        )

    def test_why_a_file_cannot_be_read_is_always_told(self, validate: Runner) -> None:
        done = validate.concise("missing.xml", "--select", "OVG2")
        assert (done.code, done.codes) == (4, ["OVG001"])


class TestExitCode:
    def test_warnings_fail_when_strict(self, validate: Runner) -> None:
        assert validate("broken.xml", "--select", "OVG5").code == 0
        assert validate("broken.xml", "--select", "OVG5", "--strict").code == 1

    def test_nothing_fails_when_zero_is_asked_for(self, validate: Runner) -> None:
        done = validate.concise("broken.xml", "--exit-zero")
        assert (done.code, done.codes) == (0, CODES)

    def test_but_a_file_that_cannot_be_read(self, validate: Runner) -> None:
        assert validate("missing.xml", "--exit-zero").code == 4


class TestStatistics:
    def test_most_first(self, validate: Runner) -> None:
        Path("twice.xml").write_bytes(
            Path("broken.xml").read_bytes().replace(b"<dim>8</dim>", b"<dim>4</dim>")
        )
        done = validate(".", "--statistics", "--select", "OVG1,OVG2")
        assert done.code == 1
        assert done.out == (
            "2  OVG102  unknown attribute\n"
            "2  OVG107  type missing from its opset\n"
            "2  OVG206  input port that contradicts its producer\n"
            "1  OVG203  declared output dims that differ from the inferred ones\n"
            "\n"
            "7 errors in 3 files, 72 layers, 15 of the Gather family. OpenVINO reads and compiles 1 of them.\n"
        )

    def test_of_nothing(self, validate: Runner) -> None:
        out = validate("good.xml", "--statistics").out
        assert (
            out
            == "No problems in 1 file, 24 layers, 5 of the Gather family. OpenVINO reads and compiles it.\n"
        )

    def test_with_another_format(self, validate: Runner) -> None:
        done = validate("good.xml", "--statistics", "--format", "sarif")
        assert done.code == 2
        assert (
            "--statistics prints text or JSON: it does not go with --format sarif"
            in done.err
        )


class TestSuppressions:
    def test_they_are_counted(self, validate: Runner) -> None:
        done = validate(str(SUPPRESSED))
        assert (done.code, done.out) == (
            0,
            "No problems in 1 file, 4 layers, 1 of the Gather family; 1 suppressed by comments."
            " OpenVINO reads and compiles it.\n",
        )

    def test_they_can_be_shown(self, validate: Runner) -> None:
        done = validate.concise(str(SUPPRESSED), "--no-suppressions")
        assert (done.code, done.codes) == (1, ["OVG203"])


class TestConfiguration:
    def test_it_is_read(self, validate: Runner) -> None:
        Path("ovgather.toml").write_text(
            'select = ["OVG2", "OVG5"]\nformat = "concise"\nstrict = true'
        )
        assert validate("broken.xml").codes == ["OVG203", "OVG501", "OVG206"]
        assert validate("broken.xml", "--select", "OVG5").code == 1

    def test_the_command_line_wins(self, validate: Runner) -> None:
        Path("ovgather.toml").write_text(
            'select = ["OVG2"]\nignore = ["OVG203"]\nformat = "json"\nstrict = true'
        )
        assert validate.concise("broken.xml", "--select", "OVG203").codes == ["OVG203"]
        assert validate.concise("broken.xml", "--ignore", "OVG206").codes == []
        assert validate("broken.xml", "--select", "OVG5", "--no-strict").code == 0

    def test_another_file(self, validate: Runner) -> None:
        Path("ovgather.toml").write_text("wrong")
        Path("lint.toml").write_text('select = ["OVG5"]')
        assert validate.concise("broken.xml", "--config", "lint.toml").codes == [
            "OVG501"
        ]

    def test_none(self, validate: Runner) -> None:
        Path("ovgather.toml").write_text("wrong")
        assert validate.concise("broken.xml", "--isolated").codes == CODES

    def test_a_wrong_one(self, validate: Runner) -> None:
        Path("pyproject.toml").write_text("[tool.ovgather]\nselct = []")
        done = validate("broken.xml")
        assert (done.code, done.out) == (2, "")
        assert (
            done.err
            == "ovgather: pyproject.toml: unknown key `selct`; did you mean `select`?\n"
        )

    def test_one_that_is_named_and_none(self, validate: Runner) -> None:
        Path("lint.toml").touch()
        done = validate("broken.xml", "--isolated", "--config", "lint.toml")
        assert done.code == 2
        assert "--config and --isolated do not go together" in done.err

    def test_per_file_ignores(self, validate: Runner) -> None:
        Path("ovgather.toml").write_text(
            '[per-file-ignores]\n"br*.xml" = ["OVG1", "OVG2", "OVG4"]'
        )
        assert validate.concise("broken.xml").codes == ["OVG501"]

    def test_folders_and_files_that_a_walk_passes_over(self, validate: Runner) -> None:
        for folder in ("old", "new/old"):
            Path(folder).mkdir(parents=True)
            Path(folder, "m.xml").write_bytes(Path("broken.xml").read_bytes())
        Path("ovgather.toml").write_text('exclude = ["old", "broken.xml"]')
        assert "1 file," in validate(".").out
        assert validate.concise("broken.xml").codes == CODES
        done = validate("old")
        assert (done.code, done.err) == (
            3,
            "ovgather: no .xml or .onnx file in old that ovgather.toml does not exclude\n",
        )


class TestBaseline:
    def test_known_findings_are_not_reported(self, validate: Runner) -> None:
        done = validate("broken.xml", "--baseline", "known.json", "--write-baseline")
        assert (done.code, done.err) == (
            0,
            "ovgather: 6 findings of 1 file put into known.json\n",
        )
        done = validate("broken.xml", "--baseline", "known.json")
        assert done.code == 0
        # A baseline does not change what OpenVINO does.
        refusal, _, summary = done.out.partition("\n\n")
        assert refusal.startswith(
            'broken.xml: OpenVINO refuses it because of Const (opset1) "score_weights" (layer 12)'
        )
        assert (
            summary
            == "No problems in 1 file, 24 layers, 5 of the Gather family; 6 in the baseline.\n"
        )

    def test_new_ones_are(self, validate: Runner) -> None:
        validate("good.xml", "--baseline", "known.json", "--write-baseline")
        assert validate.concise("broken.xml", "--baseline", "known.json").codes == CODES

    def test_those_that_are_gone_are_told(self, validate: Runner) -> None:
        validate("broken.xml", "--baseline", "known.json", "--write-baseline")
        Path("broken.xml").write_bytes(
            Path("broken.xml").read_bytes().replace(b"Axis", b"axis")
        )
        done = validate("broken.xml", "--baseline", "known.json")
        assert done.code == 0
        assert (
            done.err
            == "ovgather: 1 finding of known.json no longer occurs; --write-baseline drops it\n"
        )
        validate("broken.xml", "--baseline", "known.json", "--write-baseline")
        assert validate("broken.xml", "--baseline", "known.json").err == ""

    def test_a_file_that_cannot_be_read_is_never_known(self, validate: Runner) -> None:
        Path("x.xml").write_text("<html/>")
        assert (
            validate("x.xml", "--baseline", "known.json", "--write-baseline").code == 4
        )
        assert validate("x.xml", "--baseline", "known.json").code == 4

    def test_the_configuration_may_name_it(
        self, validate: Runner, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        Path("ovgather.toml").write_text('baseline = "known.json"')
        assert validate("broken.xml", "--write-baseline").code == 0
        Path("below").mkdir()
        monkeypatch.chdir("below")
        assert validate("../broken.xml").code == 0

    def test_machine_output_is_left_alone(self, validate: Runner) -> None:
        validate("broken.xml", "--baseline", "known.json", "--write-baseline")
        document = json.loads(
            validate("broken.xml", "--baseline", "known.json", "--format", "json").out
        )
        assert document["files"][0]["diagnostics"] == []
        assert document["summary"] == {
            "files": 1,
            "errors": 0,
            "warnings": 0,
            "notes": 0,
        }

    @pytest.mark.parametrize(
        ("arguments", "expected"),
        [
            (
                ["--baseline", "known.json"],
                "known.json: there is no such baseline; --write-baseline writes one",
            ),
            (
                ["--baseline", "broken.xml"],
                "broken.xml: not a baseline: not JSON: Expecting value",
            ),
            (
                ["--baseline", "broken.xml", "--write-baseline"],
                "broken.xml: not a baseline: not JSON: ",
            ),
            (["--write-baseline"], "--write-baseline needs --baseline FILE"),
            (
                ["--baseline", "no/known.json", "--write-baseline"],
                "cannot write no/known.json: No such file",
            ),
        ],
    )
    def test_wrong_usage(
        self, validate: Runner, arguments: list[str], expected: str
    ) -> None:
        done = validate("broken.xml", *arguments)
        assert (done.code, done.out) == (2, "")
        assert expected in done.err


class TestJobs:
    @pytest.mark.runtime
    def test_the_same_is_printed(self, validate: Runner) -> None:
        assert (
            validate(".", "--jobs", "2")
            == validate(".", "--jobs", "1")
            == validate(".", "--jobs", "auto")
        )

    @pytest.mark.parametrize(
        ("text", "got"),
        [("0", "0"), ("-1", '"-1"'), ("many", '"many"'), ("1.5", '"1.5"')],
    )
    def test_what_is_no_number(self, validate: Runner, text: str, got: str) -> None:
        done = validate(".", "--jobs", text)
        assert done.code == 2
        assert (
            done.err
            == f'ovgather: --jobs: expected a whole number from 1 on, or "auto", got {got}\n'
        )

    def test_a_process_that_dies(
        self, validate: Runner, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        from ovgather.errors import WorkerError
        from ovgather.validation import workers

        def die(*arguments: object) -> None:
            raise WorkerError("the process that checked a.xml died: SIGSEGV")

        monkeypatch.setattr(workers, "check_in_processes", die)
        done = validate(".", "--jobs", "2")
        assert (done.code, done.err) == (
            70,
            "ovgather: the process that checked a.xml died: SIGSEGV\n",
        )


def test_a_time_limit_is_a_finite_number(capfd: pytest.CaptureFixture[str]) -> None:
    for value, words in (
        ("nan", "nan is no length of time"),
        ("1e308", "1e308 is no length of time"),
        ("x", "'x' is not a valid number"),
    ):
        assert run(["validate", "m.xml", "--timeout", value]) == 2
        assert words in capfd.readouterr().err
