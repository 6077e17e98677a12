"""ONNX -> IR -> ONNX: OpenVINO and ONNX Runtime give what ONNX's document says, errors included."""

from __future__ import annotations

import runpy
from pathlib import Path
from typing import Any

import numpy
import pytest
from converted_child import needs_runtimes, run
from paths import ROOT

import ovgather
from ovgather.errors import InvalidModelError
from ovgather.verbs.convert import convert
from ovgather.verbs.written_model import LayerModel

onnx = pytest.importorskip("onnx")

from onnx import TensorProto, helper, numpy_helper  # noqa: E402 - it may be missing

DATA = numpy.arange(60, dtype="f4").reshape(3, 4, 5)
LAYERS: list[tuple[str, numpy.ndarray, dict[str, int]]] = [
    ("Gather", numpy.array([[0, -1], [2, 1]]), {"axis": 1}),
    ("Gather", numpy.array(-2), {}),
    ("Gather", numpy.array([], "i8"), {"axis": -1}),
    ("GatherElements", numpy.array([[[0, -1], [2, 1]]]), {"axis": 1}),
    ("GatherElements", numpy.array(DATA % 5, "i8"), {"axis": -1}),
    ("GatherElements", numpy.zeros((2, 2, 2), "i8"), {}),
    ("GatherND", numpy.array([[0, -1], [2, 1]]), {}),
    ("GatherND", numpy.array([[[1]], [[2]], [[-2]]]), {"batch_dims": 1}),
]
FORMS = ("static", "dynamic", "constant")


def model(
    kind: str,
    indices: numpy.ndarray,
    attributes: dict[str, int],
    form: str = "static",
    data: numpy.ndarray = DATA,
    type: int = TensorProto.FLOAT,
    opset: int = 13,
) -> Any:
    node = helper.make_node(
        kind, ["data", "indices"], ["taken"], name="pick", **attributes
    )
    index_type = helper.np_dtype_to_tensor_dtype(indices.dtype)
    dynamic = form == "dynamic"
    shapes = [
        [
            f"{name}{place}" if dynamic else length
            for place, length in enumerate(array.shape)
        ]
        for name, array in (("d", data), ("i", indices))
    ]
    if dynamic and kind == "GatherND":
        shapes[1][-1] = indices.shape[-1]
    inputs = [helper.make_tensor_value_info("data", type, shapes[0])]
    constants = (
        [numpy_helper.from_array(indices, "indices")] if form == "constant" else []
    )
    if form != "constant":
        inputs.append(helper.make_tensor_value_info("indices", index_type, shapes[1]))
    output = helper.make_tensor_value_info("taken", type, None)
    graph = helper.make_graph([node], "graph", inputs, [output], constants)
    return helper.make_model(
        graph, opset_imports=[helper.make_opsetid("", opset)], ir_version=8
    )


def converted(made: Any, **options: bool) -> LayerModel:
    return convert(made.SerializeToString(), **options)[0]  # type: ignore[arg-type]


def both_ways(
    made: Any, inputs: dict[str, numpy.ndarray], folder: Path
) -> list[tuple[str, bytes, bytes, Any]]:
    """The node in OpenVINO, and back in ONNX Runtime."""
    there = converted(made)
    there.write(folder / "there.xml", overwrite=True)
    assert ovgather.validate(folder / "there.xml") == []
    back = convert(folder / "there.xml")[0]  # a guard holds no Gather
    return [
        ("openvino", there.text, there.weights, inputs),
        ("onnxruntime", back.text, b"", inputs),
    ]


