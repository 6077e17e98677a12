"""The conformance of a device: cases, run in chunks whose results a file keeps, pass rates, and expected failures.

The cases are every operation version on all ranks, axes, types, forms and kinds of indices. Structures (ranks, axis,
batch dims) are run on one type, types on two structures, kinds of indices on three: the whole product would tell
nothing else.
"""

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import CancelledError, Executor
from functools import partial
from itertools import product
from typing import NamedTuple

from ovgather.comparison.alone import variants
from ovgather.comparison.alone.run import plan_alone, run_trials
from ovgather.comparison.distinct import key
from ovgather.comparison.expected import matching
from ovgather.comparison.options import CrosscheckOptions
from ovgather.comparison.report import FAILING
from ovgather.comparison.verdict.judge import is_cpu
from ovgather.errors import (
    ConfigurationError,
    ExecutorError,
    UnavailableError,
    WorkerError,
)
from ovgather.files.side import open_input
from ovgather.files.whole import write_whole
from ovgather.layers.gather_layer import GatherLayer
from ovgather.layers.reference import called
from ovgather.ops import openvino as ops
from ovgather.ops.operation import INTEGERS, Operation
from ovgather.ops.sampling import values
from ovgather.runtimes.outcome import Outcome, Skip
from ovgather.runtimes.pool import Interrupted
from ovgather.runtimes.trial import RUNNABLE, Placement, Trial
from ovgather.runtimes.ways import WAYS
from ovgather.tensor.element_type import named
from ovgather.tensor.shape import PartialShape
from ovgather.tensor.value import PublicValue

_CHUNK = 256
_TASK = 128  # cases in a task of an executor, which is given eight tasks at a time
_CONFIRMATIONS = 1
_LENGTHS = (3, 4, 2, 5, 3)
_CONSTANTS = ((), ("data",), ("indices",), ("data", "indices"))
_FILLINGS = (
    "legal",
    "negative",
    "boundary",
    "descending",
    "outside",
    "far",
    "no-indices",
    "no-data",
)
KERNELS = {
    "Gather": ("jit_avx512", "jit_avx2", "ref_any"),
    "GatherElements": ("ref_any",),
    "GatherND": ("ref_any",),
}
"""What the CPU plugin has for each type (intel_cpu/src/nodes/gather.cpp), whatever the element type."""
_Structure = tuple[variants.Shapes, "int | None", int]
"""Shapes, axis and batch dims."""
_Choice = tuple[_Structure, str, str, bool, tuple[str, ...], str, str]
"""Structure, types of data and indices, whether the shapes are static, constants, kind of indices, and the way."""


class ConformanceCase(NamedTuple):
    """A trial, made when it is run, with a name that stays the same; ``where`` is the layer of a zoo."""

    name: str
    operation: str
    type: str
    trial: Callable[[], Trial]
    where: str = ""


def generated(seed: int = 0) -> Iterator[ConformanceCase]:
    """The matrix, each case once."""
    cases: dict[str, ConformanceCase] = {}
    for operation in ops.OPERATIONS:
        for choice in _choices(operation):
            if (case := _case(operation, seed, choice)) is not None:
                cases.setdefault(case.name, case)
    yield from cases.values()


def of_zoo(
    gathers: Iterable[GatherLayer], options: CrosscheckOptions
) -> Iterator[ConformanceCase]:
    """The distinct layers of a zoo, each once, on random values; those that cannot run are left out."""
    firsts: dict[str, GatherLayer] = {}
    for gather in gathers:
        firsts.setdefault(key(gather), gather)
    for name, gather in firsts.items():
        try:
            run = plan_alone(gather, options)
        except Skip:
            continue
        where = f"{gather.model.path}: {called(gather.reference)}"
        kind = str(gather.element_types[0] or "f32")
        yield ConformanceCase(
            f"zoo/{name}",
            gather.operation.name,
            kind,
            partial(getattr, run, "trial"),
            where,
        )


