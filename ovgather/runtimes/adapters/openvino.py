"""OpenVINO: runs trials and whole models, loads files, gives inputs other shapes."""

import os
import sys
from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from importlib import import_module
from typing import Any, NamedTuple

import numpy

from ovgather.errors import ConfigurationError, UnavailableError
from ovgather.runtimes import ways, wire
from ovgather.runtimes.adapters import _openvino_nodes as nodes
from ovgather.runtimes.base import TrialRuntime
from ovgather.runtimes.costs import Costs
from ovgather.runtimes.outcome import own_words
from ovgather.runtimes.states import continued
from ovgather.runtimes.trial import from_frame
from ovgather.runtimes.wire import to_wire
from ovgather.tensor.packing import pack_strings, unpack_strings

# The default may be bf16, which would round what flows between the layers.
CONFIG = {"INFERENCE_PRECISION_HINT": "f32"}
# The default keeps the cache of a fused attention in 8 bits, and rounds what compressed weights are multiplied with.
_EXACT = {"EXECUTION_MODE_HINT": "ACCURACY"}
_KEPT = 64  # compiled models
_ROUNDED = 0.01  # of the largest element of a state: a cache may hold fewer bits
_OTHER_SHAPES = (
    "its values have other shapes in other iterations, and cannot leave its body"
)


def properties(config: Mapping[str, str]) -> dict[str, str]:
    """What OpenVINO compiles with: ``config`` over ovgather's own; those without a value are left out."""
    return {name: value for name, value in {**CONFIG, **config}.items() if value}


