"""``infer --format html``: contradictions first, each with the layers about it."""

from __future__ import annotations

from pathlib import Path

from html_check import Page, data, records
from paths import SAMPLES

from ovgather.cli.main import run

BROKEN, GOOD = (str(SAMPLES / "demo" / name) for name in ("broken.xml", "good.xml"))


def made(tmp_path: Path, *arguments: str) -> tuple[int, str]:
    target = tmp_path / "report.html"
    code = run(["infer", *arguments, "--format", "html", "-o", str(target)])
    text = target.read_text(encoding="utf-8")
    assert Page(text).problems == []
    return code, text


def test_a_contradiction(tmp_path: Path) -> None:
    code, text = made(tmp_path, BROKEN)
    assert code == 1
    [wrong] = [record for record in records(text) if record["kind"] == "bad"]
    assert (wrong["status"], wrong["cells"]["Output"], wrong["cells"]["Declared"]) == (
        *("mismatch", "[?,6,4] f32", "[?,6,8]"),
    )
    assert (
        wrong["parts"]["See it again"][1]
        == f"ovgather infer {BROKEN} --layer '#3' --why"
    )
    assert wrong["parts"]["Around the layer"] == ("graph", BROKEN, "#3")
    assert '<strong class="bad">1 problem in 5 Gather layers</strong>' in text


def test_other_shapes_flow_in_the_picture(tmp_path: Path) -> None:
    code, text = made(tmp_path, GOOD, "--input-shape", "token_ids=[2,9]")
    assert code == 1
    refused = records(text)[0]
    assert (refused["status"], refused["cause"][0]) == (
        "refused",
        "layers that refuse what flows in",
    )
    key = refused["parts"]["Around the layer"][2]
    assert "i64 [2,9]" in str(data(text)["graphs"][GOOD]) or "9" in str(
        data(text)["graphs"][GOOD][key]
    )
    again = refused["parts"]["See it again"][1]
    assert again.startswith(f"ovgather infer {GOOD}")


def test_all_is_as_declared(tmp_path: Path) -> None:
    code, text = made(tmp_path, GOOD)
    assert code == 0
    assert {record["status"] for record in records(text)} <= {
        "match",
        "refines",
        "unknown",
    }
