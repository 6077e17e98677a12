"""The table of opsets, checked against itself and, by sample, against the installed runtime."""

from __future__ import annotations

import importlib.util
import json
import os
import random
import subprocess
import sys
from importlib.resources import files

import pytest

from ovgather.ir import opsets
from ovgather.ops import declared

MEASURE = os.path.join(os.path.dirname(__file__), "measure_opsets.py")
FAMILY = {
    "Gather": [f"opset{n}" for n in range(1, 17)],
    "GatherElements": [f"opset{n}" for n in range(6, 17)],
    "GatherND": [f"opset{n}" for n in range(5, 17)],
}


@pytest.mark.parametrize("type_", FAMILY)
def test_where_the_family_stands(type_: str) -> None:
    assert list(opsets.where(type_)) == FAMILY[type_]
    assert opsets.known(type_, "opset17") is False


def test_every_declared_type_is_in_an_opset() -> None:
    families = json.loads((files(declared) / "index.json").read_text("utf-8"))
    types = {type for types in families.values() for type in types}
    assert types <= {name.lower() for name in opsets.types()}


@pytest.mark.parametrize(
    "opset",
    ["extension", "experimental", "", "opset0", "opset18", "OPSET8", "8", "opset08"],
)
def test_an_opset_the_runtime_lacks_is_unknown(opset: str) -> None:
    assert opsets.known("Gather", opset) is None


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("gatherelements", "GatherElements"),
        ("Gather_Elements", "GatherElements"),
        ("Gathers", "Gather"),
        ("Gather ", "Gather"),
        ("GatherNd", "GatherND"),
        ("Constant", "Const"),
        ("const", "Const"),
        ("Relu", "ReLU"),
        ("SoftMaxx", "SoftMax"),
        ("", None),
        ("Quux", None),
        ("x" * 1_000_000, None),
    ],
)
def test_nearest(written: str, meant: str | None) -> None:
    assert opsets.nearest(written) == meant


def test_case_is_ignored_where_the_runtime_ignores_it() -> None:
    assert opsets.known("GATHER", "opset8") is True
    assert opsets.known("const", "opset1") is False
    assert opsets.known("MVN", "opset1") is True
    assert opsets.known("mvn", "opset1") is False
    assert opsets.known("mvn", "opset2") is True


def test_types_of_early_files_outside_the_opsets() -> None:
    assert opsets.known("ExperimentalDetectronDetectionOutput", "experimental") is True
    assert opsets.known("GatherElements", "experimental") is None


def test_every_type_stands_in_an_opset() -> None:
    assert all(opsets.where(type_) for type_ in opsets.types())
    assert opsets.opsets() == {f"opset{n}" for n in range(1, 18)}


@pytest.mark.slow
@pytest.mark.skipif(
    importlib.util.find_spec("openvino") is None, reason="openvino is not installed"
)
def test_a_sample_agrees_with_the_installed_runtime() -> None:
    names = sorted(opsets.types())
    everything = [
        (name, f"opset{n}")
        for name in [*names, *map(str.lower, names)]
        for n in range(1, 18)
    ]
    pairs = random.Random(6).sample(everything, 400)
    pairs += [
        (name, f"opset{n}")
        for name in (*FAMILY, "Bogus", "Constan", "mvn")
        for n in range(1, 19)
    ]
    pairs += [
        (name, version) for name in names for version in ("extension", "experimental")
    ]
    # These die without inputs, and a new child for each would take long.
    pairs = [
        pair
        for pair in pairs
        if pair[0].casefold() not in {"assign", "readvalue", "broadcast", "maxpool"}
    ]
    child = subprocess.run(
        [sys.executable, MEASURE, "--work"],
        input="\n".join(" ".join(pair) for pair in pairs),
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
    )
    meaning = {"present": True, "absent": False, "no-opset": None}
    measured = dict(
        zip(pairs, (meaning[word] for word in child.stdout.split()), strict=True)
    )
    assert {pair: opsets.known(*pair) for pair in pairs} == measured