def _choices(operation: Operation) -> Iterator[_Choice]:
    structures = list(_structures(operation))
    declared = operation.inputs[1].types
    index_types = [
        name for name in sorted(INTEGERS) if declared is None or name in declared
    ]
    index_types = [name for name in index_types if values.can_index(named(name))]
    middle = [each for each in structures if len(each[0][0]) == 3]
    few = [middle[0], middle[-1]]
    plain = ["f32"], ["i64"], (False, True), [()], ["legal"]
    yield from product(structures, *plain, [""])
    yield from product(_sized(operation, middle[0]), *plain, [""])
    yield from product(few, *plain, WAYS)
    for structure, kind in product(few, RUNNABLE):
        yield from product(
            [structure], [kind], ["i32"], [False], _CONSTANTS, ["legal"], [""]
        )
        yield structure, kind, "i64", True, (), "legal", ""
    yield from product(
        few,
        ["f32"],
        index_types,
        [False],
        _CONSTANTS[:3:2],
        ("legal", "negative", "boundary"),
        [""],
    )
    few = [*few, structures[0]]
    types = ("f32", "i32", "u8")
    for structure, static, fill, constants, kind in product(
        few, (False, True), _FILLINGS, _CONSTANTS[:3:2], types
    ):
        yield structure, kind, "i64", static, constants, fill, ""


def _sized(operation: Operation, structure: _Structure) -> Iterator[_Structure]:
    """A structure with dims of 1, and of lengths around those of vectors and of what threads share."""
    shapes, axis, batch = structure
    types = named("f32"), named("i64")
    opset = operation.opsets[-1]
    layer = variants.LayerCase(
        operation, opset, types, shapes, axis, batch, Placement(), 0
    )
    for swept in dict.fromkeys((layer.ones(), *layer.swept())):
        yield swept, axis, batch


def _structures(operation: Operation) -> Iterator[_Structure]:
    """The last axis is written as a negative one, too."""
    for rank in range(1, len(_LENGTHS) + 1):
        data = _LENGTHS[:rank]
        if operation.indexes_by_tuples:
            for batch in range(rank if operation.has_batch_dims else 1):
                for parts, own in product(
                    range(1, rank - batch + 1), ((), (2,), (2, 3))
                ):
                    yield (data, (*data[:batch], *own, parts)), None, batch
            continue
        for axis in (*range(rank), -1):
            place = axis % rank
            if operation.indices_have_rank_of_data:
                yield (data, (*data[:place], 2, *data[place + 1 :])), axis, 0
                continue
            for batch in range(place + 1 if operation.has_batch_dims else 1):
                for own in ((), (2,), (2, 3)):
                    yield (data, (*data[:batch], *own)), axis, batch


def _case(operation: Operation, seed: int, choice: _Choice) -> ConformanceCase | None:
    (shapes, axis, batch), data, indices, static, constants, fill, way = choice
    types = named(data), named(indices)
    static_shapes = [PartialShape.of(shape) for shape in shapes]
    if operation.check(static_shapes, axis=axis, batch_dims=batch, element_types=types):
        return None
    if data == "string" and (not operation.indices_replace_axis or types[1].bits < 32):
        return None  # no plugin takes it
    layer = variants.LayerCase(
        operation, operation.opsets[-1], types, shapes, axis, batch, Placement(), seed
    )
    is_empty = fill.startswith("no-")
    if is_empty:
        trial = layer.emptied(fill[3:])
    else:
        trial = layer.filled(fill, constants)
    if trial is None or (is_empty and constants):
        return None
    placement = trial.placement._replace(static=static, way=way)
    trial = trial._replace(placement=placement)
    arrays = ("data", trial.data), ("indices", trial.indices)
    inputs = " ".join(
        f"{name}[{','.join(map(str, array.shape))}]" for name, array in arrays
    )
    attributes = [f"axis={axis}"] * (axis is not None) + [f"batch_dims={batch}"] * bool(
        batch
    )
    form = "+".join(
        ["static" if static else "dynamic", *(f"const-{name}" for name in constants)]
    )
    words = [f"{operation.name}/{data}/{indices}", inputs, *attributes, form, fill]
    words += [way] * bool(way)
    return ConformanceCase(" ".join(words), operation.name, data, lambda: trial)


