"""The sample files say what the specification says, and OpenVINO computes from them what it prints."""

from __future__ import annotations

import hashlib
import importlib.util
import json
import os
import sys
from typing import Any

import forked
import numpy as np
import pytest
from numpy.typing import NDArray
from paths import SAMPLES

SPECIFICATION = os.path.join(SAMPLES, "specification")
DEMO = os.path.join(SAMPLES, "demo")
with open(os.path.join(SPECIFICATION, "examples.json"), encoding="utf-8") as file:
    EXAMPLES: dict[str, dict[str, Any]] = json.load(file)
DTYPES = {"f32": np.float32, "i64": np.int64, "i32": np.int32}
Array = NDArray[Any]
needs_openvino = pytest.mark.skipif(
    importlib.util.find_spec("openvino") is None, reason="openvino is not installed"
)

# Runs every file on the CPU; one process, because each start costs as much as all the files.
CHILD = """
import sys, numpy, openvino
core = openvino.Core()
core.set_property("CPU", {"INFERENCE_PRECISION_HINT": "f32"})
given, wanted = dict(numpy.load(sys.argv[1])), {}
for path in sys.argv[3:]:
    model = core.compile_model(core.read_model(path), "CPU")
    inputs = {port.any_name: given[path + ":" + port.any_name] for port in model.inputs}
    for index, value in enumerate(model(inputs).values()):
        wanted[f"{path}:{index}"] = value
numpy.savez(sys.argv[2], **wanted)
"""


def run(directory: Any, inputs: dict[str, dict[str, Array]]) -> dict[str, Array]:
    """What OpenVINO makes of each file: ``{"path:output index": value}``."""
    given, made = str(directory / "given.npz"), str(directory / "made.npz")
    flat: Any = {
        f"{path}:{name}": value
        for path, values in inputs.items()
        for name, value in values.items()
    }
    np.savez(given, **flat)
    child = forked.run(
        [sys.executable, "-c", CHILD, given, made, *inputs], b"", timeout=300
    )
    assert child.returncode == 0, child.stderr[-2000:]
    with np.load(made) as loaded:
        return dict(loaded)


def tensor(written: Any, dtype: Any) -> Array:
    """A nested list, or a shape whose element number ``k`` is ``k * step % modulus``."""
    if isinstance(written, dict):
        count = np.arange(np.prod(written["shape"]), dtype=np.int64)
        written = (count * written["step"] % written["modulus"]).reshape(
            written["shape"]
        )
    return np.asarray(written, dtype)


def inputs_of(example: dict[str, Any]) -> dict[str, Array]:
    return {
        name: tensor(value, DTYPES[example["element_types"][name]])
        for name, value in example["inputs"].items()
        if name not in example["constant"]
    }


def path_of(name: str) -> str:
    return os.path.join(SPECIFICATION, name)


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Array]:
    inputs = {path_of(name): inputs_of(example) for name, example in EXAMPLES.items()}
    return run(tmp_path_factory.mktemp("specification"), inputs)


@needs_openvino
@pytest.mark.parametrize("name", EXAMPLES)
def test_openvino_computes_what_the_specification_prints(
    name: str, results: dict[str, Array]
) -> None:
    expected, got = EXAMPLES[name]["output"], results[f"{path_of(name)}:0"]
    if isinstance(expected, dict):
        assert list(got.shape) == expected["shape"]
        assert (
            hashlib.sha256(got.astype("<f4").tobytes()).hexdigest()
            == expected["sha256"]
        )
    else:
        assert got.tolist() == expected


def test_every_file_has_its_example() -> None:
    files = {name for name in os.listdir(SPECIFICATION) if name.endswith(".xml")}
    assert files == set(EXAMPLES)


@pytest.mark.parametrize("name", EXAMPLES)
def test_the_example_says_what_the_file_says(name: str) -> None:
    example = EXAMPLES[name]
    with open(path_of(name), encoding="utf-8") as xml:
        text = xml.read()
    assert f'type="{example["type"]}" version="{example["version"]}"' in text
    if "batch_dims" in example:
        assert f'<data batch_dims="{example["batch_dims"]}" />' in text
    if example["type"] == "GatherElements":
        assert f'<data axis="{example["axis"]}" />' in text
    weights = path_of(name)[:-4] + ".bin"
    stored = constants_of(example)
    if stored:
        with open(weights, "rb") as bin_file:
            assert bin_file.read() == b"".join(value.tobytes() for value in stored)
    else:
        assert not os.path.exists(weights)


def constants_of(example: dict[str, Any]) -> list[Array]:
    types = example["element_types"]
    stored = [
        tensor(example["inputs"][name], DTYPES[types[name]])
        for name in example["constant"]
    ]
    if example["type"] == "Gather":
        stored.append(np.array(example["axis"], np.int64))
    return stored


def test_the_snippets_are_as_the_pages_print_them() -> None:
    def snippet(name: str) -> str:
        with open(os.path.join(SAMPLES, "snippets", name), encoding="utf-8") as text:
            return text.read()

    assert "<data axis=1 />\n" in snippet("gather_elements_6_first_text.txt")
    assert snippet("gather_elements_6.txt").startswith(
        '<... type="GatherElements" ...>\n<data axis="1" />\n'
    )
    assert '<port id="2"/>   <!--  axis = 1  -->\n' in snippet("gather_8.txt")
    assert all(
        snippet(name).endswith("</layer>\n")
        for name in os.listdir(os.path.join(SAMPLES, "snippets"))
    )


SENTENCES = np.array([[1, 2, 3, 4, 5, 6], [9, 8, 7, 0, 1, 2]], np.int64)
DATA = np.arange(12, dtype=np.float32).reshape(4, 3)
PICKS = np.array([[3, 0, 1], [2, 2, 2], [0, 1, 3], [0, 3, 1]], np.int64)
ROWS = np.array(
    [[0, 1, 2, 0], [2, 2, 2, 2], [1, 0, 1, 0], [0, 0, 0, 0], [1, 2, 0, 1]], np.int64
)
DEMO_INPUTS: dict[str, dict[str, Array]] = {
    "good.xml": {"token_ids": SENTENCES},
    "nested.xml": {"data": DATA, "indices": PICKS},
    "tensor_iterator.xml": {"data": DATA.reshape(3, 4), "indices": ROWS},
}


@needs_openvino
def test_the_demo_models_run(tmp_path: Any) -> None:
    inputs = {os.path.join(DEMO, name): values for name, values in DEMO_INPUTS.items()}
    got = {
        os.path.relpath(key, DEMO): value
        for key, value in run(tmp_path, inputs).items()
    }
    column = got["good.xml:1"]
    assert column.shape == (2, 6, 1)
    assert (np.diff(column[:, :, 0]) <= 0).all()
    assert (np.sort(got["good.xml:0"]) == np.sort(SENTENCES)).all()
    turned = np.take_along_axis(DATA, PICKS, 0)[::-1]
    assert (got["nested.xml:0"] == np.take_along_axis(turned, PICKS, 0)).all()
    assert (
        got["tensor_iterator.xml:0"] == np.take_along_axis(DATA.reshape(3, 4), ROWS, 0)
    ).all()


@needs_openvino
def test_openvino_refuses_the_broken_demo_without_saying_where() -> None:
    code = "import openvino, sys; openvino.Core().read_model(sys.argv[1])"
    child = forked.run(
        [sys.executable, "-c", code, os.path.join(DEMO, "broken.xml")], b"", timeout=120
    )
    assert child.returncode == 1
    assert b"Incorrect weights in bin file!" in child.stderr
    assert b"score_weights" not in child.stderr
