"""How long the movement of elements takes, beside OpenVINO's CPU plugin, onnxruntime, torch and NumPy's own functions.

::

    python benchmarks/execution.py --quick
    python benchmarks/execution.py --case 1-D --json part.json
    python benchmarks/execution.py --merge part.json other.json

Each library runs in a process of its own and keeps the arrays; they take turns, and a figure is the median over the
rounds, in milliseconds for one call. A ratio is the median of the ratios within each round, since a virtual machine may
be twice as slow some seconds later; of several peers the one that leaves the greatest. Unless said, all write to memory
that they have written to before. OpenVINO's models are compiled, onnxruntime's inputs and outputs are bound. Outputs
are compared by check sum. A turn repeats the call for a while and gives the fastest repetition.

- **numpy 1**, **numpy 2**: ovgather without numba, on one thread, and on two where it takes two by itself.
- **fast 1**, **fast 2**: the same with numba, as ``engine="auto"`` chooses.
- **numpy 1 new**: the same without ``out=``, as **plain** is: ``take_along_axis`` or ``take`` with checked indices, as
  one would write it.
- **copyto**: the least that
  can be, a copy of as many bytes as the output has.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from contextlib import suppress
from statistics import geometric_mean
from time import perf_counter
from typing import Any

from execution_cases import CASES, HOLD_OUT, Case
from execution_peers import VARIANTS
from measure import REPOSITORY, median, table, versions

SETS = {"cases": CASES, "hold-out": HOLD_OUT}
_LEAST_ROUNDS, _SECONDS = 7, 10  # of one case; long ones take the least
PEERS = [
    f"{name} {threads}"
    for name in ("openvino", "onnxruntime", "torch")
    for threads in (1, 2)
] + ["plain"]


class Child:
    """A library in a process of its own."""

    def __init__(self, library: str) -> None:
        script = os.path.join(
            os.path.dirname(os.path.abspath(__file__)), "execution_peers.py"
        )
        path = os.pathsep.join(filter(None, [REPOSITORY, os.environ.get("PYTHONPATH")]))
        self.process = subprocess.Popen(
            [sys.executable, script, library],
            env={**os.environ, "PYTHONPATH": path},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def ask(self, **question: Any) -> dict[str, Any]:
        assert self.process.stdin
        assert self.process.stdout
        try:
            print(json.dumps(question), file=self.process.stdin, flush=True)
        except BrokenPipeError:
            return {"skipped": "ended"}
        line = self.process.stdout.readline()
        answer: dict[str, Any] = (
            json.loads(line)
            if line
            else {"skipped": f"ended with {self.process.wait()}"}
        )
        return answer

    def close(self) -> None:
        assert self.process.stdin
        with suppress(BrokenPipeError):
            self.process.stdin.close()
        self.process.wait()


def measure(
    children: dict[str, Child], which: str, number: int, options: argparse.Namespace
) -> dict[str, Any]:
    """Samples of every variant, and what was left out."""
    samples: dict[str, list[float]] = {}
    skipped: dict[str, str] = {}
    sums: dict[str, int] = {}
    turns = [
        (library, variant) for library in children for variant in VARIANTS[library]
    ]
    if options.cpu:
        turns = [
            (library, variant)
            for library, variant in turns
            if not variant.endswith(" 2")
        ]
    start = perf_counter()
    for round in range(options.rounds):
        if round >= _LEAST_ROUNDS and perf_counter() - start > _SECONDS:
            break
        turn = round % len(turns)
        for library, variant in turns[turn:] + turns[:turn]:
            if variant in skipped:
                continue
            answer = children[library].ask(
                set=which,
                case=number,
                variant=variant,
                seconds=options.seconds,
                cpu=options.cpu,
                check=not round,
            )
            if "skipped" in answer:
                skipped[variant] = answer["skipped"]
                continue
            samples.setdefault(variant, []).append(answer["seconds"])
            if "checksum" in answer:
                sums[variant] = answer["checksum"]
    ours = sums.get("numpy 1")
    different = [variant for variant, found in sums.items() if found != ours]
    return {
        "set": which,
        "name": title(SETS[which][number]),
        "samples": samples,
        "skipped": skipped,
        "not equal": different,
    }


def title(case: Case) -> str:
    return f"{case.type}: {case.name}"


def _case_of(result: dict[str, Any]) -> Case:
    return next(case for case in SETS[result["set"]] if title(case) == result["name"])


class Results:
    """The medians of a set, and what the goals make of them."""

    def __init__(self, results: list[dict[str, Any]]) -> None:
        self.results = results

    @property
    def new(self) -> str:
        """What is held against NumPy's own functions, which write to new memory."""
        return (
            "numpy 1 new"
            if any("numpy 1 new" in result["samples"] for result in self.results)
            else "numpy 1"
        )

    @property
    def fastest(self) -> tuple[str, list[str]]:
        """What is held against the best of its peers: two threads, where those were measured."""
        if any("fast 2" in result["samples"] for result in self.results):
            return "fast 2", PEERS
        return "fast 1", [peer for peer in PEERS if not peer.endswith(" 2")]

    def ratios(
        self,
        mine: str,
        peers: list[str],
        slices: bool = False,
        round: int | None = None,
    ) -> dict[str, float]:
        """The time of ``mine`` in units of the best of ``peers``, for each case where there are any."""
        ratios = {}
        for result in self.results:
            samples = result["samples"]
            others = [samples[peer] for peer in peers if peer in samples]
            if others and mine in samples and (not slices or _case_of(result).slices):
                each = [
                    [my / its for my, its in zip(samples[mine], other, strict=True)]
                    for other in others
                ]
                ratios[result["name"]] = max(
                    [
                        median(part) if round is None else part[round % len(part)]
                        for part in each
                    ]
                )
        return ratios

    def goal(
        self,
        text: str,
        mine: str,
        peers: list[str],
        mean: float,
        worst: float | None,
        slices: bool = False,
    ) -> str:
        ratios = self.ratios(mine, peers, slices)
        if not ratios:
            return f"{text}: not measured"
        average, name = (
            geometric_mean(ratios.values()),
            max(ratios, key=lambda name: ratios[name]),
        )
        rounds = range(
            max(len(result["samples"].get(mine, ())) for result in self.results)
        )
        spread = [
            geometric_mean(self.ratios(mine, peers, slices, round).values())
            for round in rounds
        ]
        range_text = f"rounds {min(spread):.2f} to {max(spread):.2f}"
        lines = [
            f"{_verdict(average <= mean)} {text}: geometric mean {average:.2f}, goal {mean:.2f} ({range_text})"
        ]
        if worst is not None:
            above = [
                f"{case} {ratio:.2f}" for case, ratio in ratios.items() if ratio > worst
            ]
            lines.append(
                f"{_verdict(not above)} none above {worst:.2f}: worst {ratios[name]:.2f} ({name})"
            )
            lines += [f"       {case}" for case in above]
        return "\n".join(lines)

    def __str__(self) -> str:
        names = [variant for variants in VARIANTS.values() for variant in variants]
        names = [
            name
            for name in names
            if any(name in result["samples"] for result in self.results)
        ]
        pairs = [
            ("numpy 1", PEERS[:1]),
            ("numpy 2", PEERS[1:2]),
            (self.new, ["plain"]),
            self.fastest,
        ]
        head = [
            "ms",
            *names,
            "numpy 1 / openvino 1",
            "numpy 2 / openvino 2",
            f"{self.new} / plain",
            f"{self.fastest[0]} / best",
        ]
        rows = []
        for result in self.results:
            samples = result["samples"]
            times = [
                f"{median(samples[name]) * 1e3:.4g}" if name in samples else "-"
                for name in names
            ]
            ratios = [
                self.ratios(mine, peers).get(result["name"]) for mine, peers in pairs
            ]
            rows.append(
                [
                    result["name"],
                    *times,
                    *["-" if ratio is None else f"{ratio:.2f}" for ratio in ratios],
                ]
            )
        return table(head, rows)

    def goals(self) -> str:
        return "\n".join(
            [
                self.goal(
                    "one thread against OpenVINO's one",
                    "numpy 1",
                    ["openvino 1"],
                    0.40,
                    1.6,
                ),
                self.goal(
                    "two threads against OpenVINO's two",
                    "numpy 2",
                    ["openvino 2"],
                    0.70,
                    None,
                ),
                self.goal(
                    "slices against copyto", "numpy 1", ["copyto"], 3, None, slices=True
                ),
                self.goal(
                    "against NumPy's functions with masks",
                    self.new,
                    ["plain"],
                    0.45,
                    1.0,
                ),
                self.goal("with numba, against the best peer", *self.fastest, 1.0, 1.5),
            ]
        )