class Result(NamedTuple):
    """What came of a case; ``where`` is the layer of a zoo."""

    name: str
    operation: str
    type: str
    verdict: str
    cause: str = ""
    reason: str = ""
    where: str = ""
    kernel: str = ""
    seconds: float = 0.0

    @property
    def fails(self) -> bool:
        """Whether the device is wrong; a known deviation passes."""
        return self.verdict in FAILING


_KINDS = [*map(type, Result("", "", "", ""))]


class Conformance(PublicValue):
    """The results of a device; ``expected`` are names of failing cases, or patterns of them (None: no list)."""

    def __init__(
        self,
        device: str,
        results: Iterable[Result],
        total: int,
        expected: Sequence[str] | None = None,
    ) -> None:
        self.device = device
        self.results = list(results)
        self.total = total
        self.expected = expected
        names = {each.name for each in self.results}
        self._names = {entry: matching(entry, names) for entry in expected or ()}
        self.kernels = kernels_reached(self.results)
        self.never_reached = never_reached(self.results) if is_cpu(device) else []
        known = set[str]().union(*self._names.values())
        self.still = [
            each for each in self.results if each.fails and each.name in known
        ]
        self.new = [
            each for each in self.results if each.fails and each.name not in known
        ]

    def facts(self) -> Iterator[object]:
        yield self.device
        yield self.total
        yield self.expected
        yield self.results

    @property
    def fixed(self) -> list[str]:
        """The expected failures that ran and do not fail; a pattern, if nothing that it matches fails."""
        ran = {each.name for each in self.results if each.verdict != "skipped"}
        failing = {each.name for each in self.still}
        return [
            entry
            for entry, names in self._names.items()
            if names & ran and not names & failing
        ]

    def status(self, result: Result) -> str:
        """``passes``, ``known`` (a deviation), ``new`` or ``expected`` (failures), or ``skipped``."""
        if result.fails:
            if result in self.still:
                return "expected"
            return "new"
        if result.verdict in ("known", "skipped"):
            return result.verdict
        return "passes"

    def rates(self, field: str) -> Iterator[tuple[str, int, int, int]]:
        """Each ``operation`` or ``type``, how many cases pass, how many of these deviate as is known, and all."""
        counts: dict[str, Counter[str]] = {}
        for each in self.results:
            if each.verdict != "skipped":
                counts.setdefault(getattr(each, field), Counter())[
                    "fails" if each.fails else each.verdict
                ] += 1
        for name, counter in sorted(counts.items()):
            total = counter.total()
            yield name, total - counter["fails"], counter["known"], total


def kernels_reached(results: Iterable[Result]) -> dict[str, dict[str, int]]:
    """By operation, how many cases reached each kernel that any case reaches: 0 for what only others do.

    A case without a kernel was folded, did not run, or ran where the runtime does not tell.
    """
    counts: dict[str, Counter[str]] = {}
    for each in results:
        if each.kernel:
            counts.setdefault(each.operation, Counter())[each.kernel] += 1
    every = sorted(set[str]().union(*counts.values()))
    return {
        name: {kernel: counts[name][kernel] for kernel in every}
        for name in sorted(counts)
    }


def never_reached(results: Sequence[Result]) -> list[str]:
    """The kernels of the CPU plugin that no case reached."""
    reached = {each.kernel for each in results}
    every = [f"{type} {name}" for type, names in KERNELS.items() for name in names]
    return [
        kernel
        for kernel in every
        if not any(each.startswith(f"{kernel}_") for each in reached)
    ]


