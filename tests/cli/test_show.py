"""``ovgather show``: what it prints, where its values come from, exit codes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy
import pytest
from paths import SAMPLES

from ovgather.cli.main import run

GOOD, NESTED = SAMPLES / "demo" / "good.xml", SAMPLES / "demo" / "nested.xml"
PICK = SAMPLES / "specification" / "gather_elements_6_example_2.xml"


def show(capfd: Any, *arguments: object) -> tuple[int, str, str]:
    code = run(["show", *map(str, arguments)])
    out, err = capfd.readouterr()
    return code, out, err


def test_the_list(capfd: Any, tmp_path: Path) -> None:
    code, out, err = show(capfd, GOOD)
    assert (code, err) == (0, "")
    lines = out.splitlines()
    assert len(lines) == 5
    assert lines[0] == (
        'Gather-8 "word_embedding" (layer 3)          data [10,4] f32, indices [?,6] i64, axis 0 -> [?,6,4]'
    )
    assert {line.index("data [") for line in lines} == {45}
    assert (
        'GatherElements-6 "pick" (layer 2 in three_times/body/choose/then_body)'
        in show(capfd, NESTED)[1]
    )
    (tmp_path / "m.xml").write_text(
        '<net name="m" version="11"><layers/><edges/></net>'
    )
    assert show(capfd, tmp_path / "m.xml") == (
        0,
        f"{tmp_path / 'm.xml'}: no Gather layer\n",
        "",
    )


def test_constants_and_examples(capfd: Any) -> None:
    code, out, err = show(capfd, GOOD, "--layer", "batch_size")
    assert (code, err) == (0, "")
    assert out == (
        'Gather-1 "batch_size" (layer 19), axis 0\n'
        "  data     i64 [2]  (examples: the cells, counted)\n"
        "  indices  i64 [1]  (constant of the file)\n"
        "  output   i64 [1]\n"
        "\n"
        "data [2]    indices [1]   output [1]   taken from data at [1]\n"
        "┌───┬───┐   ┌───┐         ┌───┐        ┌─────┐\n"
        "│ 0 │ 1 │   │ 0 │         │ 0 │        │ [0] │\n"
        "└───┴───┘   └───┘         └───┘        └─────┘\n"
    )
    first, again, other = (
        show(capfd, GOOD, "--layer", "3", "--seed", seed)[1] for seed in (0, 0, 1)
    )
    assert "  indices  i64 [3,6]  (examples, seed 0)\n" in first
    assert first == again != other


def test_values_that_are_given(capfd: Any, tmp_path: Path) -> None:
    numpy.save(tmp_path / "i.npy", numpy.array([[3, 9, -1, 0, 10, 2]]))
    numpy.savez(tmp_path / "m.npz", indices=numpy.array([[1, 1, 1, 1, 1, 1]]))
    code, out, _ = show(
        capfd, GOOD, f"indices={tmp_path / 'i.npy'}", "--layer", "word_embedding"
    )
    assert code == 0
    assert "  indices  i64 [1,6]  (given)\n" in out
    assert "0: the index is outside, the output is zero\n" in out
    assert "negative indices count from the end: -1 of 10 is 9\n" in out
    assert (
        "│ [1,3] │"
        in show(
            capfd, GOOD, "--inputs", tmp_path / "m.npz", "--layer", "word_embedding"
        )[1]
    )


def test_indices_outside_are_drawn_where_run_refuses_them(
    capfd: Any, tmp_path: Path
) -> None:
    numpy.save(tmp_path / "i.npy", numpy.full((2, 6), 6, "i4"))
    code, out, _ = show(
        capfd, GOOD, f"indices={tmp_path / 'i.npy'}", "--layer", "sorted_tokens"
    )
    assert code == 0
    assert (
        "?: the index is outside, and the operation does not say what that gives\n"
        in out
    )


def test_colour(capfd: Any) -> None:
    assert (
        "\x1b[1mGather-1" in show(capfd, GOOD, "--layer", "19", "--color", "always")[1]
    )
    assert "\x1b" not in show(capfd, GOOD, "--layer", "19")[1]


def test_messages(capfd: Any, tmp_path: Path) -> None:
    for option in (("--format", "html"), ("data=x.npy",)):
        code, _, err = show(capfd, GOOD, *option)
        assert code == 2
        assert (
            f"Error: {' '.join(option)} needs --layer, which says what to draw\n" in err
        )
    code, _, err = show(capfd, GOOD, "--layer", "token_ids")
    assert code == 2
    assert (
        err
        == f"ovgather: {GOOD}: layer 'token_ids' is a 'Parameter' (opset1), not a Gather that can be run\n"
    )
    code, _, err = show(capfd, GOOD, "--layer", "3", "indices=none.npy")
    assert code == 2
    assert "Error: cannot read none.npy: " in err
    assert show(capfd, tmp_path / "none.xml")[0] == 4


@pytest.mark.parametrize(
    "path",
    sorted((SAMPLES / "specification").glob("*.xml")),
    ids=lambda path: path.stem,
)
def test_every_sample_of_the_specification(capfd: Any, path: Path) -> None:
    from ovgather import read
    from ovgather.layers.gather_layer import is_family

    for layer in filter(is_family, read(path).layers()):
        code, out, err = show(capfd, path, "--layer", f"#{layer.id}")
        assert (code, err) == (0, "")
        assert out


def test_tables_fit_the_terminal(monkeypatch: pytest.MonkeyPatch, capfd: Any) -> None:
    wide = show(capfd, GOOD, "--layer", "sorted_tokens")[1]
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    monkeypatch.setenv("COLUMNS", "50")
    narrow = show(capfd, GOOD, "--layer", "sorted_tokens", "--color", "never")[1]
    widths = [
        max(len(line) for line in page.splitlines() if line.startswith("│"))
        for page in (wide, narrow)
    ]
    assert widths == [99, 49]
