"""What the pass answers for one layer, as the tables of tests/ops/declared compare it."""

from __future__ import annotations

from declared_oracle import Case, infer, write


def shapes(case: Case) -> list[str]:
    """The shapes of the outputs as OpenVINO reads them, whether or not it compiles the layer."""
    answer = infer(*write(case))
    outputs = answer["inferred" if "error" in answer else "outputs"]
    return [shape for shape, _ in outputs]


def refusal(case: Case) -> str:
    """What is wrong with the layer, without its bindings."""
    error: str = infer(*write(case))["error"]
    return error.split(": ")[0]
