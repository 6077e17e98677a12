"""The exact findings for every sample: place, severity, verdict, words. ``findings.txt`` holds them.

After a change that is meant, this file writes them anew, and the diff is then to be read::

    PYTHONPATH=tests/shared:tests/validation/rules .venv/bin/python tests/validation/rules/test_findings.py
"""

from __future__ import annotations

import os
import re
from functools import cache

import pytest
from test_samples import BAD, findings_in

from ovgather.validation.diagnostic import Diagnostic

HELD = os.path.join(os.path.dirname(__file__), "findings.txt")


def words(found: Diagnostic) -> str:
    """A finding on one to three lines."""
    place = f"{found.line}:{found.column}-{found.end_line}:{found.end_column}"
    layer = f" (layer {found.layer.id})" if found.layer is not None else ""
    text = f"  {place} {found.severity}[{found.code}] {found.openvino}{layer}: {found.message}\n"
    for name, more in (
        ("OpenVINO", found.effect),
        ("label", found.label),
        ("help", found.help),
    ):
        text += f"      {name}: {more}\n" if more else ""
    for related in found.related:
        end = f"{related.end_line}:{related.end_column}"
        text += (
            f"      related: {related.line}:{related.column}-{end} {related.message}\n"
        )
    return text


def findings(sample: str) -> str:
    return "".join(words(found) for found in findings_in(sample))


@cache
def held() -> dict[str, str]:
    with open(HELD, encoding="utf-8") as file:
        parts = re.split(r"^(?=\S)", file.read(), flags=re.MULTILINE)
    return {
        name: rest for name, _, rest in (part.partition("\n") for part in parts if part)
    }


@pytest.mark.parametrize("sample", BAD)
def test_findings(sample: str) -> None:
    name = sample.replace(os.sep, "/")
    assert name in held(), "a new sample: this file, run as its docstring says, adds it"
    assert findings(sample) == held()[name]


def test_nothing_is_held_in_vain() -> None:
    assert set(held()) == {sample.replace(os.sep, "/") for sample in BAD}


if __name__ == "__main__":
    with open(HELD, "w", encoding="utf-8") as file:
        for sample in BAD:
            file.write(f"{sample.replace(os.sep, '/')}\n{findings(sample)}")