@pytest.mark.slow
@needs_runtimes
def test_there_and_back(tmp_path: Path) -> None:
    cases, wanted = [], []
    for kind, indices, attributes in LAYERS:
        want = ovgather.evaluate(
            kind, [DATA, indices], dialect="onnx", version=13, **attributes
        )
        for form in (
            FORMS if indices.size else ("dynamic",)
        ):  # a static dim of 0 kills OpenVINO (OVG702)
            cases += both_ways(
                model(kind, indices, attributes, form),
                {"data": DATA, "indices": indices},
                tmp_path,
            )
            wanted += [want, want]
    for case, answer, want in zip(cases, run(cases), wanted, strict=True):
        assert not isinstance(answer, str), (case[:2], answer)
        assert (answer.shape, answer.dtype) == (want.shape, want.dtype), case[:2]
        assert answer.tobytes() == want.tobytes(), case[:2]


@needs_runtimes
@pytest.mark.parametrize("outside", [5, -6])
def test_an_index_outside_stays_an_error(outside: int, tmp_path: Path) -> None:
    cases = []
    for kind, given, attributes in LAYERS:
        indices = given.copy()
        if not indices.size:
            continue
        indices.reshape(-1)[-1] = outside
        for form in ("static", "dynamic"):
            cases += both_ways(
                model(kind, indices, attributes, form),
                {"data": DATA, "indices": indices},
                tmp_path,
            )
    for case, answer in zip(cases, run(cases), strict=True):
        assert isinstance(answer, str), (case[:2], answer)


@needs_runtimes
def test_the_cases_of_onnx(tmp_path: Path) -> None:
    script = runpy.run_path(str(ROOT / "tools" / "generate_onnx_conformance.py"))
    cases, wanted = [], []
    for case in script["cases"](("gather", "gatherelements", "gathernd")):
        if (
            len(case.model.graph.node) > 1
        ):  # of other modules, which another test has loaded
            continue
        for arrays, (want,) in case.data_sets:
            inputs = dict(
                zip([item.name for item in case.model.graph.input], arrays, strict=True)
            )
            cases += both_ways(case.model, inputs, tmp_path)
            wanted += [want, want]
    assert len(cases) >= 20
    for case, answer, want in zip(cases, run(cases), wanted, strict=True):
        assert not isinstance(answer, str), (case[:2], answer)
        assert numpy.array_equal(answer, want), case[:2]


def test_it_keeps_names_and_constants() -> None:
    there = converted(model("Gather", numpy.array([1, 2]), {"axis": 1}, "constant"))
    assert there.inputs == (
        "data: Parameter 'data' f32 [3,4,5]",
        "indices: Const 'indices' i64 [2]",
    )
    assert there.notes == ()
    read = ovgather.read(there.text, there.weights)
    assert [layer.name for layer in read.layers()] == [
        "data",
        "indices",
        "pick/axis",
        "pick",
        "taken/result",
    ]
    assert read.find("pick").version == "opset8"


def test_text_goes_along(tmp_path: Path) -> None:
    words = numpy.array([["a", "é"], ["", "two words"]], object)
    node = helper.make_node("Gather", ["words", "indices"], ["taken"], name="pick")
    constants = [
        helper.make_tensor(
            "words", TensorProto.STRING, [2, 2], [text.encode() for text in words.flat]
        ),
        numpy_helper.from_array(numpy.array([1, -1]), "indices"),
    ]
    output = helper.make_tensor_value_info("taken", TensorProto.STRING, None)
    made = helper.make_model(
        helper.make_graph([node], "graph", [], [output], constants)
    )
    converted(made).write(tmp_path / "words.xml")
    from ovgather.verbs.run import prepare

    assert (
        prepare(ovgather.read(tmp_path / "words.xml")).run().evidence.got.tolist()
        == words[[1, 1]].tolist()
    )
    back = convert(tmp_path / "words.xml", "pick")[0]
    held = onnx.load_from_string(back.text).graph.initializer[0]
    assert [text.decode() for text in held.string_data] == list(words.flat)


