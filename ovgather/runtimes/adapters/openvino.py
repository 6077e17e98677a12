"""OpenVINO: runs trials and whole models, loads files, gives inputs other shapes."""

import os
import sys
from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from importlib import import_module
from typing import Any, NamedTuple

import numpy

from ovgather.errors import ConfigurationError, UnavailableError
from ovgather.runtimes import ways, wire
from ovgather.runtimes.base import TrialRuntime
from ovgather.runtimes.costs import Costs
from ovgather.runtimes.outcome import own_words
from ovgather.runtimes.trial import from_frame
from ovgather.runtimes.wire import to_wire
from ovgather.tensor.packing import pack_strings, unpack_strings

# The default may be bf16, which would round what flows between the layers.
CONFIG = {"INFERENCE_PRECISION_HINT": "f32"}
_KEPT = 64  # compiled models
_CONVERTED = ".0"
_KERNEL_FACTS = (
    "originalLayersNames",
    "layerType",
    "primitiveType",
    "outputPrecisions",
    "outputLayouts",
)
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
        for position, tensor in enumerate(tensors):
            inference.set_input_tensor(position, tensor)
        self.enter(step)
        costs.measure(inference.infer, sum(len(blob) for _, blob in inputs))
        return tensors, [
            at for at, (_, blob) in enumerate(inputs) if _bytes(tensors[at]) != blob
        ]

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
            blobs = list(map(_bytes, outputs))
            if blobs != run.blobs:
                yield run.number, list(zip(map(_header, outputs), blobs, strict=True))

    def _compile(
        self, text: bytes, weights: wire.Blob, device: str
    ) -> tuple[ways.Compiled, wire.Header, Any]:
        """What runs, its kernels, and the weights: early releases (2023.3) do not hold them themselves."""
        model, array = self._read(text, None, bytearray(weights))
        self.enter("compile_model")
        executed = self.core.compile_model(model, device, self.config)
        inference = executed.create_infer_request()
        compiled = ways.Compiled(
            self.core, model, device, self.config, executed, inference, []
        )
        return compiled, _kernels(model, executed), array

    def model(self, request: wire.Header, blobs: list[bytearray]) -> wire.Frame:
        """Read, reshape and compile, infer on one set of inputs after the other; answer with the Results asked for.

        Inputs on which the model does not run when it is compiled anew, either, are ``refused``.
        """
        model, _weights = self._read(blobs[0], request["weights"], blobs[1])
        shapes: dict[str, list[str]] = {}
        for path, layer, output, name in request["inner"]:
            outside = _brought_out(self.openvino, model, path, layer, output)
            added = [self.openvino.opset8.result(each) for each in outside]
            for number, result in enumerate(added):
                result.set_friendly_name(f"{name}.{number}" if number else name)
            model.add_results(added)
            shapes[name] = [f"{name}.{number}" for number in range(1, len(added))]
        results = [result.get_friendly_name() for result in model.get_results()]
        if request["shapes"] is not None:
            self._reshape(model, enumerate(request["shapes"]))

        def compiled() -> Any:
            self.enter("compile_model")
            return self.core.compile_model(model, request["device"], self.config)

        executed = compiled()
        costs = Costs()
        rest = iter(blobs[2:])
        inference = executed.create_infer_request()
        kernels = _kernels(model, executed)
        places = [
            name if isinstance(name, int) else results.index(name)
            for name in request["outputs"]
        ]
        refused = list[tuple[int, str]]()
        overwritten = list[list[int]]()
        ran = list[_Ran]()
        for number, inputs in enumerate(request["inputs"]):
            given = list(zip(inputs, rest, strict=False))
            step = f"inference {number + 1} of the compiled model"
            for state in inference.query_state():
                state.reset()
            try:
                tensors, changed = self._infer(
                    inference, given, costs, step if number else "infer"
                )
            except Exception as error:
                if not number:
                    raise
                inference = compiled().create_infer_request()
                reason = own_words(error)
                try:
                    self._infer(inference, given, Costs())
                except Exception:
                    refused.append((number, reason))
                    inference = compiled().create_infer_request()
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
                header["problem"] = _OTHER_SHAPES if any(map(_differ, beside)) else ""
            ran.append(_Ran(number, tensors, own, list(map(_bytes, outputs)), given))
            overwritten += [[number, at] for at in changed]
        headers = [header for run in ran for header in run.headers]
        values = [blob for run in ran for blob in run.blobs]
        others = list[tuple[str, int]]()
        executable = ways.Compiled(
            self.core,
            model,
            request["device"],
            self.config,
            executed,
            inference,
            [run.inputs for run in ran],
            places,
        )
        for way in request.get("ways", ()):
            found = list(self._in_way(way, executable, ran))
            if found and (spoilt := list(self._in_way(ways.AGAIN, executable, ran))):
                way = ways.AGAIN
                found = spoilt
            for number, outputs in found:
                others.append((way, number))
                (own,) = [run.headers for run in ran if run.number == number]
                headers += [
                    {**was, **header}
                    for was, (header, _) in zip(own, outputs, strict=True)
                ]
                values += [blob for _, blob in outputs]

        def again(number: int) -> None:
            executable.kept.append(self._infer(inference, ran[number].given, costs)[0])

        return {
            "outputs": headers,
            "refused": refused,
            "overwritten": overwritten,
            "kernels": kernels,
            "others": others,
            "unusual": costs.unusual(again),
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
        return {"shapes": list(_output_shapes(model))}, []

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
        if header["type"] == "string":
            texts = unpack_strings(blob, tensor.size)
            if texts:
                tensor.bytes_data = numpy.array(texts).reshape(shape)
        elif tensor.byte_size:
            view = tensor.data
            view[...] = numpy.frombuffer(blob, view.dtype).reshape(view.shape)
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


def _kernels(model: Any, compiled: Any) -> wire.Header:
    """By the name of each Gather of the top graph: type, name, precision, layout and further layers of its kernel.

    Empty where the device does not tell; a layer that is folded, or renamed by a transformation, is in no kernel.
    """
    names = {
        node.get_friendly_name()
        for node in model.get_ops()
        if node.get_type_name().startswith("Gather")
    }
    try:
        executed = [
            node.get_rt_info() for node in compiled.get_runtime_model().get_ops()
        ]
    except (AttributeError, RuntimeError):
        return {}
    kernels: wire.Header = {}
    for facts in executed:
        texts = [
            str(getattr(facts[key], "value", facts[key])) if key in facts else ""
            for key in _KERNEL_FACTS
        ]
        layers = texts.pop(0).split(",")
        for layer in layers:
            # A layer between conversions of its types has another name.
            name = layer.removesuffix(_CONVERTED)
            if name in names and kernels.get(name, texts)[0] == texts[0]:
                kernels[name] = [*texts, [other for other in layers if other != layer]]
    return kernels


def _output_shapes(model: Any, path: Sequence[str] = ()) -> Iterator[list[Any]]:
    """Path of bodies, name and shapes of every layer."""
    for node in model.get_ops():
        name = node.get_friendly_name()
        yield [
            path,
            name,
            [str(output.get_partial_shape()) for output in node.outputs()],
        ]
        for kind, body in _bodies(node).items():
            yield from _output_shapes(body, [*path, name, kind])


def _bodies(node: Any) -> dict[str, Any]:
    if hasattr(node, "get_then_body"):
        return {"then_body": node.get_then_body(), "else_body": node.get_else_body()}
    if hasattr(node, "get_function"):
        return {"body": node.get_function()}
    return {}


def _brought_out(
    openvino: Any, model: Any, path: Sequence[str], name: str, output: int
) -> list[Any]:
    """Outputs of the top graph: the values of a layer of a body, with a leading dim for each body, and their shapes.

    A Loop and a TensorIterator concatenate the values of all iterations. Those are garbage unless all have one shape,
    so that the shapes come out as well. Of an If there is one value, or none where the other branch runs.
    """
    node = _named(model, path[0] if path else name)
    if not path:
        return [node.output(output)]
    bodies = _bodies(node)
    opset = openvino.opset8
    body = bodies.pop(path[1])
    values = _brought_out(openvino, body, path[2:], name, output)
    if path[1] == "body":
        values.append(opset.shape_of(values[0]).output(0))
    outside = []
    for value in values:
        longer = opset.unsqueeze(value, opset.constant(0))
        result = opset.result(longer)
        body.add_results([result])
        if path[1] == "body":
            outside.append(
                node.get_concatenated_slices(result.output(0), 0, 1, 1, -1, 0)
            )
            continue
        rank = longer.get_output_partial_shape(0).rank
        if rank.is_dynamic:
            raise ValueError(
                f"the rank of {name!r} is dynamic, and no other branch can give as much"
            )
        empty = openvino.Tensor(
            value.get_element_type(), openvino.Shape([0] * rank.get_length())
        )
        other = opset.result(openvino.op.Constant(empty))
        next(iter(bodies.values())).add_results([other])
        outside.append(
            node.set_output(
                *((result, other) if path[1] == "then_body" else (other, result))
            )
        )
    return outside


def _differ(shapes: Any) -> bool:
    """Whether the rows of what ``_brought_out`` gives as shapes are not all the same."""
    rows = shapes.reshape(-1, shapes.shape[-1])
    return bool((rows != rows[:1]).any())


def _named(model: Any, name: str) -> Any:
    nodes = [node for node in model.get_ops() if node.get_friendly_name() == name]
    if len(nodes) != 1:
        raise ValueError(f"OpenVINO has {len(nodes)} layers of the name {name!r}")
    return nodes[0]
