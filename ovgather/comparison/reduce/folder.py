"""The folder of a reproducer: a model, its inputs, the right output, a script that needs no ovgather, and a report."""

import io
import json
import os
import subprocess
import sys
from collections.abc import Iterable, Sequence
from importlib.resources import files
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy

from ovgather.comparison.options import CrosscheckOptions
from ovgather.comparison.reduce.page import page
from ovgather.comparison.reduce.prober import INFERENCES, is_exact, other
from ovgather.comparison.reduce.search import Reduction, is_defined, plain
from ovgather.errors import ConfigurationError, OvgatherError
from ovgather.files.whole import (
    made,
    require_creatable,
    require_distinct,
    require_writable,
    write_whole,
)
from ovgather.ir.read import read
from ovgather.layers.gather_layer import gather_layers
from ovgather.runtimes.adapters.openvino import properties
from ovgather.runtimes.costs import LEAK, SLOW
from ovgather.runtimes.outcome import Evidence
from ovgather.runtimes.trial import RESULT, Trial
from ovgather.tensor.arrays import Array, bits

NAMES = (
    "model.xml",
    "model.bin",
    "inputs.npz",
    "expected.npz",
    "reproduce.py",
    "REPORT.md",
)
_MARKS = ("reproduce.py", "REPORT.md")
"""What every reproducer holds."""
_MODULES = ("ways.py", "costs.py")
"""What a script imports that runs in another way, or measures."""
_STEADY_RUNS = 3
_UNSTEADY_RUNS = 20
_PATIENCE = 300.0  # seconds
_Arrays = Sequence[dict[str, Array]]
"""By inference the arrays, by their names."""


def require_free(folder: str, inputs: Iterable[str] = ()) -> None:
    """See that ``folder`` can be written: it is not there, is empty, or holds an older reproducer and no input."""
    if os.path.lexists(folder) and not os.path.isdir(folder):
        raise ConfigurationError(
            f"{folder} is there and is no folder: name another with -o"
        )
    names = set(os.listdir(folder)) if os.path.isdir(folder) else set()
    other = sorted(names.difference(NAMES, _MODULES))
    if other:
        raise ConfigurationError(
            f"the folder {folder} holds {other[0]}, no part of a reproducer: name another"
        )
    places = [os.path.join(folder, name) for name in (*NAMES, *_MODULES)]
    require_distinct(places, inputs)
    if names and not names.issuperset(_MARKS):
        marks = " and ".join(_MARKS)
        raise ConfigurationError(
            f"the folder {folder} holds {min(names)}, but no {marks} of an older reproducer: name another"
        )
    for place in filter(os.path.exists, places):
        require_writable(place)
    require_creatable(folder)


def write(
    reduction: Reduction,
    folder: str,
    options: CrosscheckOptions,
    seen: str = "",
    inputs: Iterable[str] = (),
) -> bool:
    """Write the reproducer into ``folder``; whether its script shows the failure here.

    ``seen`` is the layer in which the failure was first seen, in words. The reference must pass: it runs the model of
    the folder. Raises as ``require_free``, OvgatherError, and OSError where the disk is full; what was in the folder is
    then still there.
    """
    require_free(folder, inputs)
    contents = _contents(reduction, options)
    if reduction.part is None:
        _require_right(reduction.trial, contents)
    with TemporaryDirectory(prefix="ovgather-") as temporary:
        for name, content in contents.items():
            Path(temporary, name).write_bytes(content)
        failed, log = _try(os.path.join(temporary, "reproduce.py"))
    text = page(reduction, options, seen, log)
    # Strings may be garbage.
    contents["REPORT.md"] = text.encode("utf-8", "backslashreplace")
    places = [os.path.join(folder, name) for name in contents]
    with made(folder):
        write_whole(
            [*zip(places, ([each] for each in contents.values()), strict=True)], inputs
        )
    return failed


def _require_right(trial: Trial, contents: dict[str, bytes]) -> None:
    """See that the reference, on the files as they are written, gives what the script expects."""
    if not is_defined(trial):
        return
    (gather,) = gather_layers(read(contents["model.xml"], contents["model.bin"]))
    data, indices = (
        array if (values := gather.values(position)) is None else values
        for position, array in enumerate((trial.data, trial.indices))
    )
    output = Evidence(
        gather.operation, data, indices, gather.axis or 0, gather.batch_dims, data
    ).expected()
    if bits(output).tobytes() != bits(trial.want()).tobytes():
        raise OvgatherError(
            f"the reproducer of {trial} would fail on a runtime that is right: it is not written"
        )


