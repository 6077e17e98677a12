"""PATH...: patterns and links, and folders that cannot be read."""

from __future__ import annotations

import errno
import json
import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
import pytest
from paths import SAMPLES

from ovgather.cli._shared.files import find
from ovgather.cli.main import run

RULES = SAMPLES / "rules"
GOOD, BAD = RULES / "OVG102/good.xml", RULES / "OVG102/bad.xml"


@pytest.fixture
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in (
        "d/a.xml",
        "d/b/c.xml",
        "d/b/e/f.xml",
        "d/.hidden/h.xml",
        "d/b/e/g.txt",
    ):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(GOOD, tmp_path / name)
    monkeypatch.chdir(tmp_path)
    return tmp_path


ALL = ["d/a.xml", "d/b/c.xml", "d/b/e/f.xml"]


class TestPatterns:
    @pytest.mark.parametrize(
        ("pattern", "files"),
        [
            ("d/**/*.xml", ALL),
            ("**/*.xml", ALL),
            ("./**/*.xml", [f"./{path}" for path in ALL]),
            ("d/**", [*ALL[:2], *ALL[2:], "d/b/e/g.txt"]),
            ("d/**/e/**/*.xml", ALL[2:]),
            ("*/**/[cf].xml", ALL[1:]),
            ("d/b/**/**/*.xml", ALL[1:]),
            ("d/*.xml", ALL[:1]),
            ("d/b*", ALL[1:]),
            ("d/.*/**/*.xml", ["d/.hidden/h.xml"]),
            ("d/***.xml", ALL[:1]),
        ],
    )
    def test_what_they_match(self, tree: Path, pattern: str, files: list[str]) -> None:
        assert find([pattern]).paths == files

    def test_what_matches_nothing(self, tree: Path, capfd: Any) -> None:
        with pytest.raises(click.exceptions.Exit):
            find(["x/**/*.xml"])
        assert capfd.readouterr().err == "ovgather: no .xml file in x/**/*.xml\n"

    @pytest.mark.parametrize("path", ["x/*.xml", "empty"])
    def test_one_path_of_several_matches_nothing(
        self, path: str, tree: Path, capfd: Any
    ) -> None:
        (tree / "empty").mkdir()
        assert run(["validate", path, "d/a.xml"]) == 3
        output = capfd.readouterr()
        assert output.err.startswith("ovgather: no .xml")
        assert output.err.endswith(f" file in {path}\n")
        assert "1 file" in output.out
        assert run(["validate", "--allow-none", path, "d/a.xml"]) == 0

    def test_endings_in_capitals(self, tree: Path) -> None:
        (tree / "d" / "a.xml").rename(tree / "d" / "A.XML")
        assert "d/A.XML" in find(["d"]).paths

    def test_what_a_killed_run_left_is_passed_over(self, tree: Path) -> None:
        (tree / "d" / ".ovgather-x1").mkdir()
        (tree / "d" / ".ovgather-x1" / "model.xml").write_text("<net/>")
        assert find(["d"]).paths == [*ALL[:1], "d/.hidden/h.xml", *ALL[1:]]

    def test_an_absolute_one(self, tree: Path) -> None:
        assert find([f"{tree}/**/*.xml"]).paths == [f"{tree}/{path}" for path in ALL]

    def test_names_that_look_like_patterns(self, tree: Path) -> None:
        (tree / "d" / "[ab]*").mkdir()
        shutil.copy(GOOD, tree / "d" / "[ab]*" / "m.xml")
        assert "d/[ab]*/m.xml" in find(["d/**/*.xml"]).paths

    def test_links_that_lead_up_are_not_followed(self, tree: Path) -> None:
        for name in ("d/up", "d/b/up", "d/b/e/up"):
            try:
                os.symlink(tree / "d", tree / name, target_is_directory=True)
            except OSError:
                pytest.skip("no links here")
        assert find(["d/**/*.xml"]).paths == find(["d/**/**/*.xml"]).paths == ALL
        assert find(["d/**"]).paths == [*ALL, "d/b/e/g.txt"]

    @pytest.mark.parametrize("pattern", ["d/*/*.xml", "d/*", "*/*/c.xml", "d/**/*.xml"])
    def test_a_link_that_a_pattern_finds_leads_nowhere_else(
        self, tree: Path, pattern: str
    ) -> None:
        before = find([pattern]).paths
        (tree / "out").mkdir()
        shutil.copy(GOOD, tree / "out" / "c.xml")
        try:
            os.symlink(tree / "out", tree / "d" / "k", target_is_directory=True)
        except OSError:
            pytest.skip("no links here")
        paths = find([pattern]).paths
        if pattern.startswith("*"):
            assert (
                "d/k/c.xml" in paths
            )  # it stays in the folder where the pattern begins
        else:
            assert paths == before

    def test_a_link_that_is_named_is_followed(self, tree: Path) -> None:
        try:
            os.symlink(tree / "d" / "b", tree / "link", target_is_directory=True)
        except OSError:
            pytest.skip("no links here")
        assert (
            find(["link/**/*.xml"]).paths
            == ["link/c.xml", "link/e/f.xml"]
            == find(["link"]).paths
        )


