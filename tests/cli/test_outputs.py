"""What a verb writes is never what it reads, under whatever name; and what cannot be written is said at once."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from output_files import DEMO, HAS_ONNX, HAS_OPENVINO, content

import ovgather
from ovgather.cli.main import run
from ovgather.comparison.reduce.folder import NAMES
from ovgather.errors import InvalidModelError

SORTED = ("--layer", "sorted_tokens")
PICKED = ("--layer", "word_embedding")


class Case(NamedTuple):
    """A command; ``OUT`` in it is the output, whose name ends with ``suffix``, and what it reads."""

    command: str
    inputs: str
    suffix: str = ""
    # the output that is tried is the one beside OUT, with this extension
    beside: str = ""
    needs_onnx: bool = False
    needs_openvino: bool = False


CASES = [
    Case("validate m.xml --isolated -o OUT", "m.xml m.bin"),
    Case(
        "validate m.xml --weights w.bin --config own.toml --baseline known.json -o OUT",
        "m.xml m.bin w.bin own.toml known.json",
    ),
    Case("validate m.xml -o OUT", "ovgather.toml"),
    Case("validate . --isolated -o OUT", "m.xml m.bin deep/n.xml deep/n.bin"),
    Case(
        "validate *.xml deep/*.xml --isolated --format sarif -o OUT",
        "m.xml m.bin deep/n.xml",
    ),
    Case("validate m.xml --isolated --fix -o OUT", "m.xml m.bin"),
    Case("validate m.xml --isolated --diff -o OUT", "m.xml m.bin"),
    Case("validate m.xml --isolated --write-baseline --baseline OUT", "m.bin"),
    Case("validate m.onnx --isolated -o OUT", "m.onnx tensors/m.data", needs_onnx=True),
    Case("infer m.xml --weights w.bin -o OUT", "m.xml m.bin w.bin"),
    Case("infer m.xml deep/n.xml -o OUT", "m.xml m.bin deep/n.xml deep/n.bin"),
    Case("infer m.xml --write OUT", "m.xml m.bin"),
    Case("infer m.xml --weights w.bin --write OUT -o other.txt", "m.xml w.bin"),
    Case("infer m.onnx -o OUT", "m.onnx tensors/m.data", needs_onnx=True),
    Case(
        "run m.xml --layer word_embedding indices=i.npy --inputs in.npz -o OUT",
        "m.xml m.bin i.npy in.npz",
    ),
    Case("run m.xml --layer word_embedding --weights w.bin -o OUT", "m.xml w.bin"),
    Case("run m.onnx -o OUT", "m.onnx tensors/m.data", needs_onnx=True),
    Case(
        "crosscheck m.xml --inputs in.npz --weights w.bin -o OUT",
        "m.xml m.bin w.bin in.npz",
    ),
    Case("crosscheck . --format html -o OUT", "m.xml deep/n.bin"),
    Case(
        "crosscheck m.onnx m.xml --weights w.bin -o OUT",
        "m.onnx tensors/m.data m.xml w.bin",
        needs_onnx=True,
    ),
    Case("show m.xml --layer word_embedding indices=i.npy -o OUT", "m.xml m.bin i.npy"),
    Case("show m.xml --weights w.bin -o OUT", "m.xml m.bin w.bin"),
    Case(
        "show m.xml --layer word_embedding --inputs in.npz -o OUT",
        "in.npz",
    ),
    Case(
        "extract m.xml --layer word_embedding --weights w.bin --force -o OUT",
        "m.xml m.bin w.bin",
        ".xml",
    ),
    Case(
        "extract m.xml --layer word_embedding --weights w.bin --force -o OUT",
        "m.xml m.bin w.bin",
        ".xml",
        ".bin",
    ),
    Case(
        "convert m.xml --layer word_embedding --force -o OUT",
        "m.xml m.bin",
        ".onnx",
        needs_onnx=True,
    ),
    Case(
        "convert m.onnx --force -o OUT",
        "m.onnx tensors/m.data",
        ".xml",
        needs_onnx=True,
    ),
    Case(
        "convert m.onnx --force -o OUT",
        "m.onnx tensors/m.data",
        ".xml",
        ".bin",
        needs_onnx=True,
    ),
    Case(
        "convert m.onnx --force -o FOLDER/",
        "m.onnx tensors/m.data",
        "/pick.xml",
        needs_onnx=True,
    ),
    Case(
        "convert m.onnx --force -o FOLDER/",
        "m.onnx tensors/m.data",
        "/pick.bin",
        needs_onnx=True,
    ),
    Case(
        "reduce m.xml --layer word_embedding -o FOLDER",
        "m.xml m.bin",
        "/model.xml",
        needs_openvino=True,
    ),
    Case(
        "reduce m.xml --layer word_embedding --inputs in.npz -o FOLDER",
        "m.bin in.npz",
        "/inputs.npz",
        "",
        False,
        True,
    ),
    Case(
        "reduce report.json -o bugs",
        "report.json m.xml m.bin",
        "bugs/1-pick-alone/REPORT.md",
        "",
        False,
        True,
    ),
]


def words(command: str) -> list[str]:
    from ovgather.cli._shared.files import find

    return [
        path
        for word in command.split()
        for path in (find([word]).paths if "*" in word else [word])
    ]


def rows() -> Iterator[Any]:
    """Every input of every case, by every name it may have."""
    for case in CASES:
        for read in case.inputs.split():
            for way in ("name", "symbolic link", "hard link"):
                if way == "name" and (case.suffix or case.beside):
                    continue  # its name is not free to choose
                yield pytest.param(
                    case,
                    read,
                    way,
                    id=f"{case.command} [{case.suffix or case.beside}] {read} by {way}",
                )


@pytest.mark.parametrize(("case", "read", "way"), list(rows()))
def test_what_is_read_is_not_overwritten(
    case: Case, read: str, way: str, place: Path, capfd: Any
) -> None:
    if (case.needs_onnx and not HAS_ONNX) or (case.needs_openvino and not HAS_OPENVINO):
        pytest.skip("an extra is not installed")
    output = read
    if way != "name":
        output = f"{'' if case.suffix.startswith('bugs/') else 'linked'}{case.suffix}"
        target = Path(output).with_suffix(case.beside) if case.beside else Path(output)
        target.parent.mkdir(parents=True, exist_ok=True)
        if way == "symbolic link":
            target.symlink_to(place / read)
        else:
            os.link(read, target)
    before = content(place)
    code = run(words(case.command.replace("OUT", output).replace("FOLDER", "linked")))
    out, err = capfd.readouterr()
    assert (code, out) == (2, ""), err
    assert (
        "overwritten" in err
        or "m.bin: not a baseline" in err
        or "linked: not a baseline" in err
    )
    assert content(place) == before


@pytest.mark.parametrize(
    ("command", "named"),
    [
        ("infer m.xml --write out.xml -o out.xml", "out.xml"),
        ("infer m.xml --write out.xml -o ./out.xml", "out.xml"),
        ("infer m.xml --write one -o two", "one"),  # one file by two names
        (
            "validate m.xml --isolated --baseline new.json --write-baseline -o new.json",
            "new.json",
        ),
        ("extract m.xml --layer word_embedding --force -o both.xml", "both.xml"),
    ],
)
def test_two_outputs_need_two_files(
    command: str, named: str, place: Path, capfd: Any
) -> None:
    Path("one").write_text("1")
    os.link("one", "two")
    Path("both.xml").write_text("1")
    os.link("both.xml", "both.bin")
    before = content(place)
    code = run(command.split())
    out, err = capfd.readouterr()
    assert (code, out, content(place)) == (2, "", before)
    assert named in err
    assert "another output: each needs a file of its own" in err


@pytest.mark.parametrize("read", ["m.xml", "m.bin", "w.bin"])
def test_from_python(read: str, place: Path) -> None:
    made = [ovgather.extract("m.xml", "word_embedding", weights="w.bin")]
    if HAS_ONNX:
        made += ovgather.convert("m.xml", "word_embedding", weights="w.bin")
    os.link(read, "linked.bin")
    os.link(read, "linked.onnx")
    before = content(place)
    for each in made:
        with pytest.raises(
            InvalidModelError,
            match=rf"linked.* is the same file as {read}, which is read",
        ):
            each.write(f"linked{each.extension}", overwrite=True)
    assert content(place) == before


def test_standard_input_is_read(place: Path) -> None:
    import subprocess

    with open("m.xml", "rb") as file:
        command = [
            sys.executable,
            "-c",
            "from ovgather.cli.main import main; main()",
            *["validate", "-", "-o", "m.xml"],
        ]
        done = subprocess.run(command, stdin=file, capture_output=True, text=True)
    assert done.returncode == 2
    assert (
        "m.xml is the same file as standard input, which is read: it is not overwritten"
        in done.stderr
    )
    assert (place / "m.xml").read_bytes() == (DEMO / "good.xml").read_bytes()


def test_a_dash_is_standard_output(
    place: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["validate", "m.xml", "-o", "-"]) == 0
    assert "No problems" in capsys.readouterr().out
    assert not (place / "-").exists()


class TestTheMessage:
    def test_names_both(self, place: Path, capfd: Any) -> None:
        os.link("m.bin", "copy")
        assert run(["infer", "m.xml", "-o", "copy"]) == 2
        said = "ovgather: copy is the same file as m.bin, which is read: it is not overwritten\n"
        assert capfd.readouterr().err == said
        assert run(["infer", "m.xml", "-o", "m.bin"]) == 2
        assert (
            capfd.readouterr().err == "ovgather: m.bin is read: it is not overwritten\n"
        )

    def test_comes_before_the_work(
        self, place: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        from ovgather.cli._shared import crosscheck_files

        monkeypatch.setattr(
            crosscheck_files,
            "crosscheck_model",
            lambda *_, **__: pytest.fail("it has begun"),
        )
        assert run(["crosscheck", "m.xml", "-o", "m.bin"]) == 2
        assert run(["crosscheck", "m.xml", "-o", "none/report.json"]) == 2

    def test_what_takes_the_place_meanwhile_is_seen(
        self, place: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        from ovgather.cli import validate

        check = validate._checks

        def check_late(*arguments: Any) -> Any:
            Path("out.txt").symlink_to("m.bin")
            return check(*arguments)

        monkeypatch.setattr(validate, "_checks", check_late)
        before = Path("m.bin").read_bytes()
        assert run(["validate", "m.xml", "--isolated", "-o", "out.txt"]) == 2
        assert Path("m.bin").read_bytes() == before


class TestReduce:
    def test_an_older_reproducer_of_other_files(self, place: Path) -> None:
        from ovgather.comparison.reduce.folder import require_free

        Path("bug").mkdir()
        for name in NAMES:
            Path("bug", name).write_text("old")
        require_free("bug", ["m.xml", "m.bin"])
        Path("bug/model.bin").chmod(0o444)
        with pytest.raises(PermissionError, match="it is read-only"):
            require_free("bug")

    @pytest.mark.skipif(not HAS_OPENVINO, reason="openvino is not installed")
    def test_its_own_reproducer_stays(self, place: Path, capfd: Any) -> None:
        Path("bug").mkdir()
        shutil.copyfile("m.xml", "bug/model.xml")
        shutil.copyfile("m.bin", "bug/model.bin")
        before = content(place)
        assert run(["reduce", "bug/model.xml", *PICKED, "-o", "bug"]) == 2
        assert (
            capfd.readouterr().err
            == "ovgather: bug/model.xml is read: it is not overwritten\n"
        )
        assert content(place) == before

    @pytest.mark.skipif(not HAS_OPENVINO, reason="openvino is not installed")
    def test_below_a_file(self, place: Path, capfd: Any) -> None:
        assert run(["reduce", "m.xml", *SORTED, "-o", "m.bin/bug"]) == 2
        assert "m.bin: it is no folder" in capfd.readouterr().err