class OpenVinoRuntime(TrialRuntime):
    title = "OpenVINO"

    def __init__(self, enter: Callable[[str], None]) -> None:
        super().__init__(enter)
        # Its import forks a process that tells Intel of it, and that would keep our pipes open when this one has died.
        sys.modules.setdefault("openvino_telemetry", None)  # type: ignore[arg-type]
        self.openvino: Any = import_module("openvino")
        self.version = str(self.openvino.__version__)
        self.config: dict[str, str] = CONFIG
        self.unproven = False
        """Whether no device has taken the properties yet."""
        self.core = self.openvino.Core()
        self.exact: dict[str, dict[str, str]] = {}
        """By device: what makes it exact, where it knows how."""
        self.devices = list(self.core.available_devices)
        self.compiled: OrderedDict[tuple[bytes, bytes, str], Any] = OrderedDict()

    def configure(self, config: Mapping[str, str], plugins: Mapping[str, str]) -> None:
        """Register plugins before anything is compiled; their devices are those that they say."""
        self.config = properties(config)
        self.unproven = bool(config)
        for name, library in plugins.items():
            self.core.register_plugin(library, name)
            try:
                self.core.get_versions(name)  # loads it
            except RuntimeError as error:
                raise UnavailableError(
                    f"the plugin {name!r} cannot be loaded: {own_words(error)}"
                ) from None
            self.devices = list(dict.fromkeys([*self.devices, name]))

    def answer(self, request: wire.Header, blobs: list[bytearray]) -> wire.Frame:
        """Run a trial or a whole model, load or convert a file, or give a model other shapes."""
        tasks = {
            "trial": self.trial,
            "load": self.load,
            "reshape": self.reshape,
            "convert": self.convert,
        }
        if self.unproven and "device" in request:
            self._prove(request["device"])
        return next(
            (task for name, task in tasks.items() if name in request), self.model
        )(request, blobs)

    def _prove(self, device: str) -> None:
        """Compile next to nothing with the properties; ConfigurationError if the device does without them only."""
        number = self.openvino.opset8.parameter([1])
        model = self.openvino.Model([self.openvino.opset8.result(number)], [number])
        try:
            self.core.compile_model(model, device, self.config)
        except RuntimeError as error:
            self.core.compile_model(model, device, {})
            raise ConfigurationError(
                f"{device} does not take the properties of --config: {own_words(error)}"
            ) from None
        self.unproven = False

    def properties(self, device: str) -> dict[str, str]:
        """What models are compiled with for a device."""
        if device not in self.exact:
            known = set[str]()
            with suppress(RuntimeError):  # an early plugin does not say
                known = set(self.core.get_property(device, "SUPPORTED_PROPERTIES"))
            self.exact[device] = _EXACT if known.issuperset(_EXACT) else {}
        return {**self.exact[device], **self.config}

    def trial(self, request: wire.Header, blobs: list[bytearray]) -> wire.Frame:
        """Run a trial; a model that was compiled before runs again, on other values and other shapes."""
        trial = from_frame(request, blobs)
        text, weights, _ = trial.model()
        # The weights hold the axis.
        key = (
            text,
            b"" if trial.placement.constants else bytes(weights),
            request["device"],
        )
        compiled, kernels, memory = self.compiled.pop(key, None) or self._compile(
            text, weights, request["device"]
        )
        inference = compiled.request
        parameters = trial.parameters()
        inputs = [to_wire(array, kind) for _, kind, array in parameters]
        costs = Costs()
        tensors, overwritten = self._infer(inference, inputs, costs)
        compiled.kept[:] = [tensors]
        output = inference.get_output_tensor(0)
        header = _header(output)
        blob: wire.Blob = _bytes(output)
        if (
            costs.is_long
        ):  # the first inference of a process is, where others run as well
            compiled.kept.extend(self._infer(inference, inputs, costs)[0])
        other = ""
        if trial.placement.way:
            run = _Ran(0, tensors, [header], [blob], inputs)
            for _, (first,) in self._in_way(trial.placement.way, compiled, [run]):
                other = trial.placement.way
                header, blob = first

        # Only after success: one that failed may answer with an old shape from then on.
        if not trial.placement.constants:
            self.compiled[key] = compiled, kernels, memory
            if len(self.compiled) > _KEPT:
                self.compiled.popitem(last=False)
        changed = [parameters[at][0] for at in overwritten]
        return {
            "outputs": [header],
            "overwritten": changed,
            "kernels": kernels,
            "seconds": min(cost.seconds for cost in costs.all),
            "others": [other] * bool(other),
        }, [blob]

    def _infer(
        self,
        inference: Any,
        inputs: Sequence[tuple[wire.Header, wire.Blob]],
        costs: Costs,
        step: str = "infer",
    ) -> tuple[list[Any], list[int]]:
        """Run on tensors of the wire; these, and the positions of those that are overwritten."""
        tensors = [self._tensor(*each) for each in inputs]
        self._run(inference, tensors, inputs, costs, step)
        return tensors, [
            at for at, (_, blob) in enumerate(inputs) if _bytes(tensors[at]) != blob
        ]

    def _run(
        self,
        inference: Any,
        tensors: Sequence[Any],
        inputs: Sequence[tuple[wire.Header, wire.Blob]],
        costs: Costs,
        step: str = "infer",
    ) -> None:
        for position, tensor in enumerate(tensors):
            inference.set_input_tensor(position, tensor)
        self.enter(step)
        costs.measure(inference.infer, sum(len(blob) for _, blob in inputs))

    def _in_way(
        self, way: str, compiled: ways.Compiled, runs: Sequence["_Ran"]
    ) -> Iterator[tuple[int, list[tuple[wire.Header, wire.Blob]]]]:
        """The inferences that give other outputs when they are run in a way, with these outputs."""
        self.enter(ways.STAGES[way])
        rounds: list[ways.Round] = []
        for run in runs:
            inputs = [self._tensor(*each) for each in run.given]
            compiled.kept.append(inputs)
            marks = []
            if way == ways.OUTPUTS:
                marks = [
                    ways.marked(self.openvino, header["type"], header["shape"])
                    for header in run.headers
                ]
            rounds.append((inputs, marks))
        answers = ways.outputs(way, compiled, rounds)
        for run, outputs in zip(runs, answers, strict=False):
            if outputs is None:
                continue
            blobs = list(map(_bytes, outputs))
            if blobs != run.blobs:
                yield run.number, list(zip(map(_header, outputs), blobs, strict=True))

    def _compile(
        self, text: bytes, weights: wire.Blob, device: str
    ) -> tuple[ways.Compiled, wire.Header, Any]:
        """What runs, its kernels, and the weights: early releases (2023.3) do not hold them themselves."""
        model, array = self._read(text, None, bytearray(weights))
        self.enter("compile_model")
        config = self.properties(device)
        executed = self.core.compile_model(model, device, config)
        inference = executed.create_infer_request()
        compiled = ways.Compiled(
            self.core, model, device, config, executed, inference, []
        )
        return compiled, nodes.kernels(model, executed), array

    def model(self, request: wire.Header, blobs: list[bytearray]) -> wire.Frame:
        """Read, reshape and compile, infer on one set of inputs after the other; answer with the Results asked for.

        Inputs on which the model does not run when it is compiled anew, either, are ``refused``.
        """
        model, _weights = self._read(blobs[0], request["weights"], blobs[1])
        shapes: dict[str, list[str]] = {}
        for path, layer, output, name in request["inner"]:
            outside = nodes.brought_out(self.openvino, model, path, layer, output)
            added = [self.openvino.opset8.result(each) for each in outside]
            for number, result in enumerate(added):
                result.set_friendly_name(f"{name}.{number}" if number else name)
            model.add_results(added)
            shapes[name] = [f"{name}.{number}" for number in range(1, len(added))]
        results = [result.get_friendly_name() for result in model.get_results()]
        if request["shapes"] is not None:
            self._reshape(model, enumerate(request["shapes"]))

        config = self.properties(request["device"])

        def compiled() -> Any:
            self.enter("compile_model")
            return self.core.compile_model(model, request["device"], config)

        executed = compiled()
        costs = Costs()
        rest = iter(blobs[2:])
        inference = executed.create_infer_request()
        kernels = nodes.kernels(model, executed)
        places = [
            name if isinstance(name, int) else results.index(name)
            for name in request["outputs"]
        ]
        refused = list[tuple[int, str]]()
        overwritten = list[list[int]]()
        lost = list[tuple[int, str, bool]]()
        states = nodes.assigned(model, executed)
        ran = list[_Ran]()
        for number, inputs in enumerate(request["inputs"]):
            arrays = list(zip(inputs, rest, strict=False))
            step = f"inference {number + 1} of the compiled model"
            for state in inference.query_state():
                state.reset()
            try:
                tensors, changed = self._infer(
                    inference, arrays, costs, step if number else "infer"
                )
            except Exception as error:
                if not number:
                    raise
                inference = compiled().create_infer_request()
                reason = own_words(error)
                try:
                    self._infer(inference, arrays, Costs())
                except Exception:
                    refused.append((number, reason))
                    # What ran into an error is not fit to run in other ways, either.
                    executed = compiled()
                    inference = executed.create_infer_request()
                    continue
                self.enter(step)
                raise RuntimeError(
                    f"compiled anew, the model runs on these inputs; here {reason}"
                ) from error
            outputs = [inference.get_output_tensor(place) for place in places]
            own = list(map(_header, outputs))
            for name, header in zip(request["outputs"], own, strict=True):
                beside = [
                    inference.get_output_tensor(results.index(other)).data
                    for other in shapes.get(name, ())
                ]
                header["problem"] = (
                    _OTHER_SHAPES if any(map(nodes.differ, beside)) else ""
                )
            ran.append(_Ran(number, tensors, own, list(map(_bytes, outputs)), arrays))
            overwritten += [[number, at] for at in changed]
            lost += [
                (number, name, states[name].is_input)
                for name in _lost(inference, states)
            ]
        headers = [header for run in ran for header in run.headers]
        values = [blob for run in ran for blob in run.blobs]
        others = list[tuple[str, int]]()
        executable = ways.Compiled(
            self.core,
            model,
            request["device"],
            config,
            executed,
            inference,
            [run.inputs for run in ran],
            places,
        )

        def rerun(inference: Any, number: int, costs: Costs) -> None:
            run = ran[number]
            for tensor, (_, blob) in zip(run.inputs, run.given, strict=True):
                _write(tensor, blob)
            self._run(inference, run.inputs, run.given, costs)

        def again(number: int) -> None:
            rerun(inference, number, costs)

        def anew(number: int) -> None:
            rerun(compiled().create_infer_request(), number, costs)

        def further_request() -> None:
            rerun(executed.create_infer_request(), 0, Costs())

        def request_of_its_own() -> None:
            costs.measure(further_request, 0)

        unusual = "", ""
        if request.get("watched", True):
            unusual = costs.unusual(again, anew, request_of_its_own)
        # What costs too much would cost as much in each of them.
        for way in () if unusual[0] else request.get("ways", ()):
            runs = list(self._in_way(way, executable, ran))
            if runs and (spoilt := list(self._in_way(ways.AGAIN, executable, ran))):
                way = ways.AGAIN
                runs = spoilt
            for number, outputs in runs:
                others.append((way, number))
                (own,) = [run.headers for run in ran if run.number == number]
                headers += [
                    {**was, **header}
                    for was, (header, _) in zip(own, outputs, strict=True)
                ]
                values += [blob for _, blob in outputs]
        further = None
        candidates = request.get("continued")
        is_stateful = candidates is not None and bool(inference.query_state())
        if candidates is not None and is_stateful and not unusual[0]:
            first, then = ran[0], _other_values(ran)
            self.enter(ways.STAGES[ways.CONTINUED])
            inputs = first.inputs, then.inputs
            further = continued(executable, *inputs, candidates)
        if further is not None:
            others.append((ways.CONTINUED, then.number))
            headers += [
                {**was, **_header(tensor)}
                for was, tensor in zip(then.headers, further.outputs, strict=True)
            ]
            values += map(_bytes, further.outputs)
        return {
            "outputs": headers,
            "refused": refused,
            "shared": list(further.shared) if further is not None else [],
            "overwritten": overwritten,
            "lost": lost,
            "kernels": kernels,
            "others": others,
            "unusual": unusual,
        }, values

    def load(self, request: wire.Header, blobs: list[bytearray]) -> wire.Frame:
        """Read a file as a user would, by its path where it has one, and compile it when that is asked for."""
        path = request["path"]
        weights = request["weights"]
        if path is not None:
            self.enter("read_model")
            model = self.core.read_model(path, *([weights] if weights else []))
        else:
            model, _weights = self._read(blobs[0], weights, None)
        if request["load"] == "compile":
            self.enter("compile_model")
            self.core.compile_model(model, request["device"])
        return {"loaded": True}, []

    def convert(self, request: wire.Header, blobs: list[bytearray]) -> wire.Frame:
        """Convert an ONNX file as a user would, and answer with the path of the IR."""
        source = request["convert"]
        if source is None:
            source = os.path.join(request["folder"], "model.onnx")
            with open(source, "wb") as file:
                file.write(blobs[0])
        self.enter("convert_model")
        model = self.openvino.convert_model(source)
        self.enter("serialize")
        converted = os.path.join(request["folder"], "converted.xml")
        self.openvino.serialize(model, converted)
        return {"converted": converted}, []

    def reshape(self, request: wire.Header, blobs: list[bytearray]) -> wire.Frame:
        """Read, give some inputs other shapes, and answer with the shapes of the outputs of every layer."""
        model, _weights = self._read(blobs[0], request["weights"], blobs[1] or None)
        if request["reshape"]:
            self._reshape(model, request["reshape"])
        return {"shapes": list(nodes.output_shapes(model))}, []

    def _reshape(self, model: Any, shapes: Iterable[tuple[int, Any]]) -> None:
        self.enter("reshape")
        inputs = [parameter.output(0) for parameter in model.get_parameters()]
        model.reshape(
            {
                inputs[position]: self.openvino.PartialShape(shape)
                for position, shape in shapes
            }
        )

    def _read(
        self, text: bytes | bytearray, path: str | None, blob: bytearray | None
    ) -> tuple[Any, Any]:
        """The model, and the array of its weights, whose memory it shares: that must live as long."""
        self.enter("read_model")
        # A file is read, not mapped: a mapped one that shrinks meanwhile kills the process (SIGBUS).
        weights = (
            numpy.fromfile(path, "u1")
            if path
            else blob
            if blob is None
            else numpy.frombuffer(blob, "u1")
        )
        tensors = []
        if weights is not None:
            tensors = [self.openvino.Tensor(weights, shared_memory=True)]
        return self.core.read_model(bytes(text), *tensors), weights

    def _tensor(self, header: wire.Header, blob: wire.Blob) -> Any:
        shape = header["shape"]
        element_type = getattr(self.openvino.Type, header["type"])
        tensor = self.openvino.Tensor(element_type, self.openvino.Shape(shape))
        _write(tensor, blob)
        return tensor