@pytest.fixture(params=[errno.EACCES, errno.ENOENT], ids=["unreadable", "vanishes"])
def unread(
    tree: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> str:
    """What is said of the folder ``d/b``, which cannot be read; permissions do not stop root."""
    scandir = os.scandir

    def refusing(path: Any = ".") -> Iterator[os.DirEntry[str]]:
        if isinstance(path, str) and os.path.normpath(path) in ("d/b", "d/b/e"):
            raise OSError(request.param, os.strerror(request.param), path)
        return scandir(path)

    monkeypatch.setattr(os, "scandir", refusing)
    return f"d/b: the folder cannot be read: {os.strerror(request.param)}"


class TestFoldersThatCannotBeRead:
    @pytest.mark.parametrize("path", ["d", "d/**/*.xml", "d/*"])
    @pytest.mark.parametrize("verb", ["validate", "infer"])
    def test_they_are_named_and_the_rest_is_checked(
        self, unread: str, verb: str, path: str, capfd: Any
    ) -> None:
        assert run([verb, path, path, "--format", "json"]) == 4
        out, err = capfd.readouterr()
        assert err == f"ovgather: {unread}\n"
        assert json.loads(out)["files"][0]["path"] == "d/a.xml"

    def test_findings_do_not_hide_it(self, unread: str, tree: Path, capfd: Any) -> None:
        shutil.copy(BAD, tree / "d" / "a.xml")
        assert run(["validate", "--isolated", "d", "--exit-zero"]) == 4
        assert unread in capfd.readouterr().err

    def test_nothing_else_is_there(self, unread: str, capfd: Any) -> None:
        for path in ("d/b", "d/b/*.xml", "d/[b]/*"):
            assert run(["validate", path]) == 4
            assert capfd.readouterr() == ("", f"ovgather: {unread}\n")

    def test_an_excluded_one_is_not_read(
        self, unread: str, tree: Path, capfd: Any
    ) -> None:
        (tree / "ovgather.toml").write_text('exclude = ["d/b"]')
        assert run(["validate", "d"]) == 0
        assert capfd.readouterr().err == ""

    def test_crosscheck(self, unread: str, tree: Path, capfd: Any) -> None:
        pytest.importorskip("openvino")
        shutil.rmtree(tree / "d" / ".hidden")
        (tree / "d" / "a.xml").write_text(
            '<net name="m" version="11"><layers/><edges/></net>'
        )
        assert run(["crosscheck", "d"]) == 4
        assert unread in capfd.readouterr().err


def test_weights_stand_for_their_model(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("good.xml", "good.bin"):
        shutil.copy(SAMPLES / "demo" / name, tmp_path / name)
    weights, other = tmp_path / "good.bin", tmp_path / "other.bin"
    weights.write_bytes(weights.read_bytes()[:-8])
    other.touch()
    assert run(["validate", str(weights), str(tmp_path / "good.xml"), str(other)]) == 1
    output = capsys.readouterr()
    assert "1 file" in output.out
    assert (
        output.err
        == f"ovgather: {other} is left out: there is no other.xml beside it\n"
    )
    assert run(["validate", str(other)]) == 3
    assert run(["validate", "--allow-none", str(other)]) == 0
