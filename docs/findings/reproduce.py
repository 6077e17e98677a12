"""Runs model.xml on inputs.npz in OpenVINO and compares the output with expected.npz, bit by bit or within TOLERANCE.

    pip install openvino numpy
    python reproduce.py [FOLDER]

OpenVINO runs in a child process, since it may die. Exits with 1 when it does, when it raises an error, or when the
output is wrong in any of the runs; with 0 when the output is right in all of them.
"""

import contextlib
import os
import platform
import signal
import subprocess
import sys
import tempfile
from typing import Any

import numpy

DEVICE = "CPU"
RUNS = 3
INFERENCES = [0]
"""Which inputs each inference takes: ``data`` those of 0, ``data.1`` those of 1, and so on."""
SECONDS = 60
CONFIG = {"INFERENCE_PRECISION_HINT": "f32"}
PLUGINS: dict[str, str] = {}
# absolute, relative, in floating-point numbers that lie between
TOLERANCE = (0.0, 0.0, 0)
IS_BF16 = False
WAY = ""
"""In which way the model runs once more, of those that ways.py has."""
IS_COSTLY = False
"""Whether the output is right, and takes too much time or memory."""
if WAY or IS_COSTLY:
    import costs  # type: ignore[import-not-found]
    import ways  # type: ignore[import-not-found]
FOLDER = os.path.abspath(
    sys.argv[1] if len(sys.argv) > 1 else os.path.dirname(__file__)
)
SHOWN = 8
STEPS = ("OpenVINO ", "read_model", "compile_model", "infer", "the end of the process")


def main() -> int:
    versions = f"Python {platform.python_version()}, numpy {numpy.__version__}, {platform.platform()}"
    print(f"{versions}, device {DEVICE}")
    right = [run(number) for number in range(RUNS)]
    print(f"{right.count(False)} of {RUNS} runs went wrong")
    if all(right):
        return 0
    return 1


def run(number: int) -> bool:
    """Run once, in a child process; whether the output is right."""
    with tempfile.TemporaryDirectory() as folder:
        output = os.path.join(folder, "output.npz")
        command = [sys.executable, __file__, FOLDER, output]
        try:
            child = subprocess.run(
                command,
                capture_output=True,
                text=True,
                errors="replace",
                timeout=SECONDS,
            )
        except subprocess.TimeoutExpired:
            print(f"TIMEOUT: no answer within {SECONDS} s")
            return False
        steps = [
            line for line in child.stdout.splitlines() if line.startswith(STEPS)
        ] or [""]
        if number == 0:
            print(steps[0])
        if child.returncode == 2:
            print(f"ERROR in {steps[-1]}: {child.stdout.splitlines()[-1]}")
        elif child.returncode != 0:
            signals = {-each: each.name for each in signal.Signals}
            death = signals.get(child.returncode, f"exit status {child.returncode}")
            print(
                f"CRASH in {steps[-1]}: {death} {child.stderr.strip()[-200:]}".rstrip()
            )
        if child.returncode != 0:
            return False
        want = load(os.path.join(FOLDER, "expected.npz"))
        right = all(
            is_right(got, want.get(name.rpartition("-")[0]), name)
            for name, got in load(output).items()
        )
        if right:
            print(
                "OK: "
                + (
                    "the output is right"
                    if want
                    else "it ran; the specification does not say what comes out"
                )
            )
        return right


def load(path: str) -> dict[str, numpy.ndarray]:
    with numpy.load(path) as file:
        return dict(file)