def _try(script: str) -> tuple[bool, str]:
    """Run the script as its reader will: whether it shows a failure, and what it prints."""
    try:
        ended = subprocess.run(
            [sys.executable, script], capture_output=True, text=True, timeout=_PATIENCE
        )
    except subprocess.TimeoutExpired:
        return True, f"no answer within {_PATIENCE:g} s"
    return ended.returncode == 1, (ended.stdout + ended.stderr).strip()


def _contents(reduction: Reduction, options: CrosscheckOptions) -> dict[str, bytes]:
    trial = reduction.trial
    part = reduction.part
    inputs: _Arrays
    expected: _Arrays
    if part is None:
        inferences, inputs, expected = _of_trial(reduction)
        tolerance = options.tolerance
    else:
        inputs = part.inputs
        expected = part.expected
        tolerance = part.tolerance
        inferences = list(range(len(inputs)))
    kinds = [kind.name for kind in trial.element_types[:1]]
    runs = _UNSTEADY_RUNS
    if reduction.failures == reduction.runs:
        runs = _STEADY_RUNS
    if reduction.signature.verdict == "timeout":
        runs = 1
    plugins = {
        name: os.path.abspath(to) if os.path.exists(to) else to
        for name, to in options.plugins.items()
    }
    is_costly = reduction.signature.cause in (SLOW, LEAK)
    script = _source("ovgather.comparison", "reproduce.py")
    for old, new in (
        ('WAY = ""', f'WAY = "{trial.placement.way}"'),
        ("IS_COSTLY = False", f"IS_COSTLY = {is_costly}"),
        ('DEVICE = "CPU"', f"DEVICE = {json.dumps(options.device)}"),
        (
            f"CONFIG = {json.dumps(properties({}))}",
            f"CONFIG = {json.dumps(properties(options.config))}",
        ),
        ("PLUGINS: dict[str, str] = {}", f"PLUGINS: dict[str, str] = {plugins}"),
        (
            "TOLERANCE = (0.0, 0.0, 0)",
            f"TOLERANCE = {tuple(tolerance or (0.0, 0.0, 0))}",
        ),
        ("IS_BF16 = False", f"IS_BF16 = {kinds == ['bf16']}"),
        ("RUNS = 3", f"RUNS = {runs}"),
        ("INFERENCES = [0]\n", f"INFERENCES = {inferences}\n"),
    ):
        assert old in script  # else the script would run on its own settings
        script = script.replace(old, new)
    model = reduction.model
    contents = {
        "model.xml": model.text,
        "model.bin": bytes(model.weights),
        "reproduce.py": script.encode(),
    }
    if trial.placement.way or is_costly:
        for name in _MODULES:
            contents[name] = _source("ovgather.runtimes", name).encode()
    for file, rounds in (("inputs.npz", inputs), ("expected.npz", expected)):
        arrays = {
            f"{name}.{number}" if number else name: array
            for number, some in enumerate(rounds)
            for name, array in some.items()
        }
        buffer = io.BytesIO()
        numpy.savez(buffer, **arrays)  # type: ignore[arg-type]
        contents[file] = buffer.getvalue()
    return contents


def _source(package: str, name: str) -> str:
    return files(package).joinpath(name).read_text("utf-8")


def _of_trial(reduction: Reduction) -> tuple[list[int], _Arrays, _Arrays]:
    """Which inputs each inference takes, and these inputs, with the right outputs as far as they are defined."""
    trial = reduction.trial
    inferences = [0]
    trials = [trial]
    if reduction.repeated or reduction.failures < reduction.runs:
        between = other(trial, reduction.repeated or "data")
        inferences *= INFERENCES
        if between is not None:
            inferences = [int(number % 3 == 2) for number in range(INFERENCES)]
            trials.append(between)
    expected = [
        {RESULT: plain(trial.element_types[0], each.want())} if is_right(each) else {}
        for each, is_right in zip(trials, (is_defined, is_exact), strict=False)
    ]
    return inferences, list(map(_inputs, trials)), expected


def _inputs(trial: Trial) -> dict[str, Array]:
    return {name: plain(kind, array) for name, kind, array in trial.parameters()}
