"""OpenVINO builds only what leads to a Result: the same defects in a layer that leads nowhere.

Each bad sample is changed so that its Result takes a Parameter of its own; what OpenVINO then makes of the file is
held against the findings.
"""

from __future__ import annotations

import os
import re
import shutil
from pathlib import Path

import pytest
from openvino_verdicts import requires_openvino, verdicts
from test_samples import BAD, path_of

from ovgather.validation.api import validate

ALIVE = (
    '<layer id="90" name="alive" type="Parameter" version="opset1"><data shape="1" element_type="f32"/>'
    '<output><port id="0" precision="FP32"><dim>1</dim></port></output></layer>'
)
# These speak of no layer: what an entity or a missing .bin spoils is not looked for.
OF_THE_FILE = {"OVG006", "OVG008"}


def cut_off(text: str) -> str | None:
    """``text`` with another source for its Result; None when there is no Result, or an Assign besides."""
    result = re.search(r'<layer id="(\d+)" name="result"', text)
    if result is None or 'type="Assign"' in text:
        return None
    text = text.replace("</layers>", ALIVE + "</layers>", 1)
    edge = (
        rf'<edge from-layer="\d+" from-port="\d+" to-layer="{result[1]}" to-port="0"/>'
    )
    return re.sub(
        edge,
        f'<edge from-layer="90" from-port="0" to-layer="{result[1]}" to-port="0"/>',
        text,
    )


def write_all(samples: list[str], folder: Path) -> dict[str, str]:
    """The samples cut off, in ``folder``: path by sample."""
    written = {}
    for sample in samples:
        with open(path_of(sample), encoding="utf-8", errors="surrogateescape") as file:
            text = cut_off(file.read())
        if text is None or os.path.dirname(sample) in OF_THE_FILE:
            continue
        path = folder / sample.replace(os.sep, "_")
        path.write_text(text, encoding="utf-8", errors="surrogateescape")
        weights = Path(path_of(sample)).with_suffix(".bin")
        if weights.exists():
            shutil.copy(weights, path.with_suffix(".bin"))
        written[sample] = str(path)
    return written


FIRST = [sample for sample in BAD if os.path.basename(sample) == "bad.xml"]


@pytest.mark.slow
@requires_openvino
@pytest.mark.parametrize(
    "samples",
    [FIRST, [sample for sample in BAD if sample not in FIRST]],
    ids=["first of each rule", "others"],
)
def test_what_is_not_built_is_not_rejected(samples: list[str], tmp_path: Path) -> None:
    written = write_all(samples, tmp_path)
    claimed = {
        path: {finding.openvino for finding in validate(path)}
        for path in written.values()
    }
    found = verdicts(list(claimed), last="read")
    found |= verdicts(
        [
            path
            for path, claims in claimed.items()
            if "rejects" in claims and not found[path].stage
        ]
    )
    assert len(written) > 40
    wrong = {}
    for sample, path in written.items():
        claims = claimed[path]
        stopped = (
            bool(found[path].stage) if "rejects" in claims else not found[path].read
        )
        if ("rejects" in claims) != stopped or "crashes" in claims:
            wrong[sample] = (claims, found[path])
    assert wrong == {}


@pytest.mark.parametrize(
    ("sample", "message"),
    [("OVG104/bad.xml", "axis 3"), ("OVG107/bad.xml", "opset5 has no")],
)
def test_the_finding_says_so(sample: str, message: str, tmp_path: Path) -> None:
    with open(path_of(sample), encoding="utf-8") as file:
        text = cut_off(file.read())
    assert text is not None
    found = [
        finding for finding in validate(text.encode()) if finding.code == sample[:6]
    ]
    assert [finding.openvino for finding in found] == ["accepts"]
    assert found[0].message.startswith(message)
    assert found[0].effect == "passes over it: the layer leads to no Result"
