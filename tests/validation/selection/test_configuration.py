"""Configuration files: where they are found, what they may say, and the words for what they may not."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from paths import ROOT

from ovgather.cli.main import run
from ovgather.errors import ConfigurationError
from ovgather.processes import OverTime
from ovgather.report import formats
from ovgather.validation.plan import Plan, excluded, plan
from ovgather.validation.selection.codes import Choice
from ovgather.validation.selection.configuration import (
    AUTO,
    Configuration,
    check_format,
    find,
    load,
    matches,
    relative,
)

FULL = """
select = ["OVG2", "OVG102"]
ignore = ["ovg203"]
strict = true
format = "concise"
baseline = "known.json"
jobs = 3
exclude = ["old", "models/*.xml"]
per-file-ignores = { "models/a.xml" = ["OVG2"], "*.xml" = [] }
"""


@pytest.fixture(autouse=True)
def _in_a_folder_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def write(path: str, text: str) -> None:
    Path(path).parent.mkdir(parents=True, exist_ok=True)
    Path(path).write_text(text, encoding="utf-8")


def message(text: str, path: str = "ovgather.toml") -> str:
    write(path, text)
    with pytest.raises(ConfigurationError) as caught:
        check_format(find(), formats("validate"))
    return str(caught.value)


class TestWhereItIsFound:
    def test_nowhere(self) -> None:
        assert find() == Configuration()

    def test_in_this_folder(self) -> None:
        write("ovgather.toml", "strict = true")
        assert find() == Configuration("ovgather.toml", strict=True)

    def test_in_a_pyproject(self) -> None:
        write(
            "pyproject.toml", '[tool.other]\nx = 1\n[tool.ovgather]\nignore = ["OVG5"]'
        )
        assert find().ignore == ("OVG5",)

    def test_above(self, monkeypatch: pytest.MonkeyPatch) -> None:
        write("ovgather.toml", 'baseline = "known.json"')
        write("a/b/c.xml", "")
        monkeypatch.chdir("a/b")
        found = find()
        assert found.path == os.path.join("..", "..", "ovgather.toml")
        assert found.baseline == os.path.join("..", "..", "known.json")

    def test_the_nearest_counts_alone(self, monkeypatch: pytest.MonkeyPatch) -> None:
        write("ovgather.toml", "strict = true")
        write("a/pyproject.toml", "[tool.ovgather]\njobs = 2")
        monkeypatch.chdir("a")
        assert find() == Configuration("pyproject.toml", jobs=2)

    def test_a_pyproject_of_others_is_passed_by(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        write("ovgather.toml", "strict = true")
        write("a/pyproject.toml", '[project]\nname = "ovgather-models"')
        monkeypatch.chdir("a")
        assert find().strict is True

    def test_its_own_file_wins_over_the_pyproject_beside_it(self) -> None:
        write("ovgather.toml", "jobs = 2")
        write("pyproject.toml", "[tool.ovgather]\njobs = 3")
        assert find().jobs == 2

    def test_a_file_that_is_named(self) -> None:
        write("there/lint.toml", 'baseline = "known.json"')
        assert load("there/lint.toml").baseline == os.path.join("there", "known.json")

    def test_a_pyproject_that_is_named_must_speak_of_ovgather(self) -> None:
        write("there/pyproject.toml", "[tool.other]")
        with pytest.raises(
            ConfigurationError,
            match=r"there/pyproject.toml: there is no \[tool.ovgather\] in it",
        ):
            load("there/pyproject.toml")

    def test_no_parser_is_loaded_without_one(self) -> None:
        write("pyproject.toml", '[project]\nname = "other"')
        module = "ovgather.validation.selection.configuration"
        code = f"import sys; from {module} import find; find(); print('tomllib' in sys.modules)"
        environment = {**os.environ, "PYTHONPATH": str(ROOT)}
        done = subprocess.run(
            [sys.executable, "-c", code],
            env=environment,
            capture_output=True,
            text=True,
        )
        assert done.stdout == "False\n"


class TestWhatItMaySay:
    def test_everything(self) -> None:
        write("ovgather.toml", FULL)
        assert find() == Configuration(
            "ovgather.toml",
            select=("OVG2", "OVG102"),
            ignore=("OVG203",),
            strict=True,
            format="concise",
            baseline="known.json",
            jobs=3,
            per_file_ignores=(("models/a.xml", ("OVG2",)), ("*.xml", ())),
            exclude=("old", "models/*.xml"),
        )

    def test_as_many_jobs_as_pay_off(self) -> None:
        write("ovgather.toml", 'jobs = "auto"')
        assert find().jobs == AUTO

    @pytest.mark.parametrize(
        ("text", "expected"),
        [
            (
                "selct = []",
                "ovgather.toml: unknown key `selct`; did you mean `select`?",
            ),
            (
                "per_file_ignores = {}",
                "ovgather.toml: unknown key `per_file_ignores`; did you mean `per-file-ignores`?",
            ),
            ("[tool.ovgather]", "ovgather.toml: unknown key `tool`"),
            (
                'select = "OVG2"',
                'ovgather.toml: select: expected a list of strings, got "OVG2"',
            ),
            (
                "select = []",
                "ovgather.toml: select: expected codes, such as OVG2 or OVG203, got none",
            ),
            (
                'ignore = ["OVG2", 3]',
                'ovgather.toml: ignore: expected a list of strings, got ["OVG2", 3]',
            ),
            (
                'ignore = ["OVG2033"]',
                "ovgather.toml: ignore: no rule has the code `OVG2033`; did you mean `OVG203`?",
            ),
            (
                'strict = "yes"',
                'ovgather.toml: strict: expected true or false, got "yes"',
            ),
            (
                "strict = 1979-05-27",
                'ovgather.toml: strict: expected true or false, got "1979-05-27"',
            ),
            ("baseline = 1", "ovgather.toml: baseline: expected a string, got 1"),
            (
                "jobs = 0",
                'ovgather.toml: jobs: expected a whole number from 1 on, or "auto", got 0',
            ),
            (
                "jobs = true",
                'ovgather.toml: jobs: expected a whole number from 1 on, or "auto", got true',
            ),
            (
                'exclude = "old"',
                'ovgather.toml: exclude: expected a list of strings, got "old"',
            ),
            (
                'per-file-ignores = ["OVG2"]',
                "ovgather.toml: per-file-ignores: expected a table of patterns, each with a list of codes, "
                'got ["OVG2"]',
            ),
            (
                'per-file-ignores = { "a.xml" = "OVG2" }',
                'ovgather.toml: per-file-ignores."a.xml": expected a list of strings, got "OVG2"',
            ),
        ],
    )
    def test_what_it_may_not(self, text: str, expected: str) -> None:
        assert message(text) == expected

    def test_formats_that_do_not_exist(self) -> None:
        assert message('format = "jsn"').startswith(
            "ovgather.toml: format: expected one of concise, "
        )
        assert message('format = "jsn"').endswith(', got "jsn"; did you mean `json`?')

    @pytest.mark.parametrize("name", ["ovgater", "ov-gather", "vgather", "overgather"])
    def test_a_pyproject_whose_table_is_misspelt(self, name: str) -> None:
        expected = f"pyproject.toml: unknown table [tool.{name}]; did you mean [tool.ovgather]?"
        assert message(f"[tool.{name}]\nstrict = true", "pyproject.toml") == expected

    def test_a_pyproject_with_a_table_of_another_name(self) -> None:
        write(
            "pyproject.toml", "[tool.ovmsclient]\nstrict = true\n[tool.gather]\nx = 1"
        )
        assert find() == Configuration()

    def test_a_pyproject_whose_table_is_none(self) -> None:
        expected = 'pyproject.toml: tool.ovgather: expected a table, got "x"'
        assert message('[tool]\novgather = "x"', "pyproject.toml") == expected

    @pytest.mark.parametrize(
        "text", ["jobs =", "jobs = 1\njobs = 2", "x = " + "[" * 100_000]
    )
    def test_what_is_not_toml(self, text: str) -> None:
        assert message(text).startswith("ovgather.toml: not TOML: ")

    def test_what_is_not_text(self) -> None:
        Path("ovgather.toml").write_bytes(b"x = '\xff'")
        with pytest.raises(
            ConfigurationError, match=r"^ovgather.toml: not UTF-8: byte 5 is 0xff$"
        ):
            find()

    @pytest.mark.skipif(
        not hasattr(os, "geteuid") or os.geteuid() == 0,
        reason="root may read everything",
    )
    def test_what_may_not_be_read(self) -> None:
        write("ovgather.toml", "")
        os.chmod("ovgather.toml", 0)
        with pytest.raises(
            ConfigurationError, match="cannot be read: Permission denied"
        ):
            find()


class TestPatterns:
    @pytest.mark.parametrize(
        ("pattern", "path"),
        [
            ("a.xml", "x/y/a.xml"),
            ("old", "old/a.xml"),
            ("old", "x/old/y/a.xml"),
            ("old/", "old/a.xml"),
            ("./old", "old/a.xml"),
            ("x/*.xml", "x/y/a.xml"),
            ("**/a.xml", "a.xml"),
            ("**/y/*.xml", "x/y/a.xml"),
            ("x/y", "x/y/a.xml"),
            ("[ab].xml", "a.xml"),
        ],
    )
    def test_match(self, pattern: str, path: str) -> None:
        assert matches(pattern, path)

    @pytest.mark.parametrize(
        ("pattern", "path"),
        [
            ("old", "older/a.xml"),
            ("x/a.xml", "y/x/a.xml"),
            ("A.xml", "a.xml"),
            ("y/*.xml", "x/y/a.xml"),
            ("..", "a"),
        ],
    )
    def test_no_match(self, pattern: str, path: str) -> None:
        assert not matches(pattern, path)

    @pytest.mark.parametrize("part", ["**/", "**/./"])
    def test_any_folder_may_be_said_often(self, part: str) -> None:
        """A search in depth ended with Python's limit of recursion."""
        pattern = f"{part * 5_000}a.xml"
        assert matches(pattern, "x/y/a.xml")
        assert matches(pattern, "a.xml")
        assert not matches(pattern, "x/b.xml")

    def test_paths_are_seen_from_the_folder_of_the_file(self) -> None:
        assert relative(os.path.join("a", "b.xml"), "a") == "b.xml"
        assert relative("b.xml", os.path.join("a", "c")) == "../../b.xml"
        assert relative(os.path.abspath("b.xml"), "") == "b.xml"
        assert relative("-", "a") == "-"

    def test_exclude(self) -> None:
        configuration = Configuration("sub/ovgather.toml", exclude=("old",))
        assert excluded(configuration, "sub/old")
        assert excluded(configuration, "sub/old/a.xml")
        assert not excluded(configuration, "sub/new")
        assert not excluded(Configuration(), "old")


