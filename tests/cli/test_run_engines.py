"""``ovgather run --engine --threads``: the same output, wording, exit codes."""

from __future__ import annotations

from importlib.util import find_spec
from typing import Any

import pytest
from paths import SAMPLES

from ovgather.cli.main import run
from ovgather.ops.kernels import compiled as numba_run

PICK = SAMPLES / "specification" / "gather_elements_6_example_2.xml"


def run_layer(capfd: Any, *arguments: object) -> tuple[int, str, str]:
    code = run(["run", str(PICK), *map(str, arguments)])
    out, err = capfd.readouterr()
    return code, out, err


def test_each_engine_prints_the_same(capfd: Any) -> None:
    expected = run_layer(capfd)
    assert expected[0] == 0
    assert "out" in expected[1]
    assert run_layer(capfd, "--engine", "numpy", "--threads", 2) == expected
    assert run_layer(capfd, "--engine", "auto", "--threads", 99) == expected
    if find_spec("numba"):
        assert run_layer(capfd, "--engine", "numba") == expected


def test_numba_that_is_missing(capfd: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(numba_run, "is_installed", lambda name: False)
    monkeypatch.setattr(numba_run, "_ready", set())
    code, out, err = run_layer(capfd, "--engine", "numba")
    assert (code, out) == (5, "")
    assert (
        err
        == 'ovgather: numba is not installed: pip install ".[fast]" in the checkout of ovgather\n'
    )


def test_what_is_no_engine_and_no_number(capfd: Any) -> None:
    code, _, err = run_layer(capfd, "--engine", "torch")
    assert code == 2
    assert (
        "Invalid value for '--engine': 'torch' is not one of 'auto', 'numpy', 'numba'."
        in err
    )
    code, _, err = run_layer(capfd, "--threads", 0)
    assert code == 2
    assert "Invalid value for '--threads': 0 is not in the range x>=1." in err
