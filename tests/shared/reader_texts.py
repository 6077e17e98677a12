"""Texts of small IR for the tests of the reader, and its problems as plain tuples."""

from __future__ import annotations

from ir_text import net_text

import ovgather
from ovgather.ir.model import Model


def net(
    layers: str = "", edges: str = "", rest: str = "", version: str = "11"
) -> Model:
    text = net_text(layers, edges, rest, version=version)
    return ovgather.read(text.encode())


def problems(model: Model) -> list[tuple[str, str, str]]:
    return [
        (problem.kind, problem.subject, problem.value) for problem in model.problems
    ]


def layer(
    inside: str = "", head: str = 'id="0" name="a" type="T" version="opset1"'
) -> str:
    return f"<layer {head}>{inside}</layer>"


def port(inside: str, head: str = 'id="0" precision="FP32"') -> str:
    return f"<output><port {head}>{inside}</port></output>"
