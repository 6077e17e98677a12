"""``ovgather crosscheck``: every Gather layer as OpenVINO computes it, against the reference."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from math import inf
from typing import TYPE_CHECKING, Any

import click

from ovgather.cli._shared import completion
from ovgather.cli._shared import files as _files
from ovgather.cli._shared import options as _options
from ovgather.cli._shared.many import ManyFiles
from ovgather.cli._shared.outputs import (
    CLEAN,
    FINDINGS,
    UNREADABLE,
    ReportOptions,
    options_given,
    reserve,
    say,
    say_interrupted,
)
from ovgather.cli._shared.progress import Rate, Stream
from ovgather.comparison import report as _report
from ovgather.comparison.options import (
    MODES,
    OPENVINO,
    REPEAT,
    REPEATED,
    TIMEOUT,
    CrosscheckOptions,
    parsed,
)
from ovgather.comparison.report import ALONE, IN_PLACE
from ovgather.runtimes.ways import WAYS

if TYPE_CHECKING:
    from ovgather.comparison.fuzz import LayerCampaign
    from ovgather.comparison.graphs.campaign import GraphCampaign

_REPEATED = (
    "--inputs",
    "--weights",
    "--follow-links",
    "--device",
    "--static",
    "--timeout",
)
_SETTINGS = ("--config", "--plugin", "--tolerance")
_OF_FUZZ = (
    "--fuzz --graphs --minutes --no-reduce --seed --device --against --start --strict --timeout"
    " --format --output --color --config --plugin --tolerance"
)
_SECTIONS = {
    "Everyday options": "layer inputs quick thorough format output help",
    "What is run": "weights follow-links mode variants ways static seed repeat minutes fuzz graphs no-reduce",
    "Where it runs": "device config plugin against start timeout",
    "Many files": "distinct after jobs cache dask",
    "What is reported": "strict tolerance expected color",
}
"""The options as the help lists them."""
_QUICK: dict[str, Any] = {"variants": "none", "repeat": 1, "ways": []}
_THOROUGH: dict[str, Any] = {"variants": "all", "repeat": 12, "ways": list(WAYS)}


@click.command(cls=_options.Sectioned, sections=_SECTIONS)
@click.argument("paths", metavar="PATH...", nargs=-1, shell_complete=completion.files)
@_options.option(
    "--inputs [NAME=]FILE.npz",
    "The model's inputs, by name or as in0, in1, ... in Parameter order, instead of random ones. With several "
    "models one for each: NAME=FILE.npz.",
    multiple=True,
)
@_options.weights
@_options.follow_links
@_options.layer
@_options.seed_of("random inputs")
@_options.device
@click.option(
    "--static", is_flag=True, help="Run with static shapes. OpenVINO may crash on them."
)
@_options.timeout_of(TIMEOUT)
@click.option(
    "--mode",
    type=click.Choice(MODES),
    default="both",
    show_default=True,
    help="Run each layer alone, in the whole model, or both.",
)
@_options.option(
    "--variants NAMES",
    "Variants of each layer alone: default, all, none, or a list of names or patterns, separated by commas.",
    default="default",
    show_default=True,
    complete="variants",
)
@_options.option(
    "--against RUNTIMES",
    "Runtimes to compare with the reference, separated by commas: openvino, onnxruntime, onnx-reference, torch, "
    "or package:Class for a runtime of your own. "
    "ONNX files run in onnxruntime, unless onnx-reference is named.",
    default="openvino",
    show_default=True,
    complete="runtimes",
)
@_options.option(
    "--start PACKAGE:CLASS",
    "A runtime of your own in the place of OpenVINO: see docs/runtimes.md.",
)
@_options.option(
    "--repeat N",
    "Inferences of the compiled model in place: on other values, on other shapes, and on the first ones again.",
    type=click.IntRange(1),
    default=REPEAT,
    show_default=True,
)
@_options.ways
@click.option("--quick", is_flag=True, help="No variants, and one inference in place.")
@click.option(
    "--thorough",
    is_flag=True,
    help="All variants and ways, and twelve inferences in place.",
)
@_options.tolerance
@_options.config
@_options.plugins
@click.option(
    "--strict", is_flag=True, help="Let known deviations make the exit code 1, too."
)
@_options.option(
    "--expected FILE",
    "Names or patterns of expected failures, one a line: LAYER VARIANT RUNTIME.",
    type=_options.existing_file,
)
@click.option(
    "--distinct",
    is_flag=True,
    help="Run layers that are the same to a runtime only once, alone, and report all.",
)
@_options.many_files
@_options.option(
    "--fuzz N",
    "Run N random layers instead of files. -o names a folder for reproducers.",
    type=click.IntRange(1),
)
@click.option(
    "--graphs",
    is_flag=True,
    help="With --fuzz: run N random models around Gather layers instead.",
)
@_options.option(
    "--minutes M",
    "Go on for M minutes, on other random inputs in all ways; with --fuzz --graphs start no model after M minutes.",
    type=_options.Duration(),
)
@click.option(
    "--no-reduce", is_flag=True, help="With --fuzz: do not make failures small."
)
@_options.report("crosscheck")
def command(
    paths: tuple[str, ...],
    weights: str | None,
    follow_links: bool,
    distinct: bool,
    jobs: str | None,
    cache: str | None,
    dask: str | None,
    after: str | None,
    fuzz: int | None,
    graphs: bool,
    minutes: float | None,
    no_reduce: bool,
    inputs: tuple[str, ...],
    expected: str | None,
    report: ReportOptions,
    **how: Any,
) -> int:
    """Run the Gather layers of the IR files PATH in OpenVINO and compare them with the reference, bit by bit.

    OpenVINO runs in a child process, so a crash is a verdict. Exit code 1: a layer differs, fails, crashes or hangs;
    5: a runtime or the device is missing; 130: Ctrl-C or SIGTERM, after the results so far.

    The nodes of an ONNX file run in onnxruntime. Two PATHs, an ONNX file and the IR made from it, run on the same
    inputs and are compared layer by layer.

    \b
    ovgather crosscheck model.xml --inputs real.npz --strict
    ovgather crosscheck --fuzz 10000 --seed 1 -o bugs
    """
    from ovgather.cli._shared import crosscheck_files as _crosscheck_files
    from ovgather.comparison.expected import ExpectedFailures, expected_failures

    if fuzz is None and (no_reduce or graphs):
        name = "--graphs" if graphs else "--no-reduce"
        raise click.UsageError(f"{name} goes with --fuzz N")
    if minutes is not None and fuzz is not None and not graphs:
        raise click.UsageError("--minutes does not go with --fuzz N without --graphs")
    is_pair = sorted(path.lower().rpartition(".")[2] for path in paths) == [
        "onnx",
        "xml",
    ]
    if fuzz is not None:
        _require_fuzz_options(paths, report)
        _require_use(is_pair)
        if not graphs:
            return _fuzz_layers(fuzz, report, no_reduce, how)
        from ovgather.comparison.graphs.campaign import GraphCampaign

        options = _crosscheck_options(**how)
        graph_campaign = GraphCampaign(fuzz, options, minutes or inf, report.output)
        return _fuzz(graph_campaign, report, no_reduce)
    if not paths:
        raise click.UsageError(
            "Missing argument 'PATH...': name files, or take random layers with --fuzz N."
        )
    options = _crosscheck_options(**how)._replace(minutes=minutes or 0.0)
    _require_use(is_pair)
    matching = _files.find(
        paths, None if is_pair else weights, onnx=True, follow_links=follow_links
    )
    inputs_of = _inputs(inputs, matching.paths)
    reserve((report.output,), matching.paths, (weights, expected, *inputs_of.values()))
    listed = ""
    if expected is not None:
        listed = _files.read_bytes(expected).decode("utf-8", "replace")
    failures = ExpectedFailures(expected_failures(listed))
    how_read = inputs_of, weights, follow_links
    files = ManyFiles.of(matching.paths, jobs, cache, dask, after, default=1)
    if is_pair:
        checks = _crosscheck_files.pair(paths, options, *how_read)
    elif distinct or jobs is not None or cache is not None or dask is not None:
        checks = _crosscheck_files.many(files, options, *how_read, distinct)
    else:
        checks = _crosscheck_files.each_alone(files.paths, options, *how_read)
    code_of = _ExitCode(options.strict)
    stream = Stream(map(failures, checks), code_of)
    about: dict[str, Any] = {}
    if report.format == "json":
        about = {"settings": _settings(options, inputs_of)}
    elif report.format == "html":
        about = _origin(options.seed)
    if report.format == "text":
        report.show(stream, **about)
    else:  # an error of a later file leaves no part of a document
        report.show(list(stream), **about)
    code = stream.exit_code(1 if is_pair else len(files.paths), cache is not None)
    is_whole = after is None and how["layer"] is None
    if is_whole and not stream.interrupted:
        failures.require_known()
    if code == CLEAN and code_of.files and code_of.verdicts <= {"skipped"}:
        code = FINDINGS
    return matching.exit_code(code)


class _ExitCode:
    """The exit code of each file, the number of ``files``, and the ``verdicts`` in all of them."""

    def __init__(self, strict: bool) -> None:
        self.strict = strict
        self.files = 0
        self.verdicts: set[str] = set()

    def __call__(self, file: _report.FileReport) -> int:
        report = _report.Report([file], self.strict)
        self.files += 1
        self.verdicts.update(record.verdict for record in file)
        if file.error:
            return UNREADABLE
        if report.ok or report.nothing_compared:
            return CLEAN
        return FINDINGS


def _require_use(is_pair: bool) -> None:
    """Refuse an option on the command line that nothing would come of, beside the other ones."""
    values = click.get_current_context().params
    given = options_given()
    rows = (
        (
            is_pair,
            "--against --mode --variants --ways --static --repeat --distinct --after --jobs --cache --dask",
            "does not go with an ONNX file beside its IR: both are run as they are",
        ),
        (
            values["mode"] == ALONE or values["distinct"],
            "--repeat --ways",
            "is of whole models: it does not go with layers alone (--mode alone, --distinct)",
        ),
        (
            values["mode"] == IN_PLACE,
            "--variants",
            "is of layers alone: it does not go with --mode in-place",
        ),
        (
            OPENVINO not in values["against"].split(","),
            "--start --device --config --plugin --repeat --ways --graphs",
            "is of OpenVINO, which --against leaves out",
        ),
        (
            not any(name in values["device"] for name in values["plugins"]),
            "--plugin",
            "is for a device that --device names",
        ),
    )
    for is_so, names, words in rows:
        for name in names.split():
            if is_so and given.get(name, ["none"]) != ["none"]:
                raise click.UsageError(f"{name} {words}")


def _require_fuzz_options(paths: tuple[str, ...], report: ReportOptions) -> None:
    """Refuse the options that random layers and models have no use for."""
    from ovgather.files.whole import require_creatable

    others = [name for name in options_given() if name not in _OF_FUZZ.split()]
    for option in (*paths[:1], *others):
        raise click.UsageError(f"--fuzz makes its own layers and takes no {option}")
    if report.format not in ("text", "json"):
        raise click.UsageError(f"--fuzz prints text or json, not {report.format}")
    if report.output is not None:
        require_creatable(report.output)


def _fuzz(
    campaign: LayerCampaign | GraphCampaign, report: ReportOptions, no_reduce: bool
) -> int:
    """Run random layers or models, make one failure of each kind small, and print all; the exit code."""
    with Rate("Running random cases") as rate:
        campaign.run(rate.reached)
    if not campaign.interrupted and not no_reduce:
        with Rate("Making failures small") as rate:
            campaign.reduce(rate.reached)
    report._replace(what="fuzz", output=None).show([campaign])
    if campaign.interrupted:
        return say_interrupted()
    if campaign.groups:
        return FINDINGS
    return CLEAN


def _fuzz_layers(
    limit: int, report: ReportOptions, no_reduce: bool, how: dict[str, Any]
) -> int:
    from ovgather.comparison.fuzz import LayerCampaign, write_all

    campaign = LayerCampaign(limit, _crosscheck_options(**how))
    code = _fuzz(campaign, report, no_reduce)
    if report.output is not None:
        reproducers, reason = write_all(campaign, report.output)
        for path in reproducers:
            say(f"a reproducer in {path}")
        if reason:
            say(f"no reproducer for {reason}")
    return code


def _crosscheck_options(
    quick: bool,
    thorough: bool,
    start: str | None,
    against: str,
    variants: str,
    tolerance: str | None,
    **how: Any,
) -> CrosscheckOptions:
    from ovgather.comparison.entry import with_start
    from ovgather.runtimes.adapters import names

    presets = [
        name for name, is_set in (("quick", quick), ("thorough", thorough)) if is_set
    ]
    if presets:
        written = [name for name in _QUICK if f"--{name}" in options_given()]
        for clash in [*presets[1:], *written]:
            raise click.UsageError(f"--{presets[0]} does not go with --{clash}")
    how |= {"variants": variants} | (_QUICK if quick else _THOROUGH if thorough else {})
    how["variants"] = how["variants"].split(",")
    runtimes = list(dict.fromkeys(against.split(",")))
    for name in runtimes:
        if name not in names() and ":" not in name:
            raise click.BadParameter(
                f"{name!r} is none of {', '.join(names())}", param_hint="--against"
            )
    return CrosscheckOptions(
        against=with_start(start, runtimes)[1], tolerance=parsed(tolerance), **how
    )


def _inputs(texts: Iterable[str], models: Sequence[str]) -> dict[str, str]:
    """The file of inputs for each model; without a name it is for all of them."""
    files: dict[str, str] = {}
    for text in texts:
        name, _, file = text.rpartition("=")
        if not name or os.path.exists(text):
            name = ""
            file = text
        named = [path for path in models if name in (path, os.path.basename(path), "")]
        if not named:
            raise click.BadParameter(
                f"{name!r} is none of {', '.join(models)}", param_hint="--inputs"
            )
        if not os.path.isfile(file):
            raise click.BadParameter(
                f"File {file!r} does not exist.", param_hint="--inputs"
            )
        if not files.keys().isdisjoint(named):
            raise click.UsageError(
                f"two --inputs for {named[0]}: several models take --inputs NAME=FILE.npz"
            )
        files |= dict.fromkeys(named, file)
    return files


def _settings(options: CrosscheckOptions, inputs: dict[str, str]) -> dict[str, object]:
    """What `reduce` needs to find a failure of the report again."""
    settings: dict[str, object] = {name: getattr(options, name) for name in REPEATED}
    return {
        **settings,
        "tolerance": options.tolerance and options.tolerance._asdict(),
        "inputs": inputs,
    }


def _origin(seed: int) -> dict[str, object]:
    """What only a page has: the options that repeat one run of it."""
    options = options_given()
    inputs = options.pop("--inputs", [])
    if len(inputs) == 1:
        options["--inputs"] = [
            inputs[0] if os.path.exists(inputs[0]) else inputs[0].rpartition("=")[2]
        ]
    repeat = {name: "".join(options[name][:1]) for name in _REPEATED if name in options}
    settings = {
        f"{name}={value}": "" for name in _SETTINGS for value in options.get(name, ())
    }
    return {"seed": seed, "repeat": {"--seed": str(seed), **repeat, **settings}}
