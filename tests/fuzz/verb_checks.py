"""What each verb may do with a spoilt file, and what must hold of what it writes."""

from __future__ import annotations

import io
import json
import re
import sys
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import ovgather
from ovgather.cli import main as command_line
from ovgather.layers.onnx_node import gather_nodes
from ovgather.report import formats
from ovgather.text import presentable

Files = dict[str, bytes]

CODES = range(6)
UNREADABLE = 4
MOST_OUTPUT = 1 << 20
_PYTHON = re.compile(
    r"Traceback|object has no attribute|object is not|NoneType|<class '|positional argument|unhashable|list index out"
    r"|must be str|invalid literal|codec can't|AssertionError|(?<![0-9a-z])b'[^'\n]*\\x[0-9a-f]{2}|<ovgather\."
)
_COMMAND = re.compile(r"^\s*::|##[A-Za-z]*\[")
_OUT = "out"
_MESSAGES = (
    "Incorrect weights in bin file!",
    "While validating node 'opset8::Gather Gather_1' with friendly_name 'Gather_1'",
    "Check 'axis_rank.compatible(1)' failed at src/core/shape_inference/include/gather_shape_inference.hpp:1",
    "layer 3 of m.xml\x1b[31m\n::error::x",
)


class Wrong(Exception):
    """A verb does what it must not."""


class Said(NamedTuple):
    """What came of a command."""

    code: int
    out: bytes
    err: str


def prepare(infer: bool) -> None:
    """Let errors through that a user would be told as bugs; unless ``infer``, start no process for onnx's shapes."""

    def through(error: Exception) -> int:
        raise error

    for module in list(sys.modules.values()):
        if getattr(module, "__name__", "").startswith("ovgather.cli.") and hasattr(
            module, "_bug"
        ):
            module._bug = through
    if not infer:
        from ovgather.onnx_file import model
        from ovgather.onnx_file.shapes import InferredShapes

        model.infer_shapes = lambda *_: InferredShapes({})  # type: ignore[assignment]


class Trial:
    """A mutant in a folder, and one verb that is tried on it.

    Attributes:
        named: the names in the file; None: it cannot be read. last: the last command. codes: the exit codes so far.
    """

    def __init__(self, folder: Path, files: Files, chance: Random) -> None:
        self.folder = folder
        self.files = files
        self.chance = chance
        self.path = str(folder / next(iter(files)))
        self.named = named(files[Path(self.path).name], Path(self.path).suffix)
        self.last: list[str] = []
        self.codes: list[int] = []
        self._written: set[str] = set()

    def run(self, *arguments: str, writes: tuple[str, ...] = ()) -> Said:
        """Run a command that may write the files ``writes``, and must not unless it succeeds."""
        self.last = list(arguments)
        streams = sys.stdout, sys.stderr
        out, err = io.BytesIO(), io.BytesIO()
        sys.stdout, sys.stderr = (
            io.TextIOWrapper(out, "utf-8"),
            io.TextIOWrapper(err, "utf-8", "backslashreplace"),
        )
        try:
            code = command_line.run(list(arguments))
            sys.stdout.flush()
            sys.stderr.flush()
            said = Said(code, out.getvalue(), err.getvalue().decode())
        finally:
            sys.stdout, sys.stderr = streams
        self.codes.append(code)
        self._judge(said)
        present = [name for name in writes if (self.folder / name).exists()]
        if present and code not in (0, 1):
            raise self.wrong(f"{present} written, with exit code {code}")
        self._written |= set(writes)
        return said

    def _judge(self, said: Said) -> None:
        if said.code not in CODES:
            raise self.wrong(f"exit code {said.code}: {said.err}")
        if len(said.out) + len(said.err) > MOST_OUTPUT:
            raise self.wrong(f"{len(said.out) + len(said.err)} bytes of output")
        if said.code > 1 and not said.err.strip() and not said.out.strip():
            raise self.wrong(f"exit code {said.code} without a word")
        if (
            self.path in self.last
            and not {"--diff", "diff"}.intersection(self.last)
            and (said.code == UNREADABLE) != (not self.named)
        ):
            raise self.wrong(
                f"exit code {said.code} of a file that {'can' if self.named else 'cannot'} be read: {said.err}"
            )
        if "--format=github" not in self.last:
            for line in f"{said.out.decode()}\n{said.err}".split("\n"):
                if not line.replace("\t", "").removesuffix(
                    "\r"
                ).isprintable() or _COMMAND.search(line):
                    raise self.wrong(f"controls what shows it: {line[:200]!a}")
        odd = _PYTHON.search(said.err) or _PYTHON.search(
            said.out.decode("utf-8", "replace")
        )
        if odd:
            raise self.wrong(
                f"Python's words, {odd[0]!r}: {said.err or said.out.decode()}"
            )

    def wrong(self, words: str) -> Wrong:
        """That a verb does ``words``, with the command."""
        return Wrong(f"{words[:600]} [{' '.join(self.last)}]")

    def settle(self) -> None:
        """Check that the files are as before, and that there are no others."""
        for name, data in self.files.items():
            if (self.folder / name).read_bytes() != data:
                raise self.wrong(f"{name} is changed")
        left = (
            {path.name for path in self.folder.iterdir()}
            - set(self.files)
            - self._written
        )
        if "--fix" in self.last:  # a fixed ONNX file stands beside the old one
            left = {name for name in left if not name.endswith(".fixed.onnx")}
        if left:
            raise self.wrong(f"{sorted(left)} are left")

    def clear(self) -> None:
        """Only the mutant is there, as it was."""
        for path in self.folder.iterdir():
            if path.name not in self.files:
                path.unlink()
        for name, data in self.files.items():
            if (
                not (self.folder / name).exists()
                or (self.folder / name).read_bytes() != data
            ):
                (self.folder / name).write_bytes(data)

    def place(self, ending: str) -> str:
        """A path to write to."""
        return str(self.folder / f"{_OUT}{ending}")

    def layer(self, whole: bool = False) -> list[str]:
        """``--layer`` with one of the family, or any of the ``whole`` file, or nothing, or one that it may not have."""
        way = self.chance.random()
        if way < 0.1 or self.named is None:
            return []
        names = self.named.layers if whole or way < 0.15 else self.named.family
        if whole and way < 0.6:
            names = self.named.family or names
        if way > 0.95:
            names = ["pick", "0", "3"]
        return [f"--layer={self.chance.choice(names)}"] if names else []

    def some(self, *options: str) -> list[str]:
        """One of the ``options``, or none of them."""
        return [self.chance.choice(options)] if self.chance.random() < 0.3 else []


