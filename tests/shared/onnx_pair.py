"""Reports on an ONNX file beside its IR, which is edited."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import ovgather
from ovgather.comparison.report import Report


def edited(
    folder: Path,
    text: Callable[[str], str] = str,
    constant: str = "",
    value: bytes = b"",
    **options: Any,
) -> Report:
    """The report on b.xml with another text, or with other first bytes of the Const of that name."""
    written = text((folder / "b.xml").read_text(encoding="utf-8"))
    weights = bytearray((folder / "b.bin").read_bytes())
    if constant:
        found = re.search(
            rf'name="{constant}" type="Const".*?offset="(\d+)"', written, re.DOTALL
        )
        assert found is not None
        weights[int(found[1]) : int(found[1]) + len(value)] = value
    return ovgather.crosscheck(
        str(folder / "a.onnx"),
        converted=written.encode(),
        weights=bytes(weights),
        seed=1,
        **options,
    )


def verdicts(report: Report) -> dict[str, str]:
    return {each.layer.name: each.verdict for each in report.records}


EQUAL = dict.fromkeys(["word", "type", "pick", "order", "places"], "equal")
