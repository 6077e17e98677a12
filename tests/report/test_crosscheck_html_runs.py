"""``crosscheck --format html`` of real runs: its command, and a broken runtime that is drawn."""

from __future__ import annotations

import html
import re
import sys
from pathlib import Path
from typing import Any

import pytest
from html_check import Page, records
from paths import SAMPLES, SHARED

import ovgather
from ovgather.cli.main import run
from ovgather.report import render


def test_the_verb_tells_its_command(tmp_path: Path, capfd: Any) -> None:
    pytest.importorskip("openvino")
    target, model = tmp_path / "r.html", SAMPLES / "demo" / "good.xml"
    ways = [
        "--mode",
        "alone",
        "--variants",
        "none",
        "--layer",
        "batch_size",
        "--seed",
        "7",
        "--timeout",
        "90",
    ]
    assert (
        run(["crosscheck", str(model), *ways, "--format", "html", "-o", str(target)])
        == 0
    )
    assert capfd.readouterr() == ("", "")
    text = target.read_text(encoding="utf-8")
    assert Page(text).problems == []
    assert "1 file, 1 layer: 1 equal" in text
    assert "<dt>Seed</dt><dd>7</dd>" in text
    [command] = [
        html.unescape(line)
        for line in re.findall(r"<pre><code>(.*?)</code></pre>", text)
    ]
    assert command == (
        f"ovgather crosscheck {model} --layer batch_size --seed 7 --timeout 90.0 --mode alone --variants none"
        f" --format html --output {target}"
    )


def test_a_broken_runtime_is_drawn() -> None:
    worker = SHARED / "broken_worker.py"
    found = ovgather.crosscheck(
        SAMPLES / "demo" / "good.xml",
        layer="sorted_tokens",
        mode="alone",
        variants=["none"],
        start=[sys.executable, str(worker), "clamps"],
    )
    text = render("crosscheck", "html", list(found))
    assert Page(text).problems == []
    [run] = records(text)
    assert run["cause"] == ["different: clamped", "bad", ""]
    [record] = found.records
    assert record.evidence is not None
    drawing, words = (
        run["parts"]["The layer, cell by cell"][1],
        run["parts"]["The same in words"][1],
    )
    wrong = record.outcome.mismatches
    assert f"✗: {wrong} of" in drawing
    assert sum(text.endswith("✗") for text in words) == wrong > 0
