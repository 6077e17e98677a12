"""A runtime in this process that calls itself OpenVINO: the reference with one kernel in place of the Gathers."""

from __future__ import annotations

import itertools
import json
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ovgather.ir.read import read
from ovgather.layers.gather_layer import gather_layers
from ovgather.runtimes import wire
from ovgather.runtimes.base import TrialRuntime
from ovgather.runtimes.child import Failure
from ovgather.runtimes.trial import Placement, Trial
from ovgather.runtimes.wire import from_wire, to_wire
from ovgather.tensor.arrays import Array, bits
from ovgather.tensor.element_type import of_dtype

VERSION = "2026.4.1"


class Crash(BaseException):
    """The process dies of SIGSEGV."""


class Hang(BaseException):
    """There is no answer."""


class State:
    """What a compiled model keeps between its inferences."""

    def __init__(self) -> None:
        self.calls = 0
        self.process = 0
        self.process_calls = 0
        self.shapes = 0
        self.previous: Array | None = None
        self.in_place = False
        self.seen: set[object] = set()


Kernel = Callable[[Trial, State], Array]


def right(trial: Trial, state: State) -> Array:
    return trial.want()


def sizes(trial: Trial) -> Any:
    """The lengths of the axes that the indices point into."""
    return trial.evidence().sizes


def batches(trial: Trial) -> int:
    return trial.batch_dims % max(1, trial.indices.ndim)


def with_zeros(trial: Trial, marks: Array) -> Array:
    """The output with zeros where an index, or a part of a tuple, is marked."""
    shown = np.arange(1, trial.data.size + 1).reshape(trial.data.shape)
    whole = trial._replace(
        data=np.ones_like(shown), indices=np.where(marks, 0, trial.indices)
    ).want()
    if trial.operation.indexes_by_tuples:
        lead = marks.any(axis=-1).reshape(
            whole.shape[
                : whole.ndim
                - (trial.data.ndim - trial.batch_dims)
                + trial.indices.shape[-1]
            ]
        )
        marked = np.broadcast_to(
            lead.reshape(lead.shape + (1,) * (whole.ndim - lead.ndim)), whole.shape
        )
    elif trial.operation.indices_have_rank_of_data:
        marked = marks
    else:
        batch, axis = batches(trial), (trial.axis or 0) % trial.data.ndim
        tail = trial.data.ndim - axis - 1
        shape = (
            *marks.shape[:batch],
            *(1,) * (axis - batch),
            *marks.shape[batch:],
            *(1,) * tail,
        )
        marked = np.broadcast_to(marks.reshape(shape), whole.shape)
    output = trial._replace(indices=np.where(marks, 0, trial.indices)).want()
    return np.where(marked, output.dtype.type(0), output)