class _Ran(NamedTuple):
    """An inference that came to an end: its tensors, and what came out; ``given`` are its inputs on the wire."""

    number: int
    inputs: list[Any]
    headers: list[wire.Header]
    blobs: list[wire.Blob]
    given: Sequence[tuple[wire.Header, wire.Blob]]


RUNTIME = OpenVinoRuntime


def _header(tensor: Any) -> wire.Header:
    return {"type": tensor.element_type.to_string(), "shape": list(tensor.shape)}


def _other_values(ran: Sequence[_Ran]) -> _Ran:
    """An inference on other values of the same shapes as the first; without one the first."""

    def shapes(run: _Ran) -> list[list[int]]:
        return [header["shape"] for header, _ in run.given]

    others = (
        run
        for run in ran
        if shapes(run) == shapes(ran[0]) and run.given != ran[0].given
    )
    return next(others, ran[0])


def _lost(inference: Any, states: Mapping[str, nodes.Assigned]) -> Iterator[str]:
    """The states that do not hold what is assigned to them."""
    for state in inference.query_state():
        if state.name in states:
            place, _ = own = states[state.name]
            kept = state.state
            result = inference.get_output_tensor(place)
            is_near = own.may_be_rounded and _is_near(kept, result)
            if not is_near and _bytes(kept) != _bytes(result):
                yield state.name


