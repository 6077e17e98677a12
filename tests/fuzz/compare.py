"""Spoilt files through ``ovgather validate`` and through OpenVINO: whatever OpenVINO rejects on reading has an error.

    python tests/fuzz/compare.py --count 5000 --seed 1 --folder found

Each mutant is validated (no exception, at most 5 seconds of computing, at most 20 bytes for each of the file) and read
by OpenVINO in a child process. Files that end in a list below are kept in the folder, with a line for each:

missed      OpenVINO rejects the file, or dies of it, and we report no error
wrong       an error says that OpenVINO rejects the file (or dies), and it does not; or any finding says that it reads
            the file and cannot compile it, and it can; or that it rejects on reading what it rejects on compiling
raised, slow, large    what must not happen at all
unsaid      OpenVINO rejects the file, and none of our errors says so: it rejects what follows from what they tell of
foreign     OpenVINO rejects the version of a layer, which an extension may provide: that is a warning

README.md tells of the last two, which do not count.
"""

from __future__ import annotations

import argparse
import random
import re
import signal
import sys
import tempfile
import time
import tracemalloc
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

sys.path.insert(0, str(Path(__file__).parent))

from mutants import Bases, Case, spoilt

from ovgather.runtimes.load import Complaint, Load, load
from ovgather.validation.api import validate
from ovgather.validation.diagnostic import Diagnostic

BATCH = 480
SECONDS = 5
BYTES = 20
FREE = 1 << 21
"""What any file costs whatever its size: the buffer it is read into, tables and patterns."""
_WITHOUT_WEIGHTS = "OVG008"
_PAGE = "OVG005"
_WHEN_RUN = ("OVG307", "OVG501", "OVG502")
_LATER = "rejects_on_compile"
_FOREIGN = re.compile(r"unsupported opset: (?!\w*opset)")
OF_NO_NOTE = frozenset({"", "rejected"})
FINE = OF_NO_NOTE | {"unsaid", "foreign"}
"""What may become of a mutant."""


class Outcome(NamedTuple):
    """What became of one mutant; ``kind`` is a list it belongs to, or empty."""

    kind: str
    case: Case
    words: str


class Judged(NamedTuple):
    """What ``validate`` made of a file, and what it took."""

    found: list[Diagnostic]
    error: str
    seconds: float
    peak: int


def _hung(*_: object) -> None:
    raise TimeoutError(f"no end after {4 * SECONDS} seconds of computing")


def judge(path: str) -> Judged:
    """Validate the file at ``path``."""
    found: list[Diagnostic] = []
    error = ""
    before = signal.signal(signal.SIGVTALRM, _hung)
    tracemalloc.start()
    began = time.process_time()
    signal.setitimer(signal.ITIMER_VIRTUAL, 4 * SECONDS)
    try:
        found = validate(path)
    except Exception as raised:
        error = f"{type(raised).__name__}: {raised}"
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)
    seconds = time.process_time() - began
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return Judged(found, error, seconds, peak)


def outcomes(cases: Sequence[Case]) -> Iterator[Outcome]:
    """What becomes of each case."""
    with tempfile.TemporaryDirectory() as folder:
        paths = [_write(Path(folder), index, case) for index, case in enumerate(cases)]
        complaints = load([Load(path) for path in paths])
        judged = [_judged(path) for path in paths]
        claimed = [
            index
            for index in range(len(cases))
            if complaints[index] is None and _claims(judged[index].found)
        ]
        compiled = dict(
            zip(
                claimed,
                load([Load(paths[index], until="compile") for index in claimed]),
                strict=True,
            )
        )
    for index, case in enumerate(cases):
        kind, words = _kind(case, judged[index], complaints[index], compiled.get(index))
        yield Outcome(kind, case, words)


def _judged(path: str) -> Judged:
    """What is too large is judged again: the first file of its kind pays for the modules that it needs."""
    judged = judge(path)
    return judge(path) if judged.peak > FREE else judged


def _write(folder: Path, index: int, case: Case) -> str:
    path = folder / f"{index}.xml"
    path.write_bytes(case.text)
    if case.weights is not None:
        path.with_suffix(".bin").write_bytes(case.weights)
    return str(path)


def _claims(found: Sequence[Diagnostic]) -> list[Diagnostic]:
    """What says that OpenVINO takes no such file; not what it meets only when it runs."""
    told = [
        each
        for each in found
        if each.severity == "error" and each.openvino in ("rejects", "crashes")
    ]
    told += [each for each in found if each.openvino == _LATER]
    return [each for each in told if each.code not in _WHEN_RUN]


def _wrong(found: Sequence[Diagnostic], compiled: Complaint | None) -> list[Diagnostic]:
    """Those of the claims on a file that is read that are not so."""
    claims = _claims(found)
    return (
        claims
        if compiled is None
        else [each for each in claims if each.openvino == "rejects"]
    )


def _kind(
    case: Case, judged: Judged, complaint: Complaint | None, compiled: Complaint | None
) -> tuple[str, str]:
    if judged.error:
        return "raised", judged.error
    if judged.seconds > SECONDS:
        return "slow", f"{judged.seconds:.1f} s"
    allowed = BYTES * (len(case.text) + len(case.weights or b"")) + FREE
    if judged.peak > allowed:
        return "large", f"{judged.peak:,} bytes for {len(case.text):,}"
    errors = [each for each in judged.found if each.severity == "error"]
    if complaint is None:
        claims = _wrong(judged.found, compiled)
        return (
            ("wrong", f"{claims[0].code} {claims[0].openvino} {claims[0].message}")
            if claims
            else ("", "")
        )
    if not errors:
        left_out = any(each.code == _WITHOUT_WEIGHTS for each in judged.found)
        if (left_out and case.weights is None) or any(
            each.code == _PAGE for each in judged.found
        ):
            return "", ""
        return "foreign" if _FOREIGN.search(
            complaint.message
        ) else "missed", complaint.message
    unsaid = all(each.openvino == "accepts" for each in errors)
    return (
        ("unsaid", f"{errors[0].code} {errors[0].message} | {complaint.message}")
        if unsaid
        else ("rejected", "")
    )


def main(arguments: Any) -> int:
    """Run and tell; 1 when something must not be."""
    bases, counts = Bases(), Counter[str]()
    arguments.folder.mkdir(parents=True, exist_ok=True)
    number = 0
    chance = random.Random(arguments.seed)
    while number < arguments.count:
        cases = [
            spoilt(bases.pick(chance), chance)
            for _ in range(min(BATCH, arguments.count - number))
        ]
        for outcome in outcomes(cases):
            number += 1
            counts[outcome.kind] += 1
            if outcome.kind not in OF_NO_NOTE:
                path = (
                    arguments.folder / f"{outcome.kind}-{arguments.seed}-{number}.xml"
                )
                path.write_bytes(outcome.case.text)
                if outcome.case.weights is not None:
                    path.with_suffix(".bin").write_bytes(outcome.case.weights)
                print(
                    f"{path} ({outcome.case.origin}): {outcome.words[:300]}", flush=True
                )
    told = ", ".join(
        f"{count} {kind or 'accepted'}" for kind, count in counts.most_common()
    )
    print(f"{number} mutants: {told}")
    return int(bool(set(counts) - FINE))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--count", type=int, default=5000, help="how many mutants")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(
        "--folder",
        type=Path,
        default=Path("fuzz-findings"),
        help="where the files go that are listed",
    )
    sys.exit(main(parser.parse_args()))
