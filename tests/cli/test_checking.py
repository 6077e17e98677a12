"""``validate --fix`` and ``--diff`` on files: what is written, what is printed where, and the exit codes."""

from __future__ import annotations

import io
import os
import shutil
import stat
import subprocess
import sys
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from paths import SAMPLES

from ovgather.cli.main import run

GOOD = (SAMPLES / "rules" / "OVG203" / "good.xml").read_text(encoding="utf-8")
FRACTION = GOOD.replace('axis="1"', 'axis="1.9"')
CASE = FRACTION.replace('type="GatherElements"', 'type="GATHERELEMENTS"')
UNSAFE = (
    GOOD.replace('axis="1"', 'Axis="1"')
    .replace("<dim>10</dim>", "<dim>7</dim>")
    .replace("3,10,5", "3,7,5")
)
UNSUITED = UNSAFE.replace('Axis="1"', 'Axis="5"')


class Done(NamedTuple):
    code: int
    out: str
    err: str


class Runner:
    """Runs ``ovgather validate --isolated`` in a folder of its own."""

    def __init__(
        self, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        self.capfd = capfd
        self.monkeypatch = monkeypatch

    def __call__(self, *arguments: str, given: str | bytes | None = None) -> Done:
        if given is not None:
            data = given.encode() if isinstance(given, str) else given
            self.monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))
        code = run(["validate", "--isolated", *arguments])
        out, err = self.capfd.readouterr()
        return Done(code, out, err)