class Named(NamedTuple):
    """What ``family`` nodes or layers of a file are called, and all of its layers but constants."""

    family: list[str]
    layers: list[str]


@lru_cache(maxsize=2)
def named(data: bytes, ending: str) -> Named | None:
    """The names in a file; None: it cannot be read, whoever reads it. All verbs are tried on one file in turn."""
    if ending == ".onnx":
        from ovgather.onnx_file.model import OnnxModel

        onnx = OnnxModel("m.onnx", None, data)
        nodes = [
            "/".join([*node.graph.path, node.reference.name])
            for node in gather_nodes(onnx)
        ]
        return Named(nodes, nodes) if onnx.problem is None else None
    from ovgather.ir.read import read
    from ovgather.layers.gather_layer import is_family

    model = read(data)
    names = [
        (layer, "/".join([*layer.body, layer.name or str(layer.id)]))
        for layer in model.layers()
    ]
    family = [name for layer, name in names if is_family(layer)]
    layers = [name for layer, name in names if layer.type != "Const"]
    return Named(family, layers) if not model.fatal else None


# -- the verbs -------------------------------------------------------------------------------------------------------


def _extract(trial: Trial) -> None:
    """What is taken out has no errors, unless the file has some."""
    out = trial.place(".xml")
    said = trial.run(
        "extract",
        trial.path,
        *trial.layer(whole=True),
        "-o",
        out,
        writes=("out.xml", "out.bin"),
    )
    if said.code == 0 and _errors(out) and not _errors(trial.path):
        raise trial.wrong(f"extracts what has errors: {_errors(out)}")


def _convert(trial: Trial) -> None:
    """What is converted has no errors."""
    ending = ".xml" if trial.path.endswith(".onnx") else ".onnx"
    out = trial.place(ending)
    writes = ("out.xml", "out.bin") if ending == ".xml" else ("out.onnx",)
    arguments = [*trial.layer(), *trial.some("--no-guard"), "-o", out]
    said = trial.run("convert", trial.path, *arguments, writes=writes)
    if said.code == 0 and _errors(out) and not _errors(trial.path):
        raise trial.wrong(f"converts to what has errors: {_errors(out)}")


