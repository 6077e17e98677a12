"""Spoilt files through the verbs, in this process: nothing but an answer, a refusal, or a message may come of one.

    python tests/fuzz/verbs.py --count 5000 --jobs 2
    python tests/fuzz/verbs.py --format onnx --verb convert --seed 3 --start 1234 --count 1 --keep folder

Every mutant goes through every verb of its format. Of each run these are checked:

- it ends within five seconds of computing and four gigabytes of memory, with an exit code of 0 to 5 and a short output;
- what it says is neither a traceback nor Python's own words; what fails says something, and writes nothing;
- the files that it reads are as before, and nothing else is left in the folder;
- what it writes can be read again (``verb_checks.py``).

A mutant that does otherwise is printed with the command that makes it again. README.md tells more.
"""

from __future__ import annotations

import argparse
import faulthandler
import os
import random
import resource
import signal
import subprocess
import sys
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE))

import verb_checks  # noqa: E402
from verb_checks import Files, Trial, Wrong  # noqa: E402

SECONDS = 5
STUCK = 120
"""Seconds after which a mutant that does not even end in a call of NumPy or of onnx ends the process."""
REARM = 10
"""Seconds that one watchdog serves: each is a thread, which costs more than many a mutant."""
MEMORY = 4 << 30


class Hung(BaseException):
    """A verb takes too long; no ``except Exception`` keeps it from being seen."""


class Mutant(NamedTuple):
    """A spoilt model: its files by name, the first of them the one that verbs are given, and what it was made of."""

    files: Files
    origin: str


@cache
def bases(format: str) -> list[tuple[str, Files]]:
    """The models of a format to begin with."""
    import ir_mutants
    import onnx_mutants

    return ir_mutants.bases() if format == "ir" else onnx_mutants.bases()


def mutant(format: str, seed: int, number: int) -> Mutant:
    """Mutant ``number`` of a seed: always the same one."""
    import ir_mutants
    import onnx_mutants

    chance = random.Random(f"{format} {seed} {number}")
    origin, files = chance.choice(bases(format))
    return Mutant(
        (ir_mutants if format == "ir" else onnx_mutants).spoilt(files, chance), origin
    )


def wrongs(
    format: str, seed: int, numbers: Sequence[int], verbs: Sequence[str], folder: Path
) -> Iterator[str]:
    """What the ``verbs`` do wrong with mutants, each with the command that does it again."""
    counts = Counter[str]()
    watched = float("-inf")
    for number in numbers:
        made = mutant(format, seed, number)
        (folder / "now").write_text(
            f"--format {format} --seed {seed} --start {number} --count 1"
        )
        if time.monotonic() > watched + REARM:
            watched = time.monotonic()
            faulthandler.dump_traceback_later(STUCK + REARM, exit=True)
        place = folder / "files"
        place.mkdir()
        for name, data in made.files.items():
            (place / name).write_bytes(data)
        for verb in verbs:
            trial = Trial(place, made.files, random.Random(f"{verb} {number}"))
            words = _wrong(verb_checks.VERBS[format][verb], trial)
            if words:
                again = f"--format {format} --verb {verb} --seed {seed} --start {number} --count 1"
                yield f"{again} ({made.origin}): {words}"
            counts.update(f"{verb} {code}" for code in trial.codes)
            trial.clear()
        for path in place.iterdir():
            path.unlink()
        place.rmdir()
    faulthandler.cancel_dump_traceback_later()
    if os.environ.get("OVGATHER_FUZZ_COUNTS"):
        print(dict(sorted(counts.items())), file=sys.stderr)


def _wrong(check: Any, trial: Trial) -> str:
    """What a verb does wrong with a trial; empty: nothing."""
    signal.setitimer(signal.ITIMER_VIRTUAL, SECONDS)
    try:
        check(trial)
        trial.settle()
    except Wrong as wrong:
        return str(wrong)
    except Hung:
        return f"takes more than {SECONDS} s: {' '.join(trial.last)}"
    except Exception as error:
        told = traceback.extract_tb(error.__traceback__)
        here = next(
            (each for each in reversed(told) if "/ovgather/" in each.filename), told[-1]
        )
        where = f"{Path(here.filename).name}:{here.lineno} {here.name}: {here.line}"
        return f"{type(error).__name__}: {str(error)[:200]} at {where} [{' '.join(trial.last)}]"
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
    return ""


