"""Measures what releases of OpenVINO do with the hazards that ovgather tells of, and writes ``docs/releases.json``.

Each release is given as the Python interpreter of an environment that has it (and numpy: no more is needed)::

    python tests/releases/measure_releases.py measure measured.jsonl 2024.6/bin/python 2025.4/bin/python
    python tests/releases/measure_releases.py merge measured.jsonl
    python tools/generate_releases.py

``measure`` appends a line of JSON for each release and hazard, in two minutes or so a release; one that the file has
already is left out. ``merge`` adds any number of such files to what is known; what is measured again is replaced. All
that OpenVINO is asked runs in child processes.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import subprocess
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any
from unittest import mock

import hazards as known
from hazards import ROOT, File
from openvino_verdicts import Verdict, verdicts
from small_models import net, parameter, result

from ovgather import crosscheck
from ovgather.comparison.verdict import known_deviations as departing
from ovgather.ops import openvino as ops
from ovgather.tensor.element_type import ALL

TARGET = ROOT / "docs" / "releases.json"
OPERATIONS = ROOT / "ovgather" / "targets" / "onnx_operations.json"
WORKER = "import sys; sys.path.append({!r}); from ovgather.runtimes.worker import main; main()"
OUTCOMES = ("dies", "wrong", "refused", "runs", "right")
"""The worst first: a hazard is what its worst run is."""
IR_VERSIONS = range(9, 13)
OPSETS = range(1, 19)
FAMILY = ("Gather", "GatherElements", "GatherND")
NOT_MEASURED = "not measured"
_SHORT = 512
"""Up to 2024.4 no file is read that has no more bytes."""
SECTIONS = (
    "hazards",
    "samples",
    "deviations",
    "element_types",
    "ir_versions",
    "opsets",
    "onnx_operations",
)
NO_CONVERSION = re.compile(
    r"does not support the following ONNX operations|No conversion rule found for operations: (?!util::)"
)
"""What is called ``util::`` was converted to a helper, which goes if the nodes around it are there."""

Line = dict[str, Any]


def measure(
    python: str, done: set[tuple[str, str]], wanted: Iterable[str] = SECTIONS
) -> Iterator[Line]:
    """The lines of one release: the ``wanted`` sections, but for those that are ``done``."""
    asked = "import openvino; print(openvino.__version__)"
    build = subprocess.run(
        [python, "-c", asked], stdout=subprocess.PIPE, text=True, check=True
    ).stdout.split()[-1]
    release = build.split("-")[0]
    with tempfile.TemporaryDirectory() as folder:
        sections = (
            hazards,
            samples,
            deviations,
            element_types,
            ir_versions,
            opsets,
            onnx_operations,
        )
        for section, ask in zip(SECTIONS, sections, strict=True):
            if section not in wanted or (release, section) in done:
                continue
            for name, outcome, how in ask(python, Path(folder)):
                yield {
                    "openvino": release,
                    "section": section,
                    "name": name,
                    "outcome": outcome,
                    "how": how,
                }


Answer = tuple[str, str, "dict[str, int]"]
"""A name, the outcome, and how often what came."""


def hazards(python: str, folder: Path) -> Iterator[Answer]:
    """What comes of each hazard; of what depends on what lies in memory, each run in a process of its own."""
    files = {
        (hazard.key, number): str(
            file.path or _write(folder / f"{hazard.key}-{number}.xml", file)
        )
        for hazard in known.HAZARDS
        for number, file in enumerate(hazard.files)
    }
    steady = [
        files[hazard.key, number]
        for hazard in known.HAZARDS
        if hazard.runs == 1
        for number, _ in enumerate(hazard.files)
    ]
    found = verdicts(steady, python=python)
    for hazard in known.HAZARDS:
        seen: Counter[str] = Counter()
        for number, file in enumerate(hazard.files):
            path = files[hazard.key, number]
            judged = [
                found[path] if path in found else verdicts([path], python=python)[path]
                for _ in range(hazard.runs)
            ]
            seen.update(_outcome(verdict, file.want) for verdict in judged)
        for name in hazard.folders:
            copy = _in_its_first_opset(known.FINDINGS / name, folder)
            seen.update(_reproduced(python, copy) for _ in range(hazard.runs))
        yield hazard.key, _worst(seen), dict(seen)


def _worst(seen: Counter[str]) -> str:
    """The worst of what was seen; where that was at different stages, the most frequent."""
    words = [each.partition(":")[0] for each in seen.elements()]
    worst = next(
        kind for kind in OUTCOMES if any(word.startswith(kind) for word in words)
    )
    return Counter(word for word in words if word.startswith(worst)).most_common(1)[0][
        0
    ]


def _write(path: Path, file: File) -> Path:
    path.write_text(
        file.text.replace("</net>", " " * _SHORT + "</net>"), encoding="utf-8"
    )
    if file.weights:
        path.with_suffix(".bin").write_bytes(file.weights)
    return path


def _outcome(verdict: Verdict, want: tuple[float, ...] | None) -> str:
    if verdict.stage:
        kind = "dies" if verdict.crash else "refused"
        return f"{kind} in {verdict.stage}: {_first_words(verdict.error)}"
    return "runs" if want is None else "right" if verdict.values == want else "wrong"


def _first_words(error: str) -> str:
    """What was said, without the places in OpenVINO's sources, which come first."""
    said = re.sub(r"Exception from \S+:\d+:", "", error)
    return " ".join(said.split())[:100]