class KernelRuntime(TrialRuntime):
    """Runs trials, and models of Parameters, Consts, Gathers and Results."""

    title = "OpenVINO"
    version = VERSION

    def __init__(self, kernel: Kernel, process: int = 1) -> None:
        super().__init__(lambda stage: None)
        self.kernel = kernel
        self.process = process
        self.calls = 0
        self.states: dict[object, State] = {}

    def gather(self, trial: Trial, key: object, in_place: bool = False) -> Array:
        """The output of the kernel, in the state of the compiled model ``key``."""
        state = self.states.setdefault(key, State())
        self.calls += 1
        state.calls, state.process, state.process_calls = (
            state.calls + 1,
            self.process,
            self.calls,
        )
        state.seen.add((trial.data.shape, trial.indices.shape))
        state.shapes, state.in_place = len(state.seen), in_place
        output = self.kernel(trial, state)
        state.previous = trial.want()
        return output

    def run(self, trial: Trial, device: str) -> Array:
        static, constants = trial.placement.static, trial.placement.constants
        inputs = [
            (array.dtype, array.shape, array.tobytes() if name in constants else b"")
            if static or name in constants
            else (
                array.dtype,
                array.ndim,
                array.shape[-1:]
                if name == "indices" and trial.operation.indexes_by_tuples
                else (),
            )
            for name, array in (("data", trial.data), ("indices", trial.indices))
        ]
        # What tells compiled models apart.
        key = trial._replace(data=inputs[0], indices=inputs[1])
        return self.gather(trial, tuple(key))

    def answer(self, request: wire.Header, blobs: list[bytearray]) -> wire.Frame:
        if "trial" in request:
            return super().answer(request, blobs)
        pairs, overwritten, rest = [], [], iter(blobs[2:])
        for number, headers in enumerate(request["inputs"]):
            given = list(zip(headers, rest, strict=False))
            inputs = [from_wire(*each) for each in given]
            copies = [array.copy() for array in inputs]
            for output in self.execute(
                bytes(blobs[0]), bytes(blobs[1]), inputs, request["outputs"]
            ):
                kind = of_dtype(output.dtype)
                assert kind is not None
                pairs.append(to_wire(output, kind))
            overwritten += [
                [number, at]
                for at, (array, copy) in enumerate(zip(inputs, copies, strict=True))
                if not np.array_equal(bits(array), bits(copy))
            ]
        answer = {"outputs": [header for header, _ in pairs]}
        return {**answer, "overwritten": overwritten}, [blob for _, blob in pairs]

    def execute(
        self,
        text: bytes,
        weights: bytes,
        inputs: Sequence[Array],
        outputs: Sequence[Any],
    ) -> list[Array]:
        """The values of the Results called ``outputs``."""
        model = read(text, weights)
        gathers = {gather.layer.id: gather for gather in gather_layers(model)}
        parameters = [
            layer for layer in model.graph.layers if layer.type == "Parameter"
        ]
        values: dict[int, Array] = {
            layer.id: array for layer, array in zip(parameters, inputs, strict=True)
        }

        def value(layer: Any) -> Array:
            if layer.id not in values:
                gather = gathers.get(layer.id)
                sources = [
                    layer.producer(number)[0] for number in range(len(layer.inputs))
                ]
                if gather is not None:
                    arrays = [value(source) for source in sources[:2]]
                    kinds = of_dtype(arrays[0].dtype), of_dtype(arrays[1].dtype)
                    assert kinds[0] is not None
                    assert kinds[1] is not None
                    constants = frozenset(
                        name
                        for name, each in zip(
                            ("data", "indices"), sources, strict=False
                        )
                        if each.type == "Const"
                    )
                    trial = Trial(
                        gather.operation,
                        layer.version,
                        (kinds[0], kinds[1]),
                        *arrays,
                        gather.axis,
                        gather.batch_dims,
                        Placement(all(map(_is_static, sources[:2])), constants),
                    )
                    values[layer.id] = self.gather(
                        trial, (text, layer.id), len(gathers) > 1
                    )
                elif layer.type == "Const":
                    from ovgather.ir.constants import constant

                    found = constant(layer, model.weights)
                    assert found is not None
                    assert found.data is not None
                    header = {
                        "type": found.element_type.name,
                        "shape": list(found.shape),
                    }
                    values[layer.id] = from_wire(header, bytearray(found.data))
                else:
                    (values[layer.id],) = map(value, sources)
            return values[layer.id]

        results = {
            layer.name: layer for layer in model.graph.layers if layer.type == "Result"
        }
        return [
            value(
                list(results.values())[name] if isinstance(name, int) else results[name]
            )
            for name in outputs
        ]


def _is_static(layer: Any) -> bool:
    return layer.type == "Const" or not any(dim < 0 for dim in layer.outputs[0].dims)


class FakeWorker:
    """A worker without a process; ``child.Worker`` is the real one."""

    count = itertools.count(1)
    version = VERSION
    title = "OpenVINO"

    def __init__(self, kernel: Kernel) -> None:
        self.runtime = KernelRuntime(kernel, next(self.count))

    def __enter__(self) -> FakeWorker:
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def end(self, patience: float | None = None) -> None:
        pass

    def ask(
        self, header: wire.Header, blobs: list[wire.Blob], timeout: float
    ) -> wire.Received | Failure:
        outputs: list[wire.Blob] = []
        try:
            answer, outputs = self.runtime.answer(
                json.loads(json.dumps(header)), [bytearray(blob) for blob in blobs]
            )
        except Crash:
            return Failure(
                "crash", "OpenVINO died in infer: SIGSEGV", "SIGSEGV", "infer"
            )
        except Hang:
            return Failure(
                "timeout", f"no answer within {timeout:g} s (infer)", stage="infer"
            )
        except Exception as error:
            answer = {"error": str(error), "stage": "infer"}
        answer |= {"version": self.version, "title": self.title, "devices": ["CPU"]}
        return answer, [bytearray(blob) for blob in outputs]