def _hung(*_: object) -> None:
    raise Hung


def chunk(arguments: argparse.Namespace) -> int:
    """Run the mutants of one process; 1 when one is wrong."""
    signal.signal(signal.SIGVTALRM, _hung)
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    verb_checks.prepare(infer=arguments.infer)
    numbers = range(arguments.start, arguments.start + arguments.count)
    verbs = arguments.verb or list(verb_checks.VERBS[arguments.format])
    if arguments.keep is not None:
        _keep(arguments, numbers)
    found = 0
    with tempfile.TemporaryDirectory(dir=_memory()) as folder:
        tempfile.tempdir = folder
        for words in wrongs(
            arguments.format, arguments.seed, numbers, verbs, Path(folder)
        ):
            found += 1
            print(words, flush=True)
    return int(bool(found))


def _memory() -> str | None:
    """A folder that is no disk, where there is one."""
    return "/dev/shm" if os.access("/dev/shm", os.W_OK) else None


def _keep(arguments: argparse.Namespace, numbers: range) -> None:
    for number in numbers:
        place = arguments.keep / f"{arguments.format}-{arguments.seed}-{number}"
        place.mkdir(parents=True, exist_ok=True)
        for name, data in mutant(
            arguments.format, arguments.seed, number
        ).files.items():
            (place / name).write_bytes(data)


def started(
    format: str, seed: int, start: int, count: int, *more: str
) -> subprocess.Popen[str]:
    """A process that runs some mutants of a format."""
    words = [
        "--format",
        format,
        "--seed",
        str(seed),
        "--start",
        str(start),
        "--count",
        str(count),
        *more,
    ]
    command = [sys.executable, __file__, *words]
    return subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )


def outcome(process: subprocess.Popen[str]) -> str:
    """What a process that was ``started`` says is wrong; empty: nothing."""
    out, err = process.communicate()
    if process.returncode in (0, 1):
        return out
    return f"{out}the process ends with {process.returncode}: {' '.join(map(str, process.args[1:]))}\n{err[-3000:]}"


def main(arguments: argparse.Namespace) -> int:
    """Run all, in as many processes as asked for."""
    if arguments.format is not None and arguments.jobs == 1:
        return chunk(arguments)
    formats = [arguments.format] if arguments.format else ["ir", "onnx"]
    each = -(-arguments.count // (arguments.jobs * 4))
    more = [
        *(["--infer"] if arguments.infer else []),
        *(part for verb in arguments.verb for part in ("--verb", verb)),
    ]
    end = arguments.start + arguments.count
    # Mutants of an IR take longest: they come first, so that all processes end at about the same time.
    parts = [
        (format, start)
        for format in formats
        for start in range(arguments.start, end, each)
    ]

    def ended(part: tuple[str, int]) -> str:
        format, start = part
        return outcome(
            started(format, arguments.seed, start, min(each, end - start), *more)
        )

    found = ""
    with ThreadPoolExecutor(arguments.jobs) as pool:
        for words in pool.map(ended, parts):
            print(words, end="", flush=True)
            found += words
    number = len(found.splitlines())
    print(
        f"{arguments.count} mutants of {' and '.join(formats)}, seed {arguments.seed}: {number} wrong"
    )
    return int(bool(found))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--format", choices=list(verb_checks.VERBS), help="only mutants of this format"
    )
    parser.add_argument(
        "--verb", action="append", default=[], help="only this verb; may be repeated"
    )
    parser.add_argument(
        "--count", type=int, default=5000, help="how many mutants of each format"
    )
    parser.add_argument(
        "--start", type=int, default=0, help="the number of the first one"
    )
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=1, help="how many processes")
    parser.add_argument(
        "--infer",
        action="store_true",
        help="let onnx infer shapes, which costs a process each time",
    )
    parser.add_argument(
        "--keep", type=Path, help="also put the mutants into this folder"
    )
    sys.exit(main(parser.parse_args()))