def _run(trial: Trial) -> None:
    import numpy

    out = trial.place(".npy")
    more = trial.some(
        "--strict",
        "--axis=0",
        "--axis=-1",
        "--axis=9223372036854775808",
        "--engine=numpy",
    )
    said = trial.run(
        "run", trial.path, *trial.layer(), *more, "-o", out, writes=("out.npy",)
    )
    if said.code == 0:
        numpy.load(out, allow_pickle=False)


def _show(trial: Trial) -> None:
    trial.run("show", trial.path, *trial.some("--axis=1"))
    if layer := trial.layer():
        trial.run("show", trial.path, *layer, "--neighbours")
        trial.run("show", trial.path, *layer, *trial.some("--axis=1"))


def _infer(trial: Trial) -> None:
    """Shapes as text or as JSON; of an IR the file with its shapes is read again, and written again is the same."""
    more = trial.some(
        "--format=json", "--why", "--input-shape=in0=[2,?]", "--input-shape=data=[n,4]"
    )
    if trial.path.endswith(".xml"):
        out = trial.place(".xml")
        said = trial.run(
            "infer", trial.path, "--write", out, *more, writes=("out.xml",)
        )
        if said.code < 2:
            _written_again(
                trial,
                out,
                [option for option in more if "shape" in option],
                contradicted=said.code == 1,
            )
    else:
        said = trial.run("infer", trial.path, *more)
    if "--format=json" in more and said.out:
        json.loads(said.out)


def _written_again(trial: Trial, out: str, more: list[str], contradicted: bool) -> None:
    """What is written stays as it is when it is written again; a contradiction hides what ports tell of an axis."""
    from ovgather.ir.read import read

    one, other = read(trial.path), read(out)
    if other.fatal or len(list(one.layers())) != len(list(other.layers())):
        raise trial.wrong("writes what cannot be read")
    weights = (
        ["--weights", str(trial.folder / "m.bin")] if "m.bin" in trial.files else []
    )
    before = Path(out).read_bytes()
    trial.run(
        "infer",
        out,
        *weights,
        "--write",
        trial.place("2.xml"),
        *more,
        writes=("out2.xml",),
    )
    if not contradicted and Path(trial.place("2.xml")).read_bytes() != before:
        raise trial.wrong("writes something else the second time")


def _fix(trial: Trial) -> None:
    """A file that is fixed can be read as before, and has nothing left to fix."""
    from ovgather.ir.read import read

    path = trial.place(Path(trial.path).suffix)
    Path(path).write_bytes(trial.files[next(iter(trial.files))])
    weights = (
        ["--weights", str(trial.folder / "m.bin")] if "m.bin" in trial.files else []
    )
    arguments = [
        "validate",
        path,
        "--isolated",
        "--fix",
        *weights,
        *trial.some("--unsafe-fixes"),
    ]
    before = Path(path).read_bytes()
    name = Path(path).name
    trial._written.add(name)
    trial.run(*arguments)
    first = Path(path).read_bytes()
    if first == before:
        return
    if read(path).fatal and not read(trial.path).fatal:
        raise trial.wrong("fixes a file so that it cannot be read")
    trial.run(*arguments)
    if Path(path).read_bytes() != first:
        raise trial.wrong("fixes more the second time")


def _validate(trial: Trial) -> None:
    """The findings in any format, or what would be fixed, or how often each code occurs."""
    ways = [f"--format={format}" for format in formats("validate")]
    way = trial.chance.choice(
        [
            *ways,
            "--diff",
            "--statistics",
            "--max-findings=0",
            "--target=2021.4",
            "--device=NPU",
        ]
    )
    _check_format(way, trial.run("validate", trial.path, "--isolated", way))


def _inspect(trial: Trial) -> None:
    way = trial.chance.choice([f"--format={format}" for format in formats("inspect")])
    _check_format(way, trial.run("inspect", trial.path, way))


def _survey(trial: Trial) -> None:
    way = trial.chance.choice([f"--format={format}" for format in formats("survey")])
    _check_format(way, trial.run("survey", trial.path, way))


