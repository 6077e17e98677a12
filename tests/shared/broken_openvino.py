"""A worker with OpenVINO in it that has one fault, named by its first argument: in whole models, not in lone layers."""

from __future__ import annotations

import atexit
import os
import sys
import time
from collections.abc import Callable
from typing import Any

import numpy as np

from ovgather.runtimes.adapters.openvino import OpenVinoRuntime
from ovgather.runtimes.worker import serve

TAP, GIVEN = "ovgather_tap_", "ovgather_tap_in_"


def model(kind: str = "f4", width: int = 4) -> Any:
    """Words and their places, looked up, added and put in order."""
    import openvino
    from openvino import opset13 as ops

    ids = ops.parameter([-1, -1], openvino.Type.i64, name="ids")
    order = ops.parameter([-1, -1, width], openvino.Type.i64, name="order")
    tables = [
        ops.constant((1 + 7 * number + numpy_rows(9, width)).astype(kind))
        for number in range(2)
    ]
    zero = ops.constant(0)
    words = ops.gather(tables[0], ids, zero, name="words")
    places = ops.gather(tables[1], ids, zero, name="places")
    total = ops.add(words, places, name="sum")
    inside = ops.gather_elements(total, order, 2, name="sorted")
    last = ops.multiply(
        inside, ops.constant(numpy_rows(1, 1).astype(kind) + 2), name="last"
    )
    return openvino.Model([ops.result(last, name="out")], [ids, order], "net")


def numpy_rows(rows: int, width: int) -> Any:
    return np.arange(rows * width).reshape(rows, width) / 8


class Model:
    """A compiled model: ``results`` are the layers that its Results read, by the name of the Result."""

    def __init__(self, model: Any, real: Any, fault: Callable[[Request], None]) -> None:
        self.real, self.fault = real, fault
        self.results = {
            each.get_friendly_name(): each.input_value(0).get_node()
            for each in model.get_results()
        }
        self.names = list(self.results)
        self.layers = {node.get_friendly_name() for node in model.get_ops()}
        self.calls = 0
        self.shapes: list[Any] = []
        self.tapped = {
            node.get_friendly_name()
            for name, node in self.results.items()
            if TAP in name or name.startswith("tap_")
        }
        self.is_untouched = not self.tapped
        self.is_given = any(name.startswith(GIVEN) for name in self.layers)
        """Whether values are given in place of layers."""

    def create_infer_request(self) -> Request:
        return Request(self, self.real.create_infer_request())


class Request:
    """An inference request; ``outputs`` stand in the place of what came out."""

    def __init__(self, model: Model, real: Any) -> None:
        self.model, self.real = model, real
        self.inputs: dict[int, Any] = {}
        self.outputs: dict[int, Any] = {}
        self.given: dict[int, Any] = {}

    def set_output_tensor(self, place: int, tensor: Any) -> None:
        self.given[place] = tensor
        self.real.set_output_tensor(place, tensor)

    def start_async(self) -> None:
        self.infer()

    def wait(self) -> None:
        """It has ended."""

    def query_state(self) -> Any:
        return self.real.query_state()

    def set_input_tensor(self, place: int, tensor: Any) -> None:
        self.inputs[place] = tensor
        self.real.set_input_tensor(place, tensor)

    def infer(self) -> None:
        self.model.calls += 1
        self.model.shapes.append([list(each.shape) for each in self.inputs.values()])
        self.outputs.clear()
        self.real.infer()
        self.model.fault(self)

    def get_output_tensor(self, place: int) -> Any:
        return self.outputs.get(place) or self.real.get_output_tensor(place)

    def array(self, place: int) -> Any:
        """A copy of an output, to be changed and put back with ``put``."""
        return self.real.get_output_tensor(place).data.copy()

    def put(self, place: int, array: Any) -> None:
        import openvino

        self.outputs[place] = openvino.Tensor(np.ascontiguousarray(array))
        if place in self.given and self.given[place].data.shape == array.shape:
            self.given[place].data[...] = array

    def places(self, layer: str) -> list[int]:
        """Where the output of a layer comes out."""
        results = self.model.results
        return [
            at
            for at, name in enumerate(self.model.names)
            if results[name].get_friendly_name() == layer
        ]

    @property
    def is_changed(self) -> bool:
        """Whether its inputs have other shapes than those of the first inference."""
        return self.model.shapes[-1] != self.model.shapes[0]


def right(request: Request) -> None:
    pass


def raises_on_other_shapes(request: Request) -> None:
    if request.is_changed:
        raise RuntimeError("memory descriptor does not fit")


def refuses_other_shapes(request: Request) -> None:
    """Compiled anew, too."""
    if max(request.model.shapes[-1][0]) >= 17:
        raise RuntimeError("memory descriptor does not fit")


