"""Measures which type the installed OpenVINO has in which opset, and writes ``ovgather/ir/opsets.json``.

Run by hand when a new runtime is to be supported (two to four minutes)::

    python tests/ir/measure_opsets.py

Candidates are every word inside the runtime's library, so nothing depends on a list kept by hand. Each is
put, with each opset, into a one-layer IR: the runtime says that the opset "doesn't contain the operation with
type" or stumbles later. Some types kill the process when they have no inputs; that, too, is an opset that has
the type.
"""

from __future__ import annotations

import argparse
import importlib
import json
import os
import re
import subprocess
import sys
from collections.abc import Iterable, Iterator

REPOSITORY = os.path.dirname(
    os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
)
TABLE = os.path.join(REPOSITORY, "ovgather", "ir", "opsets.json")
HIGHEST_OPSET = 40  # asked for as well, to see where the runtime stops
# No opsets, but a few types of early files load from there.
ELSEWHERE = (
    "extension",
    "experimental",
)
ABSENT = "doesn't contain the operation with type"
UNSUPPORTED = "from unsupported opset"
# What OpenVINO writes into a file where that is not the name of the operation's class.
WRITTEN = {"Constant": "Const", "Relu": "ReLU", "PRelu": "PReLU", "Softmax": "SoftMax"}
ONE_LAYER = """<net name="m" version="11"><layers>
<layer id="0" name="x" type="{type}" version="{opset}"><output>
<port id="0" precision="FP32"/></output></layer>
<layer id="1" name="r" type="Result" version="opset1"><input><port id="0"/></input></layer>
</layers><edges><edge from-layer="0" from-port="0" to-layer="1" to-port="0"/></edges></net>"""

Pair = tuple[str, str]


def work() -> None:
    """The child: reads ``type opset`` lines, answers ``present``, ``absent`` or ``no-opset``."""
    core = importlib.import_module("openvino").Core()
    for line in sys.stdin:
        type_, opset = line.split()
        message = ""
        try:
            core.read_model(ONE_LAYER.format(type=type_, opset=opset).encode(), b"")
        except RuntimeError as error:
            message = str(error)
        answer = (
            "absent"
            if ABSENT in message
            else "no-opset"
            if UNSUPPORTED in message
            else "present"
        )
        print(answer, flush=True)


def probe(pairs: Iterable[Pair]) -> dict[Pair, str]:
    """Asks the runtime about each pair; one that a child dies of is ``present``."""
    waiting = list(pairs)
    answers: dict[Pair, str] = {}
    while waiting:
        child = subprocess.run(
            [sys.executable, os.path.abspath(__file__), "--work"],
            input="\n".join(" ".join(pair) for pair in waiting),
            stdout=subprocess.PIPE,
            text=True,
            check=False,
        )
        said = child.stdout.split()
        answers.update(zip(waiting, said, strict=False))
        waiting = waiting[len(said) :]
        if waiting:
            if child.returncode >= 0:
                raise RuntimeError(
                    f"the child gave up with exit code {child.returncode} at {waiting[0]}"
                )
            answers[waiting.pop(0)] = "present"
    return answers


def words(runtime: str) -> set[str]:
    """Every name-like word in the runtime's core library."""
    folder = os.path.join(runtime, "libs")
    names = [
        name
        for name in os.listdir(folder)
        if re.match(r"(lib)?openvino\.(so|dll|[0-9.]*dylib)", name)
    ]
    with open(os.path.join(folder, names[0]), "rb") as library:
        found = re.findall(rb"(?<![\w.])[A-Za-z]\w{1,60}\x00", library.read())
    return {word[:-1].decode() for word in found}


def declared(runtime: str) -> Iterator[str]:
    """The names of operation classes as the runtime's headers spell them."""
    for folder, _, files in os.walk(os.path.join(runtime, "include", "openvino", "op")):
        for file in files:
            with open(os.path.join(folder, file), encoding="utf-8") as header:
                yield from re.findall(r'OPENVINO_OP\("(\w+)"', header.read())


def ranges(opsets: Iterable[int]) -> list[list[int]]:
    """Sorted numbers as closed ranges: 1, 3, 4, 5 is [[1, 1], [3, 5]]."""
    found: list[list[int]] = []
    for number in sorted(opsets):
        if found and found[-1][1] == number - 1:
            found[-1][1] = number
        else:
            found.append([number, number])
    return found


def present(pairs: Iterable[Pair]) -> set[Pair]:
    """Those of the pairs that the runtime has."""
    return {pair for pair, answer in probe(pairs).items() if answer == "present"}


def measure(runtime: str, build: str) -> dict[str, object]:
    """The whole table, in the form of the JSON file."""
    asked = [("Gather", f"opset{n}") for n in range(1, HIGHEST_OPSET)]
    numbers = [
        n for n, answer in enumerate(probe(asked).values(), 1) if answer != "no-opset"
    ]
    spelt = {name.casefold(): WRITTEN.get(name, name) for name in declared(runtime)}
    candidates = {word.casefold(): word for word in words(runtime)} | spelt
    any_case = present(
        sorted((folded, f"opset{n}") for folded in candidates for n in numbers)
    )
    found = sorted({candidates[folded] for folded, _ in any_case})
    exact = present((type_, f"opset{n}") for type_ in found for n in numbers)
    types = {t: [n for n in numbers if (t, f"opset{n}") in exact] for t in found}
    strict = {
        t: [n for n in has if (t.casefold(), f"opset{n}") not in any_case]
        for t, has in types.items()
    }
    loose = present((type_, name) for type_ in found for name in ELSEWHERE)
    return {
        "openvino": build,
        "opsets": ranges(numbers),
        "types": {t: ranges(has) for t, has in types.items()},
        "exact_spelling_only": {t: ranges(has) for t, has in strict.items() if has},
        "elsewhere": {
            name: sorted(t for t, where in loose if where == name) for name in ELSEWHERE
        },
    }


def write(table: dict[str, object]) -> None:
    """One type a line, so that a new runtime shows as a readable change."""
    lines = []
    for key, value in table.items():
        if isinstance(value, dict):
            rows = [
                f"  {json.dumps(k)}: {json.dumps(v, separators=(',', ':'))}"
                for k, v in value.items()
            ]
            lines.append(f" {json.dumps(key)}: {{\n" + ",\n".join(rows) + "\n }")
        else:
            lines.append(f" {json.dumps(key)}: {json.dumps(value)}")
    with open(TABLE, "w", encoding="utf-8", newline="\n") as out:
        out.write("{\n" + ",\n".join(lines) + "\n}\n")


def main() -> None:
    parser = argparse.ArgumentParser(
        description="Measures which type stands in which opset."
    )
    parser.add_argument(
        "--work", action="store_true", help="be the child that asks the runtime"
    )
    if parser.parse_args().work:
        return work()
    asked = "import openvino, os; print(os.path.dirname(openvino.__file__)); print(openvino.__version__)"
    runtime, build = subprocess.run(
        [sys.executable, "-c", asked], stdout=subprocess.PIPE, text=True, check=True
    ).stdout.splitlines()
    return write(measure(runtime, build))


if __name__ == "__main__":
    main()