def is_right(got: numpy.ndarray, want: numpy.ndarray | None, name: str) -> bool:
    """Whether an output is right, as far as it is known; what differs is printed."""
    if want is None:
        return True
    if got.shape != want.shape:
        print(
            f"MISMATCH: the shape is {list(got.shape)}, it should be {list(want.shape)}"
        )
        return False
    wrong = lanes(got) != lanes(want)
    if any(TOLERANCE) and (want.dtype.kind == "f" or IS_BF16):
        wrong &= ~is_near(got, want, TOLERANCE)
    if not wrong.any():
        return True
    if len(INFERENCES) > 1:
        inference = f" in inference {name.rpartition('-')[2]}"
    else:
        inference = ""
    print(f"MISMATCH: {int(wrong.sum())} of {wrong.size} elements differ{inference}")
    for at in map(tuple, numpy.argwhere(wrong)[:SHOWN].tolist()):
        print(f"  {list(at)}: got {shown(got[at])}, want {shown(want[at])}")
    return False


def lanes(array: numpy.ndarray) -> numpy.ndarray:
    # The bits, since a NaN differs from itself, and 0 and -0 do not.
    if array.dtype.kind == "U":
        return array
    return array.view(f"u{array.dtype.itemsize}")


def is_near(
    got: numpy.ndarray, want: numpy.ndarray, bounds: tuple[float, float, int]
) -> numpy.ndarray:
    """Which elements are within any of the bounds; infinities and NaN must be the same. Integers are bits of bf16."""
    absolute, relative, most = bounds
    floats = [
        each if each.dtype.kind == "f" else (each.astype("u4") << 16).view("f4")
        for each in (got, want)
    ]
    with numpy.errstate(all="ignore"):
        wide, exact = (each.astype("f8") for each in floats)
        off, same = (
            numpy.abs(wide - exact),
            (wide == exact) | (numpy.isnan(wide) & numpy.isnan(exact)),
        )
        near = (off <= absolute) | (off <= relative * numpy.abs(exact))
    if want.itemsize <= 4:
        sign = 1 << (8 * want.itemsize - 1)
        places = [
            numpy.where(each < sign, each, sign - each)
            for each in (lanes(got).astype("i8"), lanes(want).astype("i8"))
        ]
        near |= numpy.abs(places[0] - places[1]) <= most
    return numpy.asarray(same | (near & numpy.isfinite(wide)))


def shown(value: numpy.generic) -> str:
    if value.dtype.kind == "U":
        return repr(str(value))
    return f"{value.item()!r} (0x{value.tobytes()[::-1].hex()})"


def infer(path: str) -> None:
    """Run the model in this process, and put the output into the file ``path``."""
    import openvino

    print(f"OpenVINO {openvino.__version__}\nread_model", flush=True)
    core = openvino.Core()
    for name, library in PLUGINS.items():
        core.register_plugin(library, name)
    with contextlib.suppress(RuntimeError):  # a device may not know it
        core.set_property(DEVICE, {"EXECUTION_MODE_HINT": "ACCURACY"})
    model = core.read_model(os.path.join(FOLDER, "model.xml"))
    print("compile_model", flush=True)
    compiled = core.compile_model(model, DEVICE, CONFIG)
    request = compiled.create_infer_request()
    places = range(len(model.get_results()))
    arrays = load(os.path.join(FOLDER, "inputs.npz"))
    # They live until the end: an inference may read the tensors of the one before once more.
    inputs = [given(openvino, model, arrays, suffix) for suffix in suffixes()]
    meter: Any = None
    if IS_COSTLY:
        meter = costs.Costs()

    def give(request: Any, number: int) -> None:
        for state in request.query_state():
            state.reset()
        for position, tensor in enumerate(inputs[number]):
            request.set_input_tensor(position, tensor)

    def run(number: int, request: Any = request) -> None:
        give(request, number)
        if meter is None:
            request.infer()
        else:
            size = sum(tensor.byte_size for tensor in inputs[number])
            meter.measure(request.infer, size)

    def anew(number: int) -> None:
        run(number, core.compile_model(model, DEVICE, CONFIG).create_infer_request())

    def further_request() -> None:
        own = compiled.create_infer_request()
        give(own, 0)
        own.infer()

    def request_of_its_own() -> None:
        meter.measure(further_request, 0)

    print("infer", flush=True)
    outputs: dict[str, Any] = {}
    rounds = []
    for number, suffix in enumerate(suffixes()):
        run(number)
        for parameter, tensor in zip(
            model.get_parameters(), inputs[number], strict=True
        ):
            name = parameter.get_friendly_name()
            if from_tensor(tensor).tobytes() != arrays[f"{name}{suffix}"].tobytes():
                raise RuntimeError(f"the input {name} is overwritten")
        tensors = [request.get_output_tensor(place) for place in places]
        outputs |= named(model, number, tensors)
        for state in request.query_state():
            name = f"state {state.name}{suffix}-{number + 1}"
            outputs[name] = from_tensor(state.state)
        marks = []
        if WAY == "outputs":
            kinds = [(each.element_type.to_string(), each.shape) for each in tensors]
            marks = [ways.marked(openvino, *kind) for kind in kinds]
        rounds.append((inputs[number], marks))
    if WAY:
        print(f"infer {ways.WAYS[WAY]}", flush=True)
        how = core, model, DEVICE, CONFIG, compiled, request, inputs, places
        answers = ways.outputs(WAY, ways.Compiled(*how), rounds)
        for number, tensors in enumerate(answers):
            if tensors is not None:
                outputs |= named(model, number, tensors)
    if meter is not None:
        _, words = meter.unusual(run, anew, request_of_its_own)
        if words:
            raise RuntimeError(words)
    numpy.savez(path, **outputs)
    print("the end of the process, after the answer", flush=True)