NOTES = [
    (
        ("Gather", numpy.array([1]), {}),
        {},
        "a guard before the indices makes an index outside an error, as in ONNX",
    ),
    (
        ("Gather", numpy.array([1]), {}),
        {"guard": False},
        "an index outside, an error in ONNX, gives zeros: there is no guard",
    ),
    (
        ("GatherND", numpy.array([[1]]), {}),
        {"guard": False},
        "an index outside, an error in ONNX, reads what it should not: there is no guard",
    ),
    (
        ("GatherElements", numpy.zeros((1, 1, 1), "i8"), {}),
        {},
        "off the axis data are cut to the size of indices, which IR demands and ONNX does not",
    ),
]


@pytest.mark.parametrize(("layer", "options", "note"), NOTES)
def test_what_differs_is_said(layer: Any, options: Any, note: str) -> None:
    assert converted(model(*layer), **options).notes == (note,)


def test_the_oldest_gather_says_nothing_of_negative_indices() -> None:
    there = converted(model("Gather", numpy.array([1]), {}, "constant", opset=9))
    assert there.notes == (
        "Gather-1 says nothing of negative indices; here they count from the end",
    )


REFUSED = [
    (
        model("Gather", numpy.array([1, 9]), {}, "constant"),
        "indices[1] is 9, outside [-3, 2]: data [3,4,5]; ONNX refuses to run it",
    ),
    (
        model("Gather", numpy.array([1]), {}, type=TensorProto.COMPLEX64),
        "data is tensor(complex64), and OpenVINO has no such type",
    ),
    (
        model("GatherElements", numpy.array([1]), {}),
        "data and indices must have the same rank, not 3 and 1: data [3,4,5], indices [1], axis 0",
    ),
    (
        model("GatherElements", numpy.array([1]), {}, opset=9),
        "opset 9 has no GatherElements: opset 11 is the first that has one",
    ),
]


@pytest.mark.parametrize(
    ("made", "why"), REFUSED, ids=["outside", "complex", "rank", "opset"]
)
def test_what_has_no_counterpart_is_refused(made: Any, why: str) -> None:
    with pytest.raises(InvalidModelError) as caught:
        converted(made)
    assert str(caught.value) == f"<bytes>: node 'pick' cannot be converted: {why}"


def test_a_node_without_output_is_refused() -> None:
    made = model("Gather", numpy.array([1]), {})
    for outputs in ([], [""]):
        made.graph.node[0].output[:] = outputs
        with pytest.raises(
            InvalidModelError, match="cannot be converted: it has no output"
        ):
            converted(made)


def test_a_length_that_stands_for_none_in_an_ir_is_refused() -> None:
    made = model("Gather", numpy.array([1]), {})
    made.graph.input[0].type.tensor_type.shape.dim[2].dim_value = (1 << 63) - 1
    with pytest.raises(
        InvalidModelError,
        match=r"data .*: a dim of an IR is less than 9223372036854775807",
    ):
        converted(made)


def test_lengths_that_no_memory_holds_are_refused() -> None:
    made = model("Gather", numpy.array([1]), {})
    made.graph.input[0].type.tensor_type.shape.dim[2].dim_value = 1 << 62
    with pytest.raises(InvalidModelError, match=r"takes \d+ bytes: no memory holds it"):
        converted(made)


def test_names_that_are_no_utf8_are_spelt_out() -> None:
    data = model("Gather", numpy.array([1]), {}).SerializeToString()
    for name in (b"pick", b"data", b"taken"):
        data = data.replace(name, name[:-1] + b"\xff")
    made = convert(data)[0]
    assert made.name == "pic\\xff"
    assert b'names="take\\xff"' in made.text
    assert ovgather.validate(made.text, made.weights) == []


def test_tuples_of_unknown_length_have_no_guard() -> None:
    made = model("GatherND", numpy.array([[1]]), {}, "dynamic")
    made.graph.input[1].type.tensor_type.shape.dim[-1].dim_param = "k"
    with pytest.raises(
        InvalidModelError,
        match="how long the index tuples are is not known, so no guard can make",
    ):
        converted(made)
    assert converted(made, guard=False).notes[0].endswith("there is no guard")
