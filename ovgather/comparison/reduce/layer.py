"""A layer of a file, or each that fails by a report of crosscheck: cross-checked, and what fails of it made small."""

import json
import os
import re
from collections.abc import Container, Iterator, Mapping
from typing import Any, NamedTuple

from ovgather.comparison.alone.compressed import CompressedRun
from ovgather.comparison.alone.run import TrialRun
from ovgather.comparison.check import Check
from ovgather.comparison.ir_layers import IrLayers, IrRun, family_layers, flowed
from ovgather.comparison.options import (
    OPENVINO,
    REPEATED,
    CrosscheckOptions,
    Tolerance,
    named_ways,
)
from ovgather.comparison.reduce.model import reduce_in_model
from ovgather.comparison.reduce.prober import reduce_in_runtime
from ovgather.comparison.reduce.search import (
    NotReproducedError,
    Progress,
    Reduction,
    Signature,
    is_defined,
    signature,
)
from ovgather.comparison.report import ALONE, GRAVITY, IN_PLACE
from ovgather.comparison.verdict.fault_models import WITHHELD, find_cause
from ovgather.errors import InvalidModelError, short_repr
from ovgather.files.arrays import array_files
from ovgather.files.remote import is_remote
from ovgather.files.side import open_input
from ovgather.ir.graph import Layer
from ovgather.ir.model import Model
from ovgather.layers.gather_layer import GatherLayer
from ovgather.runtimes.costs import SLOW
from ovgather.runtimes.outcome import Outcome, with_notes
from ovgather.runtimes.trial import Trial
from ovgather.runtimes.ways import STAGES, WAYS

_LIMIT = 1 << 28  # bytes of a report
_OF_PATHS = re.compile("DIR|PATH|FILE|DUMP", re.IGNORECASE)
"""In the names of properties whose values are paths."""
_TEXTS = ("id", "name", "variant", "verdict", "against", "device", "cause")
"""Of a layer in a report."""


class Target(NamedTuple):
    """A layer of a file, by name or id with the bodies before it, to reduce, and the name of its reproducer."""

    path: str
    layer: str | None
    options: CrosscheckOptions
    variant: str | None = None
    folder: str = ""


def is_report(path: str) -> bool:
    """Whether the file is JSON, by its first character."""
    try:
        with open_input(path) as file:
            # A file of the system may have nothing to read yet.
            return (file.read(64) or b"").lstrip()[:1] == b"{"
    except OSError:
        return False


def targets(
    path: str,
    options: CrosscheckOptions,
    fixed: Container[str] = (),
    follow_links: bool = False,
) -> Iterator[Target]:
    """The layers that fail by the report, each once for each verdict and cause, with its settings but the ``fixed``.

    The report may come from strangers: it names files below its folder only, unless ``follow_links``, and no library.
    """
    seen: set[tuple[object, ...]] = set()
    try:
        if os.path.getsize(path) > _LIMIT:
            raise ValueError(f"it has more than {_LIMIT} bytes")
        with open_input(path) as stream:
            document = json.load(stream)
        settings = document.get("settings", {})
        own = _like(
            CrosscheckOptions(),
            {name: settings[name] for name in REPEATED if name in settings},
        )
        named_ways(own.get("ways", ()))
        if settings.get("tolerance"):
            own["tolerance"] = Tolerance(**_like(Tolerance(), settings["tolerance"]))
        own = {name: value for name, value in own.items() if name not in fixed}
        _require_no_paths(path, own)
        if "inputs" not in fixed:
            inputs = settings.get("inputs", {})
        else:
            inputs = {}
        for name, entry in (
            (file["path"], entry)
            for file in document["files"]
            for entry in file["layers"]
        ):
            is_target = options.fails(Outcome(entry["verdict"]))
            _require_texts(entry)
            key = (
                name,
                *entry["body"],
                entry["id"],
                entry["verdict"],
                entry.get("cause", ""),
            )
            if is_target and entry["against"] == "openvino" and key not in seen:
                seen.add(key)
                own |= {"device": entry["device"]} if "device" not in fixed else {}
                arrays = (
                    array_files(_beside(path, inputs[name], follow_links))
                    if name in inputs
                    else options.inputs
                )
                words = f"{len(seen)}-{entry['name'] or entry['id']}-{entry['variant']}"
                yield Target(
                    _beside(path, name, follow_links),
                    "/".join([*entry["body"], f"#{entry['id']}"]),
                    options._replace(**own, inputs=arrays),
                    entry["variant"],
                    re.sub(r"[^A-Za-z0-9_.-]+", "-", words)[:80],
                )
    except InvalidModelError:  # of the inputs
        raise
    except KeyError as error:
        raise InvalidModelError(
            f"{path} is no report of crosscheck: it has no {error}"
        ) from error
    except (TypeError, AttributeError) as error:
        raise InvalidModelError(
            f"{path} is no report of crosscheck: a value in it is of another type"
        ) from error
    except (ValueError, RecursionError) as error:
        raise InvalidModelError(
            f"{path} is no report of crosscheck: {error}"
        ) from error


