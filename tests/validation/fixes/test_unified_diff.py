"""Unified diffs of texts with known differences, as ``patch`` takes them."""

from __future__ import annotations

import random
import shutil
import subprocess
from pathlib import Path

import pytest

from ovgather.ir.edit.edits import Patched
from ovgather.ir.text import Edit
from ovgather.validation.fixes.unified_diff import unified_diff


def test_lines_are_added_and_taken_away() -> None:
    text = b"1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11\n12\n"
    patched = Patched(text)
    patched.apply([Edit(4, 2, b"", ""), Edit(18, 0, b"x\ny\n", "")])
    assert unified_diff("m", text, patched.regions()).decode().splitlines() == [
        *("--- m", "+++ m"),
        *(
            "@@ -1,12 +1,13 @@",
            " 1",
            " 2",
            "-3",
            " 4",
            " 5",
            " 6",
            " 7",
            " 8",
            " 9",
            "+x",
            "+y",
            " 10",
            " 11",
            " 12",
        ),
    ]


def test_far_apart() -> None:
    text = b"".join(b"%d\n" % number for number in range(30))
    patched = Patched(text)
    patched.apply([Edit(0, 1, b"a", ""), Edit(len(text) - 3, 2, b"z", "")])
    hunks = [
        line
        for line in unified_diff("m", text, patched.regions()).splitlines()
        if line.startswith(b"@@")
    ]
    assert hunks == [b"@@ -1,4 +1,4 @@", b"@@ -27,4 +27,4 @@"]


def test_no_newline_at_the_end() -> None:
    patched = Patched(b"a")
    patched.apply([Edit(0, 1, b"b", "")])
    made = unified_diff("m", b"a", patched.regions())
    assert (
        made
        == b"--- m\n+++ m\n@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+b\n\\ No newline at end of file\n"
    )


def test_nothing() -> None:
    patched = Patched(b"a")
    patched.apply([Edit(0, 1, b"a", "")])
    assert unified_diff("m", b"a", patched.regions()) == b""


def random_edits(length: int, chance: random.Random) -> list[Edit]:
    edits = []
    at = 0
    while at <= length and chance.random() < 0.8:
        start = chance.randint(at, length)
        removed = chance.randint(0, min(3, length - start))
        edits.append(
            Edit(start, removed, chance.choice([b"", b"Z", b"\n", b"q\nw"]), "")
        )
        at = start + removed + 1
    return edits


@pytest.mark.skipif(shutil.which("patch") is None, reason="patch is not installed")
@pytest.mark.parametrize("seed", range(40))
def test_patch_makes_the_same(seed: int, tmp_path: Path) -> None:
    chance = random.Random(seed)
    text = b"".join(
        chance.choice([b"a\n", b"bb\n", b"c\r\n", b"\n", b"x"])
        for _ in range(chance.randint(0, 40))
    )
    patched = Patched(text)
    for _ in range(chance.randint(1, 3)):
        patched.apply(random_edits(len(patched.text), chance))
    made, done = b"", 0
    for region in patched.regions():
        made += text[done : region.start] + region.inserted
        done = region.end
    assert made + text[done:] == patched.text
    diff = unified_diff("m", text, patched.regions())
    assert bool(diff) is (patched.text != text)
    if diff:
        (tmp_path / "m").write_bytes(text)
        (tmp_path / "diff").write_bytes(diff)
        command = ["patch", "--binary", "--silent", "--fuzz=0", "-p0", "--input=diff"]
        subprocess.run(command, cwd=tmp_path, check=True, timeout=60)
        left = tmp_path / "m"  # of which nothing is left when it is empty
        assert (left.read_bytes() if left.exists() else b"") == patched.text
