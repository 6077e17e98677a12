"""``ovgather explain``: pages by code and by operation, in any case; what is not known."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from ovgather.cli.main import run
from ovgather.ops import onnx
from ovgather.ops import openvino as ops
from ovgather.validation.diagnosis.proposals import hypotheses
from ovgather.validation.releases import FIRST, LAST, OPSETS
from ovgather.validation.rules import every, rules

MORE = "What other runtimes make of it: portability.\n"
READ = f"Read by OpenVINO {FIRST} to {LAST}"
LATER = ", ".join(f"in {opset} since {first}" for opset, first in OPSETS.items())


def explain(capfdbinary: Any, *arguments: str) -> tuple[int, str, str]:
    code = run(["explain", *arguments])
    said = capfdbinary.readouterr()
    return code, said.out.decode(), said.err.decode()


@pytest.mark.parametrize("written", ["OVG106", "ovg106", " Ovg106 "])
def test_a_rule(written: str, capfdbinary: Any) -> None:
    code, out, err = explain(capfdbinary, written)
    assert (code, err) == (0, "")
    assert out == (
        "OVG106: required attribute left to its default\n"
        "\n"
        "Severity: warning, error. OpenVINO: accepts, rejects, rejects_on_compile, undefined.\n"
        "\n"
        "What: a layer lacks an attribute that its operation's specification requires, such as `axis` of "
        "GatherElements.\n"
        "\n"
        "Why: the default is OpenVINO's own; other readers of IR refuse the layer, or take another value. If the "
        "ports\n"
        "contradict the default, this is an error: OpenVINO computes something else than they declare.\n"
        "\n"
        "OpenVINO: uses its default, and rejects a layer that this does not fit, on compile where the CPU refuses it.\n"
        "\n"
        "Bad:\n"
        "\n"
        "    <data />\n"
        "\n"
        "Good:\n"
        "\n"
        '    <data axis="0" />\n'
    )


@pytest.mark.parametrize("rule", every(), ids=lambda rule: rule.RULE.code)
def test_every_rule_has_a_page(rule: Any, capfdbinary: Any) -> None:
    code, out, _ = explain(capfdbinary, rule.RULE.code)
    assert code == 0
    assert out.startswith(f"{rule.RULE.code}: {rule.RULE.title}\n\nSeverity: ")
    assert "\nWhat: " in out
    assert "\nWhy: " in out
    assert "\nOpenVINO: " in out or rule not in rules()
    assert "``" not in out


def test_a_hypothesis(capfdbinary: Any) -> None:
    code, out, err = explain(capfdbinary, "Shifted_IDs")
    assert (code, err) == (0, "")
    assert out == (
        "shifted_ids: the ids of layers are numbered anew from one layer on, as a bad merge "
        "leaves them\n"
        "\n"
        "A hypothesis on what was done to a file.\n"
        "\n"
        "What: the ids of layers are numbered anew from one layer on, as a bad merge leaves "
        "them.\n"
        "\n"
        "Why: with the old numbers every edge finds its ends, and the ports at both ends agree.\n"
        "\n"
        "Bad:\n"
        "\n"
        "    layers 0, 1, 3, 4 and edges 0 -> 1, 1 -> 2, 2 -> 3\n"
        "\n"
        "Good:\n"
        "\n"
        "    layers 0, 1, 2, 3 and edges 0 -> 1, 1 -> 2, 2 -> 3\n"
    )


@pytest.mark.parametrize(
    "name", [module.__name__.rpartition(".")[2] for module in hypotheses()]
)
def test_every_hypothesis_has_a_page(name: str, capfdbinary: Any) -> None:
    code, out, _ = explain(capfdbinary, name)
    assert code == 0
    title, _, body = out.partition("\n")
    assert title.startswith(f"{name}: ")
    assert not title.endswith((".", ":", ","))
    assert [
        word
        for word in ("What: ", "Why: ", "Bad:\n", "Good:\n")
        if f"\n{word}" not in body
    ] == []
    assert "``" not in out


@pytest.mark.parametrize(
    "operation", ops.OPERATIONS, ids=lambda operation: operation.name
)
def test_every_operation_has_a_page(operation: Any, capfdbinary: Any) -> None:
    code, out, _ = explain(capfdbinary, operation.name.lower())
    assert code == 0
    assert out.startswith(
        f"{operation.name}: {operation.type} in {operation.opsets[0]}"
    )
    assert "\n## Attributes\n" in out


def test_an_operation_without_a_version_is_the_newest(capfdbinary: Any) -> None:
    _, out, _ = explain(capfdbinary, "gather")
    assert out.startswith("Gather-8: Gather in opset8 to opset16\n\n")
    assert out.endswith(
        "\n\nEarlier: Gather-1, Gather-7.\nIn ONNX: onnx:Gather-1, onnx:Gather-11, onnx:Gather-13.\n"
        f"{READ}, {LATER}.\n{MORE}"
    )
    _, out, _ = explain(capfdbinary, "GatherElements")
    assert out.startswith("GatherElements-6: GatherElements in opset6 to opset16\n\n")
    assert out.endswith(
        f"\n\nIn ONNX: onnx:GatherElements-11, onnx:GatherElements-13.\n{READ}, {LATER}.\n{MORE}"
    )
    assert "\nEarlier" not in out


@pytest.mark.parametrize(
    "operation", onnx.OPERATIONS, ids=lambda operation: operation.name
)
def test_every_onnx_operation_has_a_page(operation: Any, capfdbinary: Any) -> None:
    code, out, _ = explain(capfdbinary, f"onnx:{operation.name.lower()}")
    assert code == 0
    assert out.startswith(
        f"onnx:{operation.name}: {operation.type} in ONNX opset {operation.version}"
    )
    assert "\nIn IR: " in out


def test_onnx_operations(capfdbinary: Any) -> None:
    _, out, _ = explain(capfdbinary, "ONNX:GatherElements")
    assert out.startswith(
        "onnx:GatherElements-13: GatherElements in ONNX opset 13 and later\n\n"
    )
    assert out.endswith(
        f"\n\nEarlier: onnx:GatherElements-11.\nIn IR: GatherElements-6.\n{MORE}"
    )
    _, out, _ = explain(capfdbinary, "GatherND-11")
    assert out.startswith("onnx:GatherND-11: GatherND in ONNX opset 11\n\n")
    assert "\n\nLater: onnx:GatherND-12, onnx:GatherND-13.\n" in out
    _, out, _ = explain(capfdbinary, "Gather-1")
    assert out.startswith("Gather-1: Gather in opset1 to opset6\n\n")
    assert "\n\nLater: Gather-7, Gather-8.\nIn ONNX: onnx:Gather-1, " in out
    assert out.endswith(f"\n{READ}.\n{MORE}")


def test_portability(capfdbinary: Any) -> None:
    code, out, _ = explain(capfdbinary, "Portability")
    assert code == 0
    assert out.startswith("portability: where ONNX, IR and their runtimes differ\n\n")
    assert (
        "\nGatherElements: smaller off the axis\n    ONNX            allowed\n" in out
    )


def test_several(capfdbinary: Any) -> None:
    code, out, _ = explain(capfdbinary, "OVG106", "Gather-7", "--color", "always")
    assert code == 0
    assert out.startswith(
        "\x1b[1mOVG106: required attribute left to its default\x1b[0m\n"
    )
    assert '<data axis="0" />\n\n\x1b[1mGather-7: Gather in opset7\x1b[0m\n' in out


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("OVG7O2", "; did you mean OVG712 or OVG702 or OVG862?"),
        ("Gathr", "; did you mean Gather or GatherND or Gather-8?"),
        ("Gather-9", "; did you mean Gather-8 or Gather-7 or Gather-1?"),
        ("\x1b[2J", ";"),
    ],
)
def test_what_is_not_known(written: str, meant: str, capfdbinary: Any) -> None:
    code, out, err = explain(capfdbinary, written)
    assert (code, out) == (2, "")
    message = f"ovgather: no rule, hypothesis or operation is called {written!r}{meant} `ovgather explain` lists all\n"
    assert err == message


def test_nothing_lists_everything(capfdbinary: Any) -> None:
    code, out, err = explain(capfdbinary)
    assert (code, err) == (0, "")
    assert (
        len(out.splitlines())
        == len(every())
        + len(hypotheses())
        + len(ops.OPERATIONS)
        + len(onnx.OPERATIONS)
        + 1
    )


def test_a_file_that_cannot_be_read(tmp_path: Path, capfdbinary: Any) -> None:
    """The message is explained all the same."""
    message = "Incorrect weights in bin file!"
    for path in (tmp_path / "none.xml", tmp_path / "text.xml"):
        (tmp_path / "text.xml").write_text("text")
        code, out, _ = explain(capfdbinary, message, str(path))
        assert code == 4
        assert out.startswith("Incorrect weights in bin file\n")
        assert f"{path}:1:1 OVG00" in out