def _like(defaults: NamedTuple, settings: dict[str, Any]) -> dict[str, Any]:
    """``settings``, each a field of ``defaults`` with a value of its type; raises ValueError."""
    if not isinstance(settings, dict) or not settings.keys() <= set(defaults._fields):
        raise ValueError(
            f"{settings!r} is no object with {', '.join(defaults._fields)}"
        )
    for name, value in settings.items():
        default = getattr(defaults, name)
        if not isinstance(
            value, (int, float) if isinstance(default, float) else type(default)
        ):
            raise ValueError(
                f"its {name} is {value!r}, not of the type {type(default).__name__}"
            )
    return settings


def _require_no_paths(report: str, settings: Mapping[str, Any]) -> None:
    """Raise InvalidModelError for a plugin, whose code would run, and for a property that is a path."""
    options = {"--plugin": settings.get("plugins", {}), "--config": {}}
    for name, value in settings.get("config", {}).items():
        if os.sep in value or _OF_PATHS.search(name):
            options["--config"][name] = value
    for option, values in options.items():
        for name, value in values.items():
            raise InvalidModelError(
                f"{report} asks for {option} {short_repr(f'{name}={value}')}: give it"
                " to reduce, if it is yours"
            )


def _require_texts(entry: Mapping[str, Any]) -> None:
    """Raise TypeError where a layer of a report has something else in the place of a text."""
    texts = [entry[name] for name in _TEXTS if entry.get(name) is not None]
    if not all(isinstance(text, str) for text in [*texts, *entry["body"]]):
        raise TypeError(f"{entry!r} has a value that is no text")


def _beside(report: str, path: str, follow_links: bool) -> str:
    """A file that a report names: as it stands there, or from the folder of the report on.

    Raises InvalidModelError where it is not below that folder, as an address is not.
    """
    folder = os.path.dirname(report) or os.curdir
    if not os.path.exists(path) and not is_remote(path):
        path = os.path.join(folder, path)
    root = os.path.join(os.path.realpath(folder), "")
    is_below = not is_remote(path) and os.path.realpath(path).startswith(root)
    if not follow_links and not is_below:
        raise InvalidModelError(
            f"{report} names {short_repr(path)}, which is not below its folder:"
            " --follow-links reads it"
        )
    return path


class Failing(NamedTuple):
    """A variant of a layer that fails, with the trial that does; None where it fails in place and nothing came out.

    ``run`` is the run of the whole model in which it fails in place, or of the part with its compressed table.
    """

    variant: str
    outcome: Outcome
    trial: Trial | None
    run: IrRun | None = None

    @property
    def signature(self) -> Signature:
        return signature(self.outcome)

    @property
    def way(self) -> str:
        """In which of ``ways.WAYS`` it fails; empty where one request does."""
        stage = self.outcome.stage
        return next(
            (way for way in WAYS if self.outcome.cause == way or stage == STAGES[way]),
            "",
        )

    @property
    def own_cause(self) -> str:
        """The cause that this run names by itself; the layer's is named by all its runs."""
        outcome = self.outcome
        if (
            outcome.verdict != "different"
            or outcome.cause in WITHHELD
            or outcome.evidence is None
            or self.way
        ):
            return signature(outcome).cause
        return find_cause(outcome.evidence)[0]


def find_layer(model: Model, reference: str | None) -> Layer:
    """The layer that is asked for; without ``reference`` the only one of the family. Raises InvalidModelError."""
    layers = family_layers(model, reference)
    if len(layers) != 1:
        names = ", ".join(repr(layer.name) for layer in layers[:8]) or "none"
        raise InvalidModelError(
            f"{model.path} holds {len(layers)} Gather layers: --layer says which ({names})"
        )
    return layers[0]


