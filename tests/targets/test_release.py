"""The tables of releases: what was measured stands in docs/releases.json, and the two agree."""

from __future__ import annotations

import json
from typing import Any

import pytest
from paths import ROOT

from ovgather.errors import ConfigurationError
from ovgather.ir.opsets import opsets
from ovgather.targets.device import devices, find_device
from ovgather.targets.owners import owner
from ovgather.targets.release import (
    Release,
    newest,
    parse,
    reading,
    readings,
    releases,
)

IR_VERSIONS, OPSETS, ELEMENT_TYPES = map(
    readings, ("ir_versions", "opsets", "element_types")
)
MEASURED = json.loads((ROOT / "docs" / "releases.json").read_text(encoding="utf-8"))


def reads(table: dict[str, Any], name: str, release: Release) -> bool | None:
    """Whether ``release`` was seen to read it; None: it was not tried."""
    wanted = f"{release.year}.{release.number}."
    order = MEASURED["releases"]
    tried = next(
        (place for place, version in enumerate(order) if version.startswith(wanted)),
        None,
    )
    if tried is None or name not in table:
        return None
    spans = [
        (what, order.index(first), order.index(last))
        for what, first, last in table[name]
    ]
    return any(first <= tried <= last and what == "read" for what, first, last in spans)


@pytest.mark.parametrize("release", releases(), ids=str)
def test_what_was_measured(release: Release) -> None:
    tables = (
        (MEASURED["ir_versions"], [(version.name, version) for version in IR_VERSIONS]),
        (
            MEASURED["opsets"],
            [
                (f"Gather {opset.name}", opset)
                for opset in OPSETS
                if opset.name != "opset17"
            ],
        ),
        (MEASURED["element_types"], [(kind.name, kind) for kind in ELEMENT_TYPES]),
    )
    for measured, data in tables:
        for name, datum in data:
            seen = reads(measured, name, release)
            assert seen in (None, datum.read_by(release)), (name, str(release))


def test_every_opset_has_its_release() -> None:
    assert {opset.name for opset in OPSETS} == set(opsets())
    assert [opset.since for opset in OPSETS] == sorted(opset.since for opset in OPSETS)


def test_every_datum_has_a_source() -> None:
    for datum in (*IR_VERSIONS, *OPSETS, *ELEMENT_TYPES):
        assert datum.source


@pytest.mark.parametrize(
    "text",
    ["2021", "2021.9", "2018.5", "", "2021.4; rm", "20214", "2030.1", "２０２１.4"],
)
def test_no_release(text: str) -> None:
    with pytest.raises(ConfigurationError, match="--target: "):
        parse(text)


@pytest.mark.parametrize(
    ("text", "release"),
    [("2019 R3", "2019 R3"), (" 2024.0.0 ", "2024.0"), ("2021.4.752", "2021.4")],
)
def test_a_release(text: str, release: str) -> None:
    assert str(parse(text)) == release


def test_the_newest_opset_of_each_release() -> None:
    assert [newest("opsets", release) for release in releases()[:9]] == [
        *[None] * 3,
        *["opset1", "opset2", "opset2", "opset3"],
        *["opset4", "opset5"],
    ]


def test_devices_have_sources_and_their_names() -> None:
    for each in devices():
        facts = [
            each.static_shapes,
            each.bounded_shapes,
            each.negative_tuples,
            each.static_rank,
            each.negative_axis,
            each.out_of_range,
            each.one_index,
        ]
        facts += [since.fact for _, since in each.operations]
        facts += [each.last[1]] if each.last is not None else []
        assert all(fact.source and fact.basis for fact in facts if fact is not None)
        assert any(facts)
        assert find_device(each.name.upper()) is each
        assert all(find_device(alias) is each for alias in each.aliases)


def test_no_device() -> None:
    with pytest.raises(
        ConfigurationError,
        match="--device: no device is called 'TPU'; known are CPU, CUDA, ",
    ):
        find_device("TPU")


def test_owners() -> None:
    found = owner("PagedAttentionExtension", "extension")
    assert found is not None
    assert "OpenVINO itself" in found.name
    assert owner("Gather", "opset99") is None
    assert reading("opset99") is None