def run(
    cases: Sequence[ConformanceCase],
    options: CrosscheckOptions,
    state: str | None = None,
    progress: Callable[[int, int], None] = lambda known, total: None,
    executor: Executor | None = None,
) -> tuple[list[Result], KeyboardInterrupt | ExecutorError | None]:
    """The results of the cases, in their order, and what ended the run before all are known, if anything.

    ``state`` is a file with results of an earlier run on the same device, and gets those of this one.
    """
    head = {"device": options.device, "seed": options.seed}
    if state is not None:
        known = _load(state, head)
    else:
        known = {}
    waiting = [case for case in cases if case.name not in known]
    options = options._replace(confirmations=_CONFIRMATIONS)
    chunk: Sequence[ConformanceCase] = ()

    def keep(outcomes: Mapping[int, Outcome]) -> None:
        for case, outcome in ((chunk[at], outcome) for at, outcome in outcomes.items()):
            reason = "" if outcome.verdict == "equal" else outcome.reason
            kernel = ""
            if outcome.kernel is not None:
                kernel = f"{outcome.kernel.type} {outcome.kernel.name}"
            known[case.name] = Result(
                case.name,
                case.operation,
                case.type,
                outcome.verdict,
                outcome.cause,
                reason,
                case.where,
                kernel,
                outcome.seconds,
            )
        if state is not None:
            lines = [json.dumps(head), *(json.dumps(each) for each in known.values())]
            write_whole([(state, ("\n".join(lines).encode(), b"\n"))])

    if executor is None:
        size = _CHUNK
    else:
        size = 8 * _TASK
    keep({})  # a file that cannot be written ends the run before it begins
    try:
        for start in range(0, len(waiting), size):
            chunk = waiting[start : start + size]
            trials = [case.trial for case in chunk]
            if executor is None:
                answers = run_trials(trials, options)
            else:
                answers = _run_elsewhere(chunk, options, executor)
            keep(dict(enumerate(answers)))
            progress(len(cases) - len(waiting) + start + len(chunk), len(cases))
    except (KeyboardInterrupt, ExecutorError) as stop:
        if isinstance(stop, Interrupted):
            outcomes = stop.known
        else:
            outcomes = {}
        # What differs is not confirmed yet.
        keep(
            {
                at: outcome
                for at, outcome in outcomes.items()
                if outcome.verdict != "different"
            }
        )
        return [known[case.name] for case in cases if case.name in known], stop
    return [known[case.name] for case in cases], None


def _run_elsewhere(
    cases: Sequence[ConformanceCase], options: CrosscheckOptions, executor: Executor
) -> list[Outcome]:
    """The outcomes of ``cases`` by the workers of ``executor``; WorkerError if it gives up."""
    trials = [case.trial() for case in cases]
    groups = (trials[start : start + _TASK] for start in range(0, len(trials), _TASK))
    tasks = [executor.submit(run_trials, group, options) for group in groups]
    try:
        return [outcome for task in tasks for outcome in task.result()]
    except UnavailableError:
        raise
    except Exception as error:  # of any library
        kind = WorkerError
        if isinstance(error, CancelledError):
            kind = ExecutorError
        raise kind(
            f"the executor gave up a task of {cases[0].name}: {error!r}"
        ) from error


def _load(path: str, head: Mapping[str, object]) -> dict[str, Result]:
    try:
        with open_input(path) as file:
            lines = file.read().splitlines()
    except FileNotFoundError:
        return {}
    except OSError as error:
        reason = error.strerror or error
        raise ConfigurationError(f"{path} cannot be read: {reason}") from error
    try:
        own, *rest = map(json.loads, lines)
        results = [Result(*each) for each in rest]
        if any([*map(type, each)] != _KINDS for each in results):
            raise ValueError("a result has fields of other kinds")
    except (ValueError, TypeError, RecursionError) as error:
        raise ConfigurationError(
            f"{path} does not hold results of conformance: {error}"
        ) from error
    if own != head:
        raise ConfigurationError(
            f"{path} holds results of {_words(own)}, not of {_words(head)}: name another file"
        )
    return {each.name: each for each in results}


def _words(head: object) -> str:
    pairs: Iterable[tuple[object, object]] = (
        head.items() if isinstance(head, Mapping) else ()
    )
    return ", ".join(f"{name} {value}" for name, value in pairs) or "another program"
