"""The properties that OpenVINO compiles with."""

from __future__ import annotations

import subprocess
import sys

import pytest

pytestmark = pytest.mark.runtime

CHILD = """
from ovgather.runtimes.adapters.openvino import OpenVinoRuntime
runtime = OpenVinoRuntime(lambda stage: None)
print(runtime.properties("CPU"), runtime.properties("NOTHING"))
runtime.configure({"EXECUTION_MODE_HINT": "PERFORMANCE"}, {})
print(runtime.properties("CPU"))
"""


def test_a_device_computes_exactly_where_it_knows_how() -> None:
    """The CPU plugin keeps the cache of a fused attention in 8 bits by default (2026.4.1)."""
    pytest.importorskip("openvino")
    child = subprocess.run(
        [sys.executable, "-c", CHILD], capture_output=True, text=True, check=True
    )
    f32 = "'INFERENCE_PRECISION_HINT': 'f32'"
    assert child.stdout.splitlines() == [
        f"{{'EXECUTION_MODE_HINT': 'ACCURACY', {f32}}} {{{f32}}}",
        f"{{'EXECUTION_MODE_HINT': 'PERFORMANCE', {f32}}}",
    ]