def _reproduced(python: str, folder: Path) -> str:
    own = folder / "reproduce.py"
    script = own if own.exists() else known.FINDINGS / "reproduce.py"
    done = subprocess.run(
        [python, str(script), str(folder)], capture_output=True, text=True, timeout=120
    )
    said = next(
        (
            line
            for line in done.stdout.splitlines()
            if line.startswith(("CRASH", "ERROR", "MISMATCH"))
        ),
        "",
    )
    place, _, words = said.partition(" in ")[2].partition(": ")
    stage = next(
        (stage for stage in ("read", "compile", "infer") if place.startswith(stage)),
        "the end",
    )
    if said.startswith("CRASH"):
        return f"dies in {stage}: {words.split()[0]}"
    if said.startswith("ERROR"):
        return f"refused in {stage}: {_first_words(words)}"
    if "Traceback" in done.stderr:
        return f"refused in infer: {done.stderr.splitlines()[-1][:100]}"
    return "wrong" if done.returncode else "right"


def _in_its_first_opset(finding: Path, folder: Path) -> Path:
    """A copy of a reproducer, its layer in the first opset that has the operation, which all releases read."""

    def first(found: re.Match[str]) -> str:
        operation = ops.find(found[1], found[2])
        return (
            f'type="{found[1]}" version="{operation.opsets[0]}"'
            if operation
            else found[0]
        )

    copy = folder / finding.name
    shutil.copytree(finding, copy)
    for model in copy.glob("model.xml"):
        text = model.read_text(encoding="utf-8")
        model.write_text(
            re.sub(r'type="(\w+)" version="(\w+)"', first, text), encoding="utf-8"
        )
    return copy


def samples(python: str, folder: Path) -> Iterator[Answer]:
    """How far each sample of the rules comes."""
    paths = {
        str(path): path.relative_to(known.SAMPLES).as_posix()[:-4]
        for path in known.SAMPLES.rglob("*.xml")
    }
    for path, verdict in verdicts(sorted(paths), timeout=600, python=python).items():
        yield paths[path], _outcome(verdict, None).partition(":")[0], {}


def deviations(python: str, folder: Path) -> Iterator[Answer]:
    """By what the cross-check explains the cases that its deviations are tested with, on this release."""
    from test_crosscheck_known import ALSO, DEPARTING

    start = [python, "-c", WORKER.format(str(ROOT))]
    for name, ((text, weights), inputs) in {**DEPARTING, **ALSO}.items():
        with mock.patch.object(departing, "is_measured", return_value=True):
            (record,) = crosscheck(
                text, weights=weights, inputs=inputs, mode="in-place", start=start
            ).records
        yield name, " ".join(filter(None, (record.verdict, record.cause))), {}


def element_types(python: str, folder: Path) -> Iterator[Answer]:
    """Whether a Parameter may have each element type."""
    files = {
        kind.name: File(
            text=net(
                parameter(0, "4", kind.name, f"{kind.port} 4"),
                result(1, f"{kind.port} 4"),
                edges="0:0-1:0",
            )
        )
        for kind in ALL
    }
    yield from _read(python, folder, files)


def ir_versions(python: str, folder: Path) -> Iterator[Answer]:
    """Which versions of IR are read."""
    layers = (parameter(0, "4", "f32", "FP32 4"), result(1, "FP32 4"))
    texts = {str(n): net(*layers, edges="0:0-1:0", version=str(n)) for n in IR_VERSIONS}
    yield from _read(
        python, folder, {name: File(text=text) for name, text in texts.items()}
    )


def _read(python: str, folder: Path, files: dict[str, File]) -> Iterator[Answer]:
    paths = {
        str(_write(folder / f"{name}.xml", file)): name for name, file in files.items()
    }
    for path, verdict in verdicts(list(paths), python=python).items():
        yield paths[path], "read" if verdict.read else "not read", {}


def opsets(python: str, folder: Path) -> Iterator[Answer]:
    """Where the family stands."""
    files = {
        f"{type} opset{n}": known.plain(type, f"opset{n}")
        for type in FAMILY
        for n in OPSETS
    }
    yield from _read(python, folder, files)


def onnx_operations(python: str, folder: Path) -> Iterator[Answer]:
    """Which operations of ONNX are converted: those of onnx, and what the table knows of other domains."""
    from onnx import defs

    own = {
        schema.name
        for schema in defs.get_all_schemas_with_history()
        if schema.domain == ""
    }
    names = sorted(own | set(json.loads(OPERATIONS.read_text(encoding="utf-8"))))
    paths = {str(_write_onnx(folder / f"{name}.onnx", name)): name for name in names}
    for path, verdict in verdicts(list(paths), python=python, last="read").items():
        yield (
            paths[path],
            "not converted" if NO_CONVERSION.search(verdict.error) else "converted",
            {},
        )