def suffixes() -> list[str]:
    """What the names of the arrays of each inference end with."""
    return [f".{number}" if number else "" for number in INFERENCES]


def given(openvino: Any, model: Any, arrays: Any, suffix: str) -> list[Any]:
    """The input tensors of an inference."""
    return [
        to_tensor(
            openvino,
            parameter.get_element_type(),
            arrays[f"{parameter.get_friendly_name()}{suffix}"],
        )
        for parameter in model.get_parameters()
    ]


def named(model: Any, number: int, tensors: list[Any]) -> dict[str, numpy.ndarray]:
    """The arrays of what comes out of an inference, by the name of the Result and the number."""
    return {
        f"{result.get_friendly_name()}{suffixes()[number]}-{number + 1}": from_tensor(
            tensor
        )
        for result, tensor in zip(model.get_results(), tensors, strict=False)
    }


def to_tensor(openvino: Any, element_type: Any, array: numpy.ndarray) -> Any:
    """The array as a tensor; the files hold types that NumPy lacks as unsigned integers, one an element."""
    tensor = openvino.Tensor(element_type, openvino.Shape(list(array.shape)))
    if array.dtype.kind == "U":
        tensor.str_data = array
    elif tensor.byte_size:
        if element_type.bitwidth == 4:
            array = numpy.append(array.ravel(), numpy.zeros(array.size % 2, "u1"))
            array = array[::2] | array[1::2] << 4
        tensor.data[...] = numpy.frombuffer(array.tobytes(), tensor.data.dtype).reshape(
            tensor.data.shape
        )
    return tensor


def from_tensor(tensor: Any) -> numpy.ndarray:
    """The tensor as an array, of the dtype that the files have for its element type."""
    shape, name = list(tensor.shape), tensor.element_type.to_string()
    if name == "string":
        return numpy.array(
            tensor.str_data.tolist() if tensor.size else [], "U"
        ).reshape(shape)
    if tensor.element_type.bitwidth == 4:
        halves = numpy.frombuffer(tensor.data.tobytes(), "u1")
        return (
            numpy.stack([halves & 15, halves >> 4], -1)
            .ravel()[: tensor.size]
            .reshape(shape)
        )
    if name == "bf16":
        native = "u2"
    else:
        native = tensor.element_type.to_dtype()
    return numpy.frombuffer(
        tensor.data.tobytes() if tensor.size else b"", native
    ).reshape(shape)


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(main())
    try:
        infer(sys.argv[2])
    except Exception as error:
        print(" ".join(str(error).split()))
        sys.exit(2)