def _verdict(reached: bool) -> str:
    return "  met:" if reached else "missed:"


def show(results: list[dict[str, Any]]) -> None:
    for which in SETS:
        part = [result for result in results if result["set"] == which]
        if not part:
            continue
        print(f"\n{which}\n\n{Results(part)}\n\n{Results(part).goals()}")
    for result in results:
        for variant in result["not equal"]:
            print(f"NOT EQUAL: {variant} on {result['name']}")
    print()
    for why in sorted(
        {
            f"{variant}: {why}"
            for result in results
            for variant, why in result["skipped"].items()
        }
    ):
        print(f"left out: {why}")


def run(options: argparse.Namespace) -> list[dict[str, Any]]:
    children = {library: Child(library) for library in VARIANTS}
    results = []
    try:
        for which, cases in SETS.items():
            for number, case in enumerate(cases):
                if options.case and not any(
                    text in f"{which}: {title(case)}" for text in options.case
                ):
                    continue
                print(f"{which}: {title(case)}", file=sys.stderr)
                results.append(measure(children, which, number, options))
                if options.json:  # after each, so that nothing is lost
                    with open(options.json, "w", encoding="utf-8") as file:
                        json.dump(results, file)
    finally:
        for child in children.values():
            child.close()
    return results


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument(
        "--case",
        action="append",
        metavar="TEXT",
        help="only cases with this in 'SET: TYPE: NAME'",
    )
    parser.add_argument(
        "--quick", action="store_true", help="three rounds of 10 ms: a first look"
    )
    parser.add_argument(
        "--rounds",
        type=int,
        help="how often each library's turn comes (default 21, of long cases 7)",
    )
    parser.add_argument(
        "--seconds", type=float, help="how long a turn repeats the call (default 0.02)"
    )
    parser.add_argument(
        "--cpu",
        action="store_true",
        help="CPU time, one thread each: for a machine that others use at the same time",
    )
    parser.add_argument("--json", metavar="FILE", help="write the samples to FILE")
    parser.add_argument(
        "--merge",
        nargs="+",
        metavar="FILE",
        help="show what was written before; measure nothing",
    )
    options = parser.parse_args()
    options.rounds = options.rounds or (3 if options.quick else 21)
    options.seconds = options.seconds or (0.01 if options.quick else 0.02)
    if options.merge:
        parts = []
        for path in options.merge:
            with open(path, encoding="utf-8") as file:
                parts += json.load(file)
        order = {
            (which, title(case)): place
            for which, cases in SETS.items()
            for place, case in enumerate(cases)
        }
        results = sorted(parts, key=lambda result: order[result["set"], result["name"]])
    else:
        results = run(options)
    print(versions("numpy", "numba", "openvino", "onnxruntime", "torch"))
    show(results)


if __name__ == "__main__":
    main()