def failures(
    model: Model, layer: Layer, options: CrosscheckOptions, variant: str | None = None
) -> list[Failing]:
    """What fails of a layer in one variant or in the default ones, the gravest first, each kind once."""
    if variant == IN_PLACE:
        options = options._replace(mode=IN_PLACE)
    elif variant is not None:
        # The inputs are those of the whole model: alone the layer runs on random ones.
        options = options._replace(
            mode=ALONE, inputs=None, variants=() if variant == ALONE else (variant,)
        )
    layers = IrLayers(model, [layer], options)
    check = Check(layers, options)
    check.plan()
    check.execute()
    kinds = [
        Failing(
            name,
            outcome,
            run.trial if isinstance(run, TrialRun) else None,
            run.run if isinstance(run, CompressedRun) else None,
        )
        for details in check.details.values()
        for name, run, outcome in details
    ]
    whole = next(
        (plan.run for plan in check.in_model if isinstance(plan.run, IrRun)), None
    )
    gather = layers.gathers[0]
    for (_, name, _), outcome in check.outcomes.items():
        if name == IN_PLACE and isinstance(gather, GatherLayer):
            kinds.append(
                Failing(name, outcome, flowed(gather, outcome.evidence), whole)
            )
    kinds = [
        each
        for each in kinds
        if options.fails(each.outcome) and variant in (None, each.variant)
    ]
    groups: dict[Signature, list[Failing]] = {}
    for failing in sorted(kinds, key=_rank):
        groups.setdefault(failing.signature, []).append(failing)
    return [
        next((each for each in group if each.own_cause == sign.cause), group[0])
        for sign, group in groups.items()
    ]


def _rank(failing: Failing) -> tuple[int, bool, bool]:
    """The gravest failures first, with a cause before those without, on values before those on none."""
    trial = failing.trial
    outcome = failing.outcome
    is_empty = trial is not None and not (trial.data.size and trial.indices.size)
    return GRAVITY.index(outcome.verdict), outcome.cause in WITHHELD, is_empty


def reduce_failing(
    failing: Failing, options: CrosscheckOptions, progress: Progress
) -> Reduction:
    """The failure made small; ``progress`` as ``reduce_trial``. Raises UnavailableError, NotReproducedError.

    A failure that does not shrink stays as it is.
    """
    if failing.trial is None:
        if (part := _part(failing, options)) is not None:
            return part
        raise NotReproducedError(
            "the model fails as a whole, and what flows into the layer is not known"
        )
    if failing.outcome.cause == SLOW:
        raise NotReproducedError(
            "the layer is slow beside the other layers that run alone, and a"
            " reproducer holds one: what it costs is not reduced"
        )
    if failing.outcome.verdict == "different" and not is_defined(failing.trial):
        raise NotReproducedError(
            "the specification does not define the output on these values"
        )
    placement = failing.trial.placement._replace(way=failing.way)
    placements = [failing.trial._replace(placement=placement)]
    if (
        failing.variant == IN_PLACE
    ):  # in the model its inputs may be computed, and its shapes known
        placements += [
            failing.trial._replace(
                placement=placement._replace(static=True, constants=constants)
            )
            for constants in dict.fromkeys((placement.constants, frozenset[str]()))
        ]
    problem = ""
    for trial in placements:
        try:
            reduction = reduce_in_runtime(
                trial, failing.signature, options, OPENVINO, progress
            )
            return reduction._replace(outcome=_explained(reduction, failing))
        except NotReproducedError as error:
            problem = problem or str(error)
    if failing.variant == IN_PLACE:
        if (part := _part(failing, options)) is not None:
            return part
        problem = f"it fails in the model only, and not alone on the values that flow there ({problem})"
    trial = failing.trial
    return Reduction(
        trial, failing.outcome, failing.signature, trial, 0, 0, 0, problem=problem
    )


def _part(failing: Failing, options: CrosscheckOptions) -> Reduction | None:
    """The smallest part of the model in which the layer fails."""
    if failing.run is None:
        return None
    reduction = reduce_in_model(
        failing.run, failing.signature, options, failing.trial, failing.way
    )
    if reduction is None:
        return None
    outcome = with_notes(
        reduction.outcome._replace(cause=failing.outcome.cause),
        failing.outcome.why,
        *failing.outcome.notes,
    )
    return reduction._replace(outcome=outcome)


def _explained(reduction: Reduction, failing: Failing) -> Outcome:
    """The outcome of the smallest trial with the cause of the layer; its own words where they say one thing only."""
    outcome = reduction.outcome
    sign = reduction.signature
    if sign.verdict != "different" or outcome.cause or outcome.evidence is None:
        return outcome
    cause, words = find_cause(outcome.evidence)
    if sign.cause in WITHHELD:
        words = ""
    elif cause != sign.cause:
        words = (
            f"all runs of the layer together name the cause: {failing.outcome.reason}"
        )
    return with_notes(
        outcome._replace(cause=sign.cause, why=words, notes=()), str(reduction.trial)
    )
