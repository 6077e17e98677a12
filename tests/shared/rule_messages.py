"""What one rule says of a model, nothing of which is explained by anything else."""

from __future__ import annotations

import importlib.util
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from consequences import of_rules
from paths import ROOT
from small_models import words


def messages_of(code: str, text: str | bytes, weights: bytes | None) -> list[str]:
    """Severity, verdict, message and help of each finding of the rule ``code``."""
    source = text if isinstance(text, bytes) else text.encode("latin-1")
    return [words(each) for each in of_rules(source, weights) if each.code == code]


def all_cases() -> Iterator[tuple[str | bytes, bytes | None, list[str]]]:
    """The ``CASES`` of each rule that has a test of its messages."""
    for path in sorted((ROOT / "tests" / "validation" / "rules").glob("*/test_*.py")):
        cases = getattr(_loaded(path), "CASES", ())
        assert all(len(case) == 3 for case in cases), f"CASES of {path} are no triples"
        yield from cases


def _loaded(path: Path) -> Any:
    spec = importlib.util.spec_from_file_location(f"cases_of_{path.stem}", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
