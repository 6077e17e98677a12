"""The element types against what OpenVINO reads and writes."""

from __future__ import annotations

import pickle
import subprocess
import sys

import numpy
import pytest
from paths import ROOT

from ovgather.tensor import element_type
from ovgather.tensor.element_type import ALL, find, find_data, from_port, of_dtype


def test_names_are_unique() -> None:
    assert (
        len({item.name for item in ALL})
        == len({item.port for item in ALL})
        == len(ALL)
        == 26
    )


@pytest.mark.parametrize("item", ALL, ids=str)
def test_each_spelling_finds_it(item: element_type.ElementType) -> None:
    assert find(item.name) is find(item.name.upper()) is find_data(item.name) is item
    assert from_port(item.port) is from_port(item.name) is item
    assert pickle.loads(pickle.dumps(item)) is item


@pytest.mark.parametrize(
    "text",
    [
        "FP32",
        "BOOL",
        "float32",
        "float",
        "int32",
        "bin",
        "unspecified",
        " f32",
        "f32 ",
        "",
    ],
)
def test_not_read_in_data(text: str) -> None:
    assert find_data(text) is None


@pytest.mark.parametrize(
    "text",
    [
        "F32",
        "fp32",
        "BOOLEAN",
        "DYNAMIC",
        "UNDEFINED",
        "MIXED",
        "float32",
        "bool",
        "I64 ",
        "Bf16",
        "",
    ],
)
def test_not_read_on_ports(text: str) -> None:
    assert from_port(text) is None


def test_other_spellings() -> None:
    assert [
        item and item.name
        for item in map(from_port, ("BIN", "U1", "bin", "undefined", "UNSPECIFIED"))
    ] == [
        "u1",
        "u1",
        "u1",
        "dynamic",
        "dynamic",
    ]
    assert str(find_data("Undefined")) == "dynamic"


@pytest.mark.parametrize("item", [item for item in ALL if item.bits], ids=str)
def test_dtype(item: element_type.ElementType) -> None:
    assert (
        item.dtype == object
        if item.name == "string"
        else item.dtype.itemsize == max(item.bits, 8) // 8
    )
    back = of_dtype(item.dtype)
    assert back is item or (
        item.name in ("u1", "u3", "u6", "nf4") and str(back) == "u8"
    )


def test_dynamic_has_no_dtype() -> None:
    with pytest.raises(ValueError, match="dynamic has no dtype"):
        _ = ALL[0].dtype


@pytest.mark.parametrize(
    ("dtype", "name"),
    [
        (">i8", "i64"),
        ("U5", "string"),
        ("S5", "string"),
        (object, "string"),
        (bool, "boolean"),
        ("u1", "u8"),
    ],
)
def test_of_dtype(dtype: object, name: str) -> None:
    assert str(of_dtype(numpy.dtype(dtype))) == name  # type: ignore[call-overload]


@pytest.mark.parametrize(
    "dtype", ["c8", "c16", "g", "M8[s]", "m8[s]", "V3", [("a", "i4")]]
)
def test_of_dtype_that_openvino_lacks(dtype: object) -> None:
    if numpy.dtype(dtype) != numpy.float64:  # type: ignore[call-overload]
        assert of_dtype(numpy.dtype(dtype)) is None  # type: ignore[call-overload]


def test_integers() -> None:
    integral = [item.name for item in ALL if item.is_integral]
    assert integral == [
        "i4",
        "i8",
        "i16",
        "i32",
        "i64",
        "u1",
        "u2",
        "u3",
        "u4",
        "u6",
        "u8",
        "u16",
        "u32",
        "u64",
    ]
    assert [item.name for item in ALL if item.is_real] == [
        "bf16",
        "f16",
        "f32",
        "f64",
        "nf4",
        "f8e4m3",
        "f8e5m2",
        "f8e8m0",
        "f4e2m1",
    ]


def test_importing_costs_no_numpy() -> None:
    code = "import sys, ovgather.ops.api_evaluate; print({'numpy', 'ml_dtypes', 'dataclasses'} & {*sys.modules})"
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        check=True,
        cwd=ROOT,
    )
    assert done.stdout.strip() == "set()"