def aborts_on_other_shapes(request: Request) -> None:
    if request.is_changed:
        os.abort()


def aborts_on_the_third(request: Request) -> None:
    if request.model.calls == 3:
        os.abort()


def aborts_when_it_shrinks(request: Request) -> None:
    if request.model.shapes[-1] < request.model.shapes[0]:
        os.abort()


def raises_on_the_last(request: Request) -> None:
    if request.model.calls == 5:
        raise RuntimeError("the plan is gone")


def old_rows_when_it_grows(request: Request) -> None:
    """A plan for the first number of rows: those behind are zero."""
    for place in request.places("words") if request.is_changed else ():
        array = request.array(place)
        array[len(array) // 2 :] = 0
        request.put(place, array)


def shape_of_before(request: Request) -> None:
    """The output keeps its largest shape."""
    before = request.model.__dict__.setdefault("largest", {})
    for place in request.places("words"):
        array = request.array(place)
        if array.size < before.setdefault(place, array).size:
            request.put(place, before[place])
        else:
            before[place] = array


def hangs_on_other_shapes(request: Request) -> None:
    if request.is_changed:
        time.sleep(100)


def hangs_at_its_end(request: Request) -> None:
    atexit.register(time.sleep, 100)


def ends_badly(request: Request) -> None:
    atexit.register(os._exit, 3)


def dies_with_a_helper(request: Request) -> None:
    """A process of its own session keeps the pipes."""
    if request.model.calls == 2:
        if not os.fork():
            os.setsid()
            time.sleep(40)
            os._exit(0)
        os.abort()


def untouched_raises(request: Request) -> None:
    if request.model.is_untouched:
        raise RuntimeError("the fused kernel takes no such layout")


def untouched_aborts(request: Request) -> None:
    if request.model.is_untouched:
        os.abort()


def untouched_is_wrong(request: Request) -> None:
    """As if what is fused with every Gather were wrong."""
    if request.model.is_untouched:
        request.put(0, request.array(0) + 1)


def untouched_is_wrong_later(request: Request) -> None:
    if request.model.is_untouched and request.is_changed:
        request.put(0, request.array(0) * 2)


def fuses_the_second(request: Request) -> None:
    """The fusion with one of two Gathers is wrong, until that has an output of its own."""
    if "places" not in request.model.tapped and not request.model.is_given:
        for place in request.places("last"):
            request.put(place, request.array(place) - 3)


def fuses_with_a_far_layer(request: Request) -> None:
    """Two layers are wrong together, and right without each other."""
    is_fused = {"places", "last"} <= request.model.layers and not request.model.tapped
    if is_fused and not request.model.is_given:
        request.put(0, request.array(0) - 5)


def consumer_reads_another_place(request: Request) -> None:
    """What reads the Gathers gets others, whether they have outputs or not."""
    if not request.model.is_given:
        for place in request.places("last"):
            request.put(place, request.array(place)[..., ::-1])


def overwrites_an_input(request: Request) -> None:
    request.inputs[0].data[...] = 1


def overwrites_what_it_reads(request: Request) -> None:
    """The Gather in the middle writes over its data, once it has read them."""
    if "sorted" in request.model.tapped:
        for place in request.places("sum"):
            request.put(place, np.zeros_like(request.array(place)))


def reads_what_it_overwrote(request: Request) -> None:
    """The Gather in the middle writes over its data, and reads them then."""
    if "sorted" in request.model.tapped:
        for place in [*request.places("sum"), *request.places("sorted")]:
            request.put(place, np.zeros_like(request.array(place)))


def uninitialised_rows(request: Request) -> None:
    for place in request.places("words"):
        array = request.array(place)
        array[0] = np.frombuffer(os.urandom(array[0].nbytes), array.dtype).reshape(
            array[0].shape
        )
        request.put(place, array)


def refuses_to_compile(request: Request) -> None:
    """See ``Core``."""


class Core:
    """OpenVINO's, but for models: they are compiled with a fault."""

    def __init__(self, real: Any, fault: str) -> None:
        self.real = real
        self.fault: Callable[[Request], None] = globals()[fault]

    def __getattr__(self, name: str) -> Any:
        return getattr(self.real, name)

    def compile_model(self, model: Any, *options: Any) -> Any:
        compiled = self.real.compile_model(model, *options)
        if model.get_friendly_name() == "one_layer":
            return compiled
        made = Model(model, compiled, self.fault)
        if self.fault is refuses_to_compile and made.is_untouched:
            raise RuntimeError(
                "Exception from src/plugin.cpp:1:\nno kernel for the model"
            )
        return made


class Broken(OpenVinoRuntime):
    def __init__(self, enter: Callable[[str], None]) -> None:
        super().__init__(enter)
        self.core = Core(self.core, sys.argv[1])


if __name__ == "__main__":
    serve(Broken)