def _diff(trial: Trial) -> None:
    """A model is the same as itself and a copy; beside another one there is an answer, in any format."""
    way = trial.chance.choice([f"--format={format}" for format in formats("diff")])
    copy = trial.place(Path(trial.path).suffix)
    for name, data in trial.files.items():
        path = trial.place(Path(name).suffix)
        Path(path).write_bytes(data)
        trial._written.add(Path(path).name)
    said = trial.run("diff", trial.path, copy, way)
    if (said.code == UNREADABLE) != (not trial.named):
        raise trial.wrong(f"exit code {said.code}: {said.err}")
    if said.code != UNREADABLE:
        _check_format(way, said)
        verdict = ovgather.diff(trial.path, copy).verdict
        if verdict not in ("same", "unknown"):
            raise trial.wrong(f"{verdict} from its copy")
    start = trial.chance.randrange(Path(copy).stat().st_size + 1)
    Path(copy).write_bytes(_without_byte(trial, start))
    trial.run("diff", *trial.chance.sample([trial.path, copy], 2), way)


def _explain(trial: Trial) -> None:
    """A message with the file after it, whatever the file is."""
    message = trial.chance.choice(_MESSAGES)
    trial.run("explain", message, trial.path, *trial.some("--format=json"))


def _shapes(trial: Trial) -> None:
    """The shapes of all tensors, as an API: an answer, or an error of ours that could be shown."""
    given = trial.chance.choice(
        [None, None, {"in0": [2, "?"]}, {0: "[n,4]"}, {"data": ["a:1..8", -1]}]
    )
    _call(trial, lambda: str(list(ovgather.shapes(trial.path, given).items())))


def _guard(trial: Trial) -> None:
    """A pass that changes nothing makes no model worse; one that spoils the file again gets an answer."""

    def nothing() -> str:
        with ovgather.guard(trial.path) as guarded:
            pass
        if guarded.changes or guarded.findings or guarded.gone:
            raise trial.wrong(f"a pass without a change: {guarded!r} {guarded.changes}")
        return ""

    _call(trial, nothing)
    data = Path(trial.path).read_bytes()
    start = trial.chance.randrange(len(data) + 1)

    def spoil() -> str:
        with ovgather.guard(trial.path) as guarded:
            Path(trial.path).write_bytes(_without_byte(trial, start))
        return str((guarded.changes, guarded.findings))

    _call(trial, spoil)
    Path(trial.path).write_bytes(data)


def _without_byte(trial: Trial, place: int) -> bytes:
    data = trial.files[Path(trial.path).name]
    return data[:place] + data[place + 1 :]


def _call(trial: Trial, function: Callable[[], str]) -> None:
    """Call the API; what it says, or raises, goes through the same checks as the output of a command."""
    trial.last = ["API", trial.path]
    try:
        text = function()
    except ovgather.OvgatherError as error:
        text = presentable(str(error))
        if not text:
            raise trial.wrong(f"{type(error).__name__} without a word") from error
    odd = _PYTHON.search(text)
    if odd:
        raise trial.wrong(f"Python's words, {odd[0]!r}: {text[:300]}")


def _check_format(way: str, said: Said) -> None:
    """JSON and XML can be read."""
    from xml.etree import ElementTree

    kind = way.removeprefix("--format=")
    if kind in ("json", "sarif", "gitlab"):
        json.loads(said.out)
    elif kind == "junit":
        ElementTree.fromstring(said.out)


_OF_OPENVINO = ("OVG815", "OVG816", "OVG817")
"""What OpenVINO does not take of a valid ONNX file, such as strings."""


def _errors(path: str) -> list[str]:
    """Whatever comments suppress, which are not taken along."""
    from ovgather.validation.check import check_file

    findings = check_file(path, suppressions=False).diagnostics
    errors = [finding for finding in findings if finding.severity == "error"]
    return [
        f"{each.code} {each.message}"
        for each in errors
        if each.code not in _OF_OPENVINO
    ]


_BOTH: dict[str, Callable[[Trial], Any]] = {
    "validate": _validate,
    "inspect": _inspect,
    "convert": _convert,
    "run": _run,
    "show": _show,
    "infer": _infer,
    "fix": _fix,
    "survey": _survey,
    "diff": _diff,
    "explain": _explain,
    "guard": _guard,
}
VERBS = {
    "ir": {**_BOTH, "extract": _extract, "shapes": _shapes},
    "onnx": _BOTH,
}