@pytest.fixture
def validate(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> Runner:
    monkeypatch.chdir(tmp_path)
    return Runner(capfd, monkeypatch)


def write(name: str, text: str) -> Path:
    path = Path(name)
    path.write_text(text, encoding="utf-8", newline="")
    return path


class TestFix:
    def test_it_says_what_it_mended_and_what_is_left(self, validate: Runner) -> None:
        path = write("m.xml", CASE.replace("<edges>", "<edge/><edges>"))
        done = validate("--fix", "--format", "concise", "m.xml")
        assert done.err == (
            "fixed 2 problems in m.xml\n  16:37 OVG108 the type is spelt 'GatherElements'\n  17:19 OVG103 axis is 1\n"
        )
        assert [line.split()[1] for line in done.out.splitlines()] == ["OVG009"]
        assert done.code == 0
        assert path.read_text(encoding="utf-8") == GOOD.replace(
            "<edges>", "<edge/><edges>"
        )

    def test_nothing_to_mend(self, validate: Runner) -> None:
        path = write("m.xml", GOOD)
        before = path.stat()
        done = validate("--fix", "m.xml")
        assert (done.code, done.err) == (0, "")
        assert (path.stat().st_mtime_ns, path.stat().st_ino) == (
            before.st_mtime_ns,
            before.st_ino,
        )

    def test_several_files(self, validate: Runner) -> None:
        for number in range(30):
            write(f"m{number:02}.xml", FRACTION if number % 3 else GOOD)
        done = validate("--fix", "--jobs", "2", ".")
        assert done.code == 0
        assert done.err.count("fixed 1 problem in ") == 20
        assert {path.read_text(encoding="utf-8") for path in Path().glob("*.xml")} == {
            GOOD
        }

    def test_permissions_stay(self, validate: Runner) -> None:
        path = write("m.xml", FRACTION)
        path.chmod(0o640)
        assert validate("--fix", "m.xml").code == 0
        assert stat.S_IMODE(path.stat().st_mode) == 0o640
        assert os.listdir() == ["m.xml"]

    def test_a_link_stays_a_link(self, validate: Runner) -> None:
        Path("models").mkdir()
        target = write("models/m.xml", FRACTION)
        Path("link.xml").symlink_to(target)
        assert validate("--fix", "link.xml").code == 0
        assert Path("link.xml").is_symlink()
        assert target.read_text(encoding="utf-8") == GOOD

    def test_the_bin_is_not_touched(self, validate: Runner) -> None:
        for suffix in ("xml", "bin"):
            shutil.copyfile(SAMPLES / "demo" / f"broken.{suffix}", f"broken.{suffix}")
        before = Path("broken.bin").stat()
        assert validate("--fix", "--unsafe-fixes", "broken.xml").code == 1
        after = Path("broken.bin").stat()
        assert (after.st_mtime_ns, after.st_ino, after.st_size) == (
            before.st_mtime_ns,
            before.st_ino,
            before.st_size,
        )

    def test_a_file_that_must_not_be_written(
        self, validate: Runner, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        path = write("m.xml", FRACTION)
        # Root may write whatever it likes.
        monkeypatch.setattr(os, "access", lambda path, mode: False)
        done = validate("--fix", "m.xml")
        assert "m.xml: not fixed: cannot be written" in done.err
        assert done.err.endswith(
            "ovgather: unchanged, since they cannot be written: m.xml\n"
        )
        assert done.code == 2
        assert path.read_text(encoding="utf-8") == FRACTION

    def test_a_file_that_changes_meanwhile(
        self, validate: Runner, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        from ovgather.validation.fixes import fix as module

        path = write("m.xml", FRACTION)
        choose = module._choose

        def choose_late(*arguments: object) -> object:
            write("m.xml", GOOD)
            return choose(*arguments)  # type: ignore[arg-type]

        monkeypatch.setattr(module, "_choose", choose_late)
        done = validate("--fix", "m.xml")
        assert (
            "m.xml: not fixed: cannot be written: it was changed meanwhile" in done.err
        )
        assert done.code == 2
        assert path.read_text(encoding="utf-8") == GOOD

    @pytest.mark.parametrize(
        ("error", "code", "said"),
        [
            (
                FileNotFoundError(2, "No such file"),
                2,
                "cannot be written: No such file",
            ),
            (MemoryError(), 4, "m.xml: not fixed: a file of its size gets"),
            (ZeroDivisionError("x"), 70, "a bug in ovgather"),
        ],
    )
    def test_one_file_costs_no_other(
        self,
        error: Exception,
        code: int,
        said: str,
        validate: Runner,
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:
        from ovgather.validation.fixes import fix as module

        write("m.xml", FRACTION)
        other = write("n.xml", FRACTION)
        fix = module.fix

        def fails_once(data: bytes, path: str, *more: Any, **named: Any) -> Any:
            if path == "m.xml":
                raise error
            return fix(data, path, *more, **named)

        monkeypatch.setattr(module, "fix", fails_once)
        done = validate("--fix", "m.xml", "n.xml")
        assert said in done.err
        assert "m.xml" in done.err
        assert done.code == code
        assert "2 files" in done.out
        assert other.read_text(encoding="utf-8") != FRACTION

    def test_a_link_that_takes_the_place_of_a_file(
        self, validate: Runner, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        from ovgather.validation.fixes import fix as module

        for folder in ("models", "other"):
            Path(folder).mkdir()
            write(f"{folder}/m.xml", FRACTION)
        fix = module.fix

        def fix_late(*arguments: Any, **named: Any) -> Any:
            Path("models/m.xml").unlink()
            Path("models/m.xml").symlink_to("../other/m.xml")
            return fix(*arguments, **named)

        monkeypatch.setattr(module, "fix", fix_late)
        done = validate("--fix", "models")
        assert "a link out of its folder has taken its place" in done.err
        assert done.code == 2
        assert Path("other/m.xml").read_text(encoding="utf-8") == FRACTION
        # The user names this link.
        assert validate("--fix", "models/m.xml").code == 0
        assert Path("other/m.xml").read_text(encoding="utf-8") == GOOD

    def test_what_would_bring_a_new_error(self, validate: Runner) -> None:
        path = write("m.xml", UNSUITED)
        done = validate("--fix", "--unsafe-fixes", "m.xml")
        # With the axis spelt right, 5 is out of range: no fix is offered.
        assert done.err == ""
        assert "OVG102" in done.out
        assert done.code == 1
        assert path.read_text(encoding="utf-8") == UNSUITED

    def test_unsafe_fixes_are_asked_for(self, validate: Runner) -> None:
        path = write("m.xml", UNSAFE)
        done = validate("--fix", "m.xml")
        assert done.err == (
            "ovgather: 1 more problem can be fixed with --unsafe-fixes: that may change what the model computes\n"
        )
        assert done.code == 1
        assert validate("--fix", "--unsafe-fixes", "m.xml").code == 0
        assert path.read_text(encoding="utf-8") == UNSAFE.replace("Axis", "axis")

    def test_only_what_is_reported(self, validate: Runner) -> None:
        path = write("m.xml", CASE)
        assert validate("--fix", "--ignore", "OVG108", "m.xml").code == 0
        assert path.read_text(encoding="utf-8") == CASE.replace("1.9", "1")

    def test_not_what_the_baseline_has(self, validate: Runner) -> None:
        path = write("m.xml", FRACTION)
        assert (
            validate("--baseline", "known.json", "--write-baseline", "m.xml").code == 0
        )
        write("m.xml", CASE)
        done = validate("--fix", "--baseline", "known.json", "m.xml")
        assert (done.code, "OVG108" in done.err, "OVG103" in done.err) == (
            0,
            True,
            False,
        )
        assert path.read_text(encoding="utf-8") == FRACTION

    def test_a_quote_that_is_missing(self, validate: Runner) -> None:
        path = write("m.xml", GOOD.replace('axis="1"', 'axis="1'))
        assert validate("m.xml").code == 4
        assert validate("--fix", "m.xml").code == 0
        assert path.read_text(encoding="utf-8") == GOOD

    def test_files_that_cannot_be_read(self, validate: Runner) -> None:
        write("m.xml", "<net")
        done = validate("--fix", "m.xml", "none.xml")
        assert (done.code, done.err) == (4, "")


class TestStandardInput:
    def test_it_is_printed_mended(self, validate: Runner) -> None:
        done = validate("--fix", "--format", "concise", "-", given=FRACTION)
        assert (done.code, done.out) == (0, GOOD)
        assert done.err == "fixed 1 problem in -\n  17:19 OVG103 axis is 1\n"

    def test_what_is_left_goes_elsewhere(self, validate: Runner) -> None:
        done = validate("--fix", "-", given=UNSAFE)
        assert (done.code, done.out) == (1, UNSAFE)
        assert "OVG102" in done.err
        done = validate("--fix", "-o", "left.txt", "-", given=UNSAFE)
        assert (done.code, done.out) == (1, UNSAFE)
        assert "OVG102" in Path("left.txt").read_text(encoding="utf-8")

    def test_what_cannot_be_read_comes_back(self, validate: Runner) -> None:
        done = validate("--fix", "-", given=b"<net")
        assert (done.code, done.out) == (4, "<net")

    def test_its_diff(self, validate: Runner) -> None:
        done = validate("--diff", "-", given=FRACTION)
        assert done.out.startswith("--- -\n+++ -\n")


class TestDiff:
    def test_it_changes_nothing(self, validate: Runner) -> None:
        path = write("m.xml", FRACTION)
        done = validate("--diff", "m.xml")
        lines = done.out.splitlines()
        assert lines[:3] == ["--- m.xml", "+++ m.xml", "@@ -14,7 +14,7 @@"]
        assert [line for line in lines[3:] if line[0] in "+-"] == [
            '-      <data axis="1.9"/>',
            '+      <data axis="1"/>',
        ]
        assert done.err == "would fix 1 problem in m.xml\n  17:19 OVG103 axis is 1\n"
        assert done.code == 1
        assert path.read_text(encoding="utf-8") == FRACTION

    def test_characters_that_cannot_be_shown(self, validate: Runner) -> None:
        line = '      <data axis="1.9"/>'
        write("m.xml", FRACTION.replace(line, f"<!-- \u202e -->{line}"))
        done = validate("--diff", "m.xml")
        assert "\u202e" not in done.out
        assert (
            "characters of the diff that cannot be shown are escaped; -o FILE writes it as it is\n"
            in done.err
        )

    def test_a_file_that_cannot_be_read_is_told_of(self, validate: Runner) -> None:
        write("m.xml", "<net")
        done = validate("--diff", "m.xml", "none.xml")
        assert (done.code, done.out) == (4, "")
        assert done.err.startswith("ovgather: m.xml:1:1: error[OVG002]: ")
        assert "ovgather: none.xml:1:1: error[OVG001]: " in done.err

    def test_nothing_to_mend(self, validate: Runner) -> None:
        write("m.xml", GOOD)
        assert validate("--diff", "m.xml") == Done(0, "", "")

    def test_what_cannot_be_mended(self, validate: Runner) -> None:
        write("m.xml", "<net><layers></net>")
        assert validate("--diff", "m.xml").out == ""
        write("none.xml", "<net")
        assert validate("--diff", "none.xml").code == 4

    def test_exit_zero(self, validate: Runner) -> None:
        write("m.xml", FRACTION)
        assert validate("--diff", "--exit-zero", "m.xml").code == 0

    def test_into_a_file(self, validate: Runner) -> None:
        write("m.xml", FRACTION)
        done = validate("--diff", "-o", "m.patch", "m.xml")
        assert done.out == ""
        assert Path("m.patch").read_text(encoding="utf-8").startswith("--- m.xml\n")

    @pytest.mark.slow
    @pytest.mark.skipif(shutil.which("patch") is None, reason="patch is not installed")
    def test_patch_takes_it(self, validate: Runner) -> None:
        folder = Path("models")
        folder.mkdir()
        for sample in SAMPLES.glob("rules/*/bad.xml"):
            shutil.copyfile(sample, folder / f"{sample.parent.name}.xml")
        write("models/crlf.xml", CASE.replace("\n", "\r\n"))
        write("models/one.xml", CASE.replace("\n", ""))
        assert validate("--diff", "-o", "all.patch", "models").code == 4
        shutil.copytree("models", "patched")
        subprocess.run(
            [
                "patch",
                "--binary",
                "--silent",
                "--fuzz=0",
                "-p1",
                "--directory=patched",
                "--input=../all.patch",
            ],
            check=True,
            timeout=60,
        )
        assert validate("--fix", "models").code == 4
        fixed = {path.name: path.read_bytes() for path in folder.iterdir()}
        assert fixed == {
            path.name: path.read_bytes() for path in Path("patched").iterdir()
        }


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--unsafe-fixes",), "--unsafe-fixes goes with --fix or --diff"),
        (("--diff", "--fix"), "--diff does not go with --fix"),
        (("--diff", "--format", "json"), "--diff does not go with --format"),
        (("--diff", "--statistics"), "--diff does not go with --statistics"),
        (
            ("--diff", "--baseline", "b", "--write-baseline"),
            "--diff does not go with --write-baseline",
        ),
        (("--diff", "--with-openvino"), "--diff does not go with --with-openvino"),
    ],
)
def test_wrong_usage(
    validate: Runner, arguments: tuple[str, ...], message: str
) -> None:
    write("m.xml", GOOD)
    done = validate(*arguments, "m.xml")
    assert done.code == 2
    assert message in done.err


def test_a_diff_of_nothing_says_so(capfd: pytest.CaptureFixture[str]) -> None:
    assert (
        run(["validate", str(SAMPLES / "rules" / "OVG202" / "bad.xml"), "--diff"]) == 1
    )
    captured = capfd.readouterr()
    assert captured.out == ""
    assert captured.err == "ovgather: 1 problem without a fix: no --diff shows them\n"
