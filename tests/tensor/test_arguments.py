"""Arguments of every public function that cannot be used: an error of ovgather that names them, nothing from inside."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, NoReturn

import numpy
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as some

import ovgather
from ovgather import testing
from ovgather.errors import ArgumentError, OvgatherError, short_repr
from ovgather.processes import is_installed

NET = b"""<net name="m" version="11"><layers>
<layer id="0" name="g" type="GatherElements" version="opset6"><data axis="0"/>
<input><port id="0" precision="FP32"><dim>3</dim></port><port id="1" precision="I32"><dim>3</dim></port></input>
<output><port id="2" precision="FP32"><dim>3</dim></port></output></layer></layers><edges/></net>"""
DATA, INDICES = [[1, 2], [3, 4]], [[0, 1], [1, 0]]
RUN: dict[str, Any] = {
    "axis": 0,
    "batch_dims": 0,
    "out": None,
    "threads": None,
    "engine": "auto",
}
RUN_BY_NAME = {
    "type": "Gather",
    "inputs": [DATA, INDICES],
    "version": "opset8",
    "dialect": "openvino",
    **RUN,
}
ONNX = {"version": 13, "dialect": "onnx"}
SHAPES = {
    "shapes": [[2, 3], [2, 3]],
    "version": "opset8",
    "axis": 0,
    "batch_dims": 0,
    "dialect": "openvino",
}
INFER = {"type": "Gather", "element_types": None, **SHAPES}
FILE = {"source": NET, "layer": None, "weights": None}
CROSSCHECK = {
    "source": b'<net name="m" version="11"><layers/><edges/></net>',
    "weights": None,
    "inputs": None,
    "layer": None,
    "seed": 0,
    "static": False,
    "timeout": 1.0,
    "mode": "both",
    "converted": None,
    "variants": ("default",),
    "against": ("openvino",),
    "strict": False,
    "start": None,
    "progress": None,
}


@pytest.fixture(autouse=True, scope="module")
def _folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """A folder to work in: an odd argument may be a good path."""
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(tmp_path_factory.mktemp("odd"))
        yield


def alike(data: Any, indices: Any, axis: int) -> Any:
    return numpy.take_along_axis(data, indices, axis)


CALLS: dict[str, tuple[Callable[..., object], dict[str, Any]]] = {
    "Dimension": (ovgather.Dimension, {"min": 2, "max": 8, "symbol": None}),
    "Dimension.of": (ovgather.Dimension.of, {"value": 2}),
    "Dimension.parse": (ovgather.Dimension.parse, {"text": "2"}),
    "PartialShape": (ovgather.PartialShape, {"dims": None}),
    "PartialShape.of": (ovgather.PartialShape.of, {"value": None}),
    "PartialShape.parse": (ovgather.PartialShape.parse, {"text": "2"}),
    "evaluate": (ovgather.evaluate, RUN_BY_NAME),
    "evaluate, ONNX": (ovgather.evaluate, {**RUN_BY_NAME, **ONNX}),
    "gather": (ovgather.gather, {"data": DATA, "indices": INDICES, **RUN}),
    "gather_elements": (
        ovgather.gather_elements,
        {
            "data": DATA,
            "indices": INDICES,
            "axis": 0,
            "out": None,
            "threads": None,
            "engine": "auto",
        },
    ),
    "gather_nd": (
        ovgather.gather_nd,
        {"data": DATA, "indices": INDICES, "batch_dims": 0, "out": None},
    ),
    "infer_shape": (ovgather.infer_shape, INFER),
    "infer_shape, ONNX": (ovgather.infer_shape, {**INFER, **ONNX}),
    "infer_output": (ovgather.infer_output, INFER),
    "infer_backward": (
        ovgather.infer_backward,
        {"type": "Gather", "output": None, **SHAPES},
    ),
    "lower_gather_elements": (
        ovgather.lower_gather_elements,
        {"indices": INDICES, "axis": 0, "data_shape": (2, 2), "batch_dims": 0},
    ),
    "read": (ovgather.read, {"source": NET, "weights": None}),
    "Model.find": (ovgather.read(NET).find, {"layer": "g"}),
    "validate": (
        ovgather.validate,
        {"source": NET, "weights": None, "max_findings": 100},
    ),
    "explain": (ovgather.explain, {"subject": "OVG101", "source": None}),
    "rules": (ovgather.rules, {"codes": ()}),
    "fix": (ovgather.fix, {"source": NET, "select": None, "config": None}),
    "validate, a release": (ovgather.validate, {"source": NET, "target": None}),
    "validate_files": (
        ovgather.validate_files,
        {"paths": [], "max_findings": 100},
    ),
    "inspect": (ovgather.inspect, {"source": NET, "weights": None}),
    "shapes": (ovgather.shapes, {"source": NET, "input_shapes": None}),
    "infer": (ovgather.infer, {"source": NET, "input_shapes": None}),
    "diff": (ovgather.diff, {"left": NET, "right": NET}),
    "survey": (ovgather.survey, {"sources": NET}),
    "convert": (ovgather.convert, {**FILE, "guard": True}),
    "extract": (ovgather.extract, FILE),
    "crosscheck": (ovgather.crosscheck, CROSSCHECK),
    "testing.layers": (testing.layers, {"operations": ()}),
    "testing.models": (
        testing.models,
        {"operations": (), "length": 3, "constant": None, "dynamic": True},
    ),
    "testing.assert_matches": (
        testing.assert_matches,
        {
            "model": NET,
            "layer": None,
            "inputs": None,
            "weights": None,
            "seed": 0,
            "strict": False,
            "against": alike,
        },
    ),
}


class Speechless:
    """Even asking what it is fails."""

    def __repr__(self) -> str:
        raise RuntimeError("no repr")


class Way:
    """A path that is no text."""

    def __init__(self, way: Any) -> None:
        self.way = way

    def __fspath__(self) -> Any:
        return self.way


ODD: dict[str, Callable[[], Any]] = {
    **{
        repr(value): lambda value=value: value
        for value in (None, True, 1.5, 1, -1, 2**63, "", "x", b"", b"x", 1j, ())
    },
    **{
        repr(value): lambda value=value: value
        for value in ([], [[]], [1, [2]], [[1], [2, 3]], {}, {"a": 1}, [None])
    },
    **{
        repr(value): lambda value=value: value
        for value in ("\ud800", "a\0b", ["\ud800"], [1.5], {1: 2}, range(3), ...)
    },
    **{f"{value}": lambda value=value: value for value in (float("nan"), float("inf"))},
    "a huge int": lambda: 10**5000,
    "a huge negative int": lambda: -(10**5000),
    "a list of one": lambda: [10**5000],
    "many digits": lambda: "1" * 6000,
    "more digits": lambda: "9" * 10**5,
    "digits in a list": lambda: ["1" * 6000],
    "an object": object,
    "a class": lambda: int,
    "a function": lambda: len,
    "speechless": Speechless,
    "a path of bytes": lambda: Way(b"x.xml"),
    "a path of a number": lambda: Way(3),
    "numpy bool": lambda: numpy.bool_(True),
    "numpy float": lambda: numpy.float64(1),
    "numpy int": lambda: numpy.int64(3),
    "array of one": lambda: numpy.array(1),
    "array": lambda: numpy.arange(2),
    "array of objects": lambda: numpy.array([[1, None]], object),
    "array of text": lambda: numpy.array(["a"]),
    "empty array": lambda: numpy.zeros((2, 0)),
    "a date": lambda: numpy.datetime64("2020"),
    "an iterator": lambda: iter([1]),
    "a text file": lambda: io.StringIO("x"),
    "a file": lambda: io.BytesIO(b"y"),
}


def call(name: str, argument: str, value: Any) -> None:
    """Fails unless the function takes ``value``, or refuses it as ovgather does."""
    function, arguments = CALLS[name]
    message = "fine"
    try:
        function(**{**arguments, argument: value})
    except OvgatherError as error:
        message = str(error)
    except AssertionError:
        if function is not testing.assert_matches:  # that is what it is for
            raise
    except TypeError:
        if (name, argument) != ("testing.assert_matches", "against") or not callable(
            value
        ):  # a function's own error
            raise
    assert 0 < len(message) <= 2000


@pytest.mark.parametrize("name", CALLS)
def test_odd_arguments(name: str) -> None:
    for argument in CALLS[name][1]:
        for make in ODD.values():
            call(name, argument, make())


PLACES = [
    (name, argument) for name, (_, arguments) in CALLS.items() for argument in arguments
]
LEAVES = (
    some.none()
    | some.booleans()
    | some.integers()
    | some.floats()
    | some.text(max_size=9)
    | some.binary(max_size=9)
)
VALUES = some.recursive(
    LEAVES,
    lambda inner: (
        some.lists(inner, max_size=3)
        | some.dictionaries(some.text(max_size=2), inner, max_size=2)
    ),
    max_leaves=6,
)


@settings(max_examples=200, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(some.sampled_from(PLACES), VALUES)
def test_any_argument(place: tuple[str, str], value: object) -> None:
    call(*place, value)


@pytest.mark.parametrize(
    ("name", "argument", "value", "message"),
    [
        (
            "gather",
            "axis",
            10**5000,
            "axis must be an integer of 64 bits, not an int of 16610 bits",
        ),
        (
            "gather",
            "axis",
            1.5,
            "axis must be an integer, a scalar or of shape [1], not 1.5",
        ),
        ("gather", "data", [[1], [2, 3]], "data must be an array, not [[1], [2, 3]]"),
        ("evaluate", "inputs", None, "inputs must be arrays in order, not None"),
        (
            "evaluate",
            "type",
            ["Gather"],
            "type must be the type of a layer, such as 'Gather', not ['Gather']",
        ),
        (
            "infer_shape",
            "version",
            10**5000,
            "opset an int of 16610 bits has no Gather: opset1 to opset16",
        ),
        ("infer_shape", "shapes", None, "shapes must be a list, each item a shape"),
        (
            "validate",
            "source",
            None,
            "source must be a path, bytes, an open binary file or a model, not None",
        ),
        (
            "validate",
            "max_findings",
            -1,
            "max_findings must be a whole number from 0 on, not -1",
        ),
        (
            "read",
            "source",
            123,
            "source must be a path, bytes, an open binary file or a model, not 123",
        ),
        ("read", "weights", 1.5, "weights must be a path or bytes, not 1.5"),
        ("convert", "source", None, "source must be a path"),
        (
            "extract",
            "layer",
            7,
            "layer must be the name or id of a layer, as text, not 7",
        ),
        ("explain", "subject", b"x", "subject must be text, not b'x'"),
        ("rules", "codes", 3, "codes must be codes of rules, such as 'OVG2', not 3"),
        ("rules", "codes", [1], "codes must be codes of rules, such as 'OVG2'"),
        ("validate_files", "paths", 0, "paths must be a list of paths, not 0"),
        ("validate, a release", "target", 5, "target must be a release"),
        ("conformance", "zoo", 3, "zoo must be a list of models, not 3"),
        ("conformance", "only", 3, "only must be text, or None, not 3"),
        ("conformance", "resume", 3, "resume must be a path, or None, not 3"),
        ("crosscheck", "source", None, "source must be a path"),
        ("crosscheck", "against", None, "against must be a list of names, not None"),
        ("PartialShape", "dims", 1.5, "1.5 is not a shape: give a sequence of dims"),
        ("PartialShape.parse", "text", 5, "5 is not a shape: text is needed"),
        ("PartialShape.parse", "text", "1" * 6000, "is out of range [0, 2^63-1]"),
        ("Dimension", "symbol", 5, "symbol must be a name, not 5"),
        (
            "testing.layers",
            "operations",
            None,
            "operations must be a list of names, not None",
        ),
    ],
    ids=lambda value: value[:30] if isinstance(value, str) else type(value).__name__,
)
def test_messages_name_the_argument(
    name: str, argument: str, value: object, message: str
) -> None:
    needed = {"convert": "onnx", "conformance": "openvino"}.get(name)
    if needed is not None and not is_installed(needed):
        pytest.skip(f"{needed} is not installed")
    function, arguments = CALLS.get(name) or (getattr(ovgather, name), {})
    with pytest.raises(ovgather.InvalidModelError) as caught:
        function(**{**arguments, argument: value})
    assert message in str(caught.value)
    assert len(str(caught.value)) < 500


def test_an_argument_error_is_what_python_raises() -> None:
    for kind in (OvgatherError, TypeError, ValueError):
        with pytest.raises(kind):
            ovgather.Dimension("x")  # type: ignore[arg-type]
    assert issubclass(ovgather.ArgumentError, ArgumentError)


def test_errors_that_no_argument_explains_stay() -> None:
    class Broken(io.BytesIO):
        def read(self, size: int | None = -1, /) -> bytes:
            raise ZeroDivisionError("of its own")

    with pytest.raises(ZeroDivisionError, match="of its own"):
        ovgather.read(Broken())


def test_legal_spellings_of_an_axis() -> None:
    for axis in (1, numpy.int8(1), numpy.uint64(1), numpy.array(1), numpy.array([1])):
        assert ovgather.gather(DATA, [0], axis).tolist() == [[1], [3]]
        assert str(ovgather.infer_shape("Gather", [[2, 5], [3]], axis=axis)) == "[2,3]"  # type: ignore[arg-type]


def test_values_are_shown_short() -> None:
    assert short_repr("x" * 10**6).startswith("'xxx")
    assert len(short_repr(["x" * 10**6])) == 120
    assert short_repr(Speechless()) == "a Speechless"


@pytest.mark.parametrize("shapes", ["1" * 10**6, "[2,3]", b"23"])
def test_shapes_given_as_one_text_are_refused_at_once(
    shapes: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    def parse(*_: object) -> NoReturn:
        raise AssertionError("a letter was parsed")

    monkeypatch.setattr(ovgather.PartialShape, "of", parse)
    for infer in (
        ovgather.infer_shape,
        ovgather.infer_output,
        partial(ovgather.infer_backward, output=[2]),
    ):
        with pytest.raises(
            ArgumentError, match=r"^shapes must be a list, each item a shape.*, not b?'"
        ) as caught:
            infer("Gather", shapes=shapes)
        assert len(str(caught.value)) < 300