def _write_onnx(path: Path, name: str) -> Path:
    """A model of one node, which may lack attributes: what it refuses otherwise, it converts."""
    from onnx import TensorProto, helper

    domain, _, type = name.rpartition(".")
    node = helper.make_node(type, ["x", "x"], ["y"], domain=domain)
    x, y = (
        helper.make_tensor_value_info(each, TensorProto.FLOAT, [2, 2]) for each in "xy"
    )
    imports = [
        helper.make_opsetid("", 23),
        *([helper.make_opsetid(domain, 1)] if domain else []),
    ]
    model = helper.make_model(
        helper.make_graph([node], "one", [x], [y]), opset_imports=imports, ir_version=8
    )
    path.write_bytes(model.SerializeToString())
    return path


def merge(lines: Iterable[Line]) -> dict[str, Any]:
    """All lines as one table: for each name its outcomes, each with the first and the last release of a range."""
    found: dict[str, dict[str, dict[str, str]]] = {section: {} for section in SECTIONS}
    for line in lines:
        found[line["section"]].setdefault(line["name"], {})[line["openvino"]] = line[
            "outcome"
        ]
    releases = sorted(
        {each for table in found.values() for row in table.values() for each in row},
        key=_numbers,
    )
    table: dict[str, Any] = {"releases": releases}
    for section, rows in found.items():
        table[section] = {name: _ranges(row, releases) for name, row in rows.items()}
    table["samples"] = dict(sorted(table["samples"].items()))
    table["hazards"] = {
        hazard.key: {
            "rule": hazard.rule,
            "what": hazard.title,
            "told": hazard.told,
            "seen": table["hazards"][hazard.key],
        }
        for hazard in known.HAZARDS
    }
    return table


def _ranges(row: dict[str, str], releases: list[str]) -> list[list[str]]:
    ranges: list[list[str]] = []
    for release in releases:
        outcome = row.get(release, NOT_MEASURED)
        if ranges and ranges[-1][0] == outcome:
            ranges[-1][2] = release
        else:
            ranges.append([outcome, release, release])
    return ranges


def lines_of(table: dict[str, Any]) -> Iterator[Line]:
    """The lines that a table was made of."""
    releases = table["releases"]
    for section in SECTIONS:
        for name, row in table.get(section, {}).items():
            for outcome, first, last in row["seen"] if section == "hazards" else row:
                for release in releases[
                    releases.index(first) : releases.index(last) + 1
                ]:
                    if outcome != NOT_MEASURED:
                        yield {
                            "openvino": release,
                            "section": section,
                            "name": name,
                            "outcome": outcome,
                        }


def _numbers(release: str) -> list[int]:
    return [int(part) for part in release.split(".")]


def _lines(paths: Iterable[str]) -> Iterator[Line]:
    for path in paths:
        with open(path, encoding="utf-8") as file:
            yield from map(json.loads, file)


def _write_table(table: dict[str, Any]) -> None:
    """One name a line."""
    parts = []
    for key, value in table.items():
        if isinstance(value, dict):
            rows = ",\n".join(
                f"  {json.dumps(name)}: {json.dumps(ranges)}"
                for name, ranges in value.items()
            )
            parts.append(f" {json.dumps(key)}: {{\n{rows}\n }}")
        else:
            parts.append(f" {json.dumps(key)}: {json.dumps(value)}")
    TARGET.write_text(
        "{\n" + ",\n".join(parts) + "\n}\n", encoding="utf-8", newline="\n"
    )


def main() -> None:
    parser = argparse.ArgumentParser(
        description="Measures what releases of OpenVINO do with known hazards."
    )
    commands = parser.add_subparsers(dest="command", required=True)
    command = commands.add_parser(
        "measure", help="append what some releases do to a file of JSON lines"
    )
    command.add_argument("file")
    command.add_argument(
        "--section",
        action="append",
        choices=SECTIONS,
        help="only this; may be repeated",
    )
    command.add_argument(
        "python",
        nargs="+",
        help="the interpreter of an environment with openvino and numpy",
    )
    command = commands.add_parser(
        "merge", help=f"make {TARGET.relative_to(ROOT)} out of such files"
    )
    command.add_argument("files", nargs="+", metavar="file")
    given = parser.parse_args()
    if given.command == "merge":
        known_before = (
            json.loads(TARGET.read_text(encoding="utf-8")) if TARGET.exists() else None
        )
        before = lines_of(known_before) if known_before else ()
        return _write_table(merge([*before, *_lines(given.files)]))
    # else OpenVINO's import forks a process that tells Intel of it
    os.environ["JENKINS_URL"] = "none"
    done = set()
    if os.path.exists(given.file):
        done = {(line["openvino"], line["section"]) for line in _lines([given.file])}
    for python in given.python:
        lines = [
            json.dumps(line) + "\n"
            for line in measure(python, done, given.section or SECTIONS)
        ]
        with open(given.file, "a", encoding="utf-8") as out:
            out.writelines(lines)
    return None


if __name__ == "__main__":
    main()