class TestPlan:
    def test_the_command_line_wins(self) -> None:
        configuration = Configuration(
            "ovgather.toml", select=("OVG2",), ignore=("OVG203",)
        )
        assert not plan(configuration, Choice(), Plan()).reports("m.xml", "OVG203")
        assert plan(configuration, Choice(("OVG203",)), Plan()).reports(
            "m.xml", "OVG203"
        )
        assert not plan(configuration, Choice(None, ("OVG206",)), Plan()).reports(
            "m.xml", "OVG206"
        )

    def test_per_file_ignores_hold_whatever_is_selected(self) -> None:
        configuration = Configuration(
            "sub/ovgather.toml", per_file_ignores=(("old/*.xml", ("OVG2",)),)
        )
        chosen = plan(configuration, Choice(("OVG203",)), Plan())
        assert not chosen.reports("sub/old/m.xml", "OVG203")
        assert chosen.reports("sub/m.xml", "OVG203")
        assert chosen.reports("old/m.xml", "OVG203")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes in the file system")
def test_a_configuration_that_is_no_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A pipe is neither waited for nor passed over."""
    monkeypatch.chdir(tmp_path)
    os.mkfifo("ovgather.toml")
    with pytest.raises(
        ConfigurationError, match=r"ovgather\.toml: cannot be read: it is no"
    ):
        find(str(tmp_path))
    assert run(["validate", str(ROOT / "samples_xml" / "demo")]) == 2
    assert "ovgather.toml: cannot be read" in capsys.readouterr().err


def test_a_file_that_takes_too_long_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def budget(path: str) -> object:
        raise OverTime("it takes more than 60 s (--timeout)")

    monkeypatch.setattr("ovgather.validation.selection.configuration.budget", budget)
    path = tmp_path / "ovgather.toml"
    path.write_text("strict = true")
    with pytest.raises(ConfigurationError, match="not TOML: it takes more than 60 s"):
        load(str(path))


def test_a_folder_that_is_gone_has_no_configuration(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "gone"
    folder.mkdir()
    monkeypatch.chdir(folder)
    folder.rmdir()
    assert find() == Configuration()
