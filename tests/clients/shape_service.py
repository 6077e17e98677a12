"""A service that answers shapes: requests go to a pool of processes, and errors come back as data."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import Executor
from typing import TypedDict

import ovgather
from ovgather import Dimension, PartialShape


class Layer(TypedDict):
    type: str
    shapes: list[list[int | str]]


class Request(Layer, total=False):
    axis: int
    batch_dims: int
    version: str


class Answer(TypedDict):
    shape: str
    reasons: tuple[str, ...]


def answer(request: Request) -> Answer:
    inference: ovgather.Inference = ovgather.infer_output(
        request["type"],
        request["shapes"],
        version=request.get("version"),
        axis=request.get("axis"),
        batch_dims=request.get("batch_dims", 0),
    )
    return {"shape": inference.shape.named, "reasons": inference.reasons}


def answers(
    requests: Sequence[Request], pool: Executor
) -> list[Answer | ovgather.OvgatherError]:
    results: list[Answer | ovgather.OvgatherError] = []
    for future in [pool.submit(answer, request) for request in requests]:
        try:
            results.append(future.result(60))
        except ovgather.ShapeInferenceError as error:
            results.append(error)
    return results


def of_file(path: str, inputs: Mapping[str, Sequence[int | str]]) -> dict[str, str]:
    """The output of each Gather layer for some inputs."""
    file: ovgather.InferredFile = ovgather.infer(path, input_shapes=inputs)
    return {
        each.layer.name: each.output.shape for each in file if each.output is not None
    }


def tensors(path: str, inputs: Mapping[str, object]) -> dict[str, PartialShape]:
    known: ovgather.Shapes = ovgather.shapes(path, inputs)
    return {name: each.shape for name, each in known.items()}


def volume(shape: Iterable[Dimension]) -> Dimension:
    product = Dimension(1)
    for dim in shape:
        product = product * dim
    return product * 2