def _is_near(some: Any, other: Any) -> bool:
    if list(some.shape) != list(other.shape) or some.element_type.is_integral():
        return False
    kept, given = (tensor.data.astype("f8") for tensor in (some, other))
    bound = _ROUNDED * numpy.abs(given[numpy.isfinite(given)]).max(initial=0)
    return numpy.allclose(kept, given, rtol=0, atol=bound, equal_nan=True)


def _write(tensor: Any, blob: wire.Blob) -> None:
    if tensor.element_type.to_string() == "string":
        texts = unpack_strings(blob, tensor.size)
        if texts:
            tensor.bytes_data = numpy.array(texts).reshape(tensor.shape)
    elif tensor.byte_size:
        view = tensor.data
        view[...] = numpy.frombuffer(blob, view.dtype).reshape(view.shape)


def _bytes(tensor: Any) -> bytes:
    is_text = tensor.element_type.to_string() == "string"
    if not tensor.size:  # reading the strings of an empty output kills the process
        if is_text:
            return pack_strings([])
        return b""
    if is_text:
        texts = tensor.bytes_data.ravel()
        # Where all strings are empty, OpenVINO gives one byte of uninitialised memory for each.
        if texts.dtype.itemsize == 1 and not any(tensor.str_data.ravel().tolist()):
            return pack_strings([b""] * tensor.size)
        return pack_strings(texts.tolist())
    return bytes(tensor.data.tobytes())
