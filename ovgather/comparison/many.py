"""The cross-check of many files, by any executor; and of the layers in them that a runtime could tell apart."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from concurrent.futures import Executor
from contextlib import suppress
from functools import partial
from importlib.metadata import PackageNotFoundError, version
from typing import Any, NamedTuple

from ovgather.comparison.distinct import key
from ovgather.comparison.entry import crosscheck_model
from ovgather.comparison.ir_layers import family_layers
from ovgather.comparison.options import CrosscheckOptions
from ovgather.comparison.report import ALONE, FileReport, Record, Report, Stopped
from ovgather.errors import InvalidModelError
from ovgather.ir.model import Model
from ovgather.layers.formats import AnyModel, read
from ovgather.layers.gather_layer import gather_layers
from ovgather.layers.onnx_node import gather_nodes
from ovgather.layers.reference import LayerReference, reference
from ovgather.validation.check import problem_of
from ovgather.validation.foreign_weights import with_own_values
from ovgather.validation.many.cache import Kept
from ovgather.validation.many.record import decoded
from ovgather.validation.many.run import each_file

_KEPT = ("equal", "skipped")  # verdicts that a cache keeps


class FileCheck(NamedTuple):
    """Cross-checks files, in any process; of them only the ``chosen`` layers by path, if given."""

    options: CrosscheckOptions
    for_onnx: CrosscheckOptions
    follow_links: bool = False
    weights: str | None = None
    chosen: Mapping[str, Collection[LayerReference]] | None = None

    def check(self, path: str, model: AnyModel | None = None) -> FileReport:
        """The report on the file ``path``; one that cannot be read is a report that says why."""
        try:
            if model is None:
                model = read(path, self.weights, follow_links=self.follow_links)
            if (problem := problem_of(model)) is not None:
                return FileReport(path, (), problem)
            if self.chosen is None:
                only = None
            else:
                only = self.chosen.get(path, ())
            options = self.options if isinstance(model, Model) else self.for_onnx
            (report,) = crosscheck_model(model, options, only=only)
            return report
        except InvalidModelError as error:
            return FileReport(path, (), str(error))

    def layers_of(self, path: str) -> object:
        """Which layers of the file are run."""
        return self.chosen and sorted(self.chosen.get(path, ()))

    @property
    def kept(self) -> Kept[FileReport]:
        """The cross-check as a cache keeps it: its result depends on the versions of the runtimes, too."""
        how = repr((self._replace(chosen=None), _versions()))
        about = self.layers_of
        weights = self.weights
        return Kept(
            self.check,
            _to_record,
            _from_record,
            how,
            about,
            weights,
            self.follow_links,
            True,
        )


def _versions() -> list[str]:
    """The versions of what computes the results."""
    installed = []
    for name in ("openvino", "onnxruntime", "onnx", "torch", "numpy"):
        with suppress(PackageNotFoundError):
            installed.append(f"{name} {version(name)}")
    return installed


def _to_record(report: FileReport) -> Any:
    """What is as it should be; the rest has arrays as evidence, and runs again."""
    outcomes = [record.outcome for record in report.layers]
    if report.error or any(outcome.verdict not in _KEPT for outcome in outcomes):
        return None
    if any(outcome.first or outcome.evidence for outcome in outcomes):
        return None
    return report.layers


def _from_record(record: Any, path: str) -> FileReport:
    layers: tuple[Record, ...] = decoded(tuple[Record, ...], record)
    for layer in layers:
        if layer.verdict not in _KEPT or layer.outcome.first or layer.outcome.evidence:
            raise ValueError(f"{layer!r} is not kept")
    return FileReport(path, layers)


def keys_of(
    path: str, follow_links: bool = False, weights: str | None = None
) -> tuple[str, dict[LayerReference, str] | None]:
    """What each layer or node is to a runtime; one of no known operation is like no other. None: an unreadable file."""
    model = read(path, weights, follow_links=follow_links)
    if problem_of(model) is not None:
        return path, None
    if not isinstance(model, Model):
        nodes = gather_nodes(model)
        return path, {
            node.reference: key(node) if node.operation else f"{path} {node.reference}"
            for node in nodes
        }
    keys = {
        reference(layer): f"{path} {layer.id}" for layer in family_layers(model, None)
    }
    return path, keys | {
        each.reference: key(each) for each in gather_layers(with_own_values(model))
    }


class Distinct:
    """The layers and nodes of many files, each run once alone for all that are the same to a runtime.

    Attributes:
        layers: how many layers there are.
        first: for each distinct one, where it is run.
    """

    def __init__(
        self,
        paths: Sequence[str],
        check: FileCheck,
        executor: Executor | None = None,
        jobs: int = 1,
    ) -> None:
        alone, onnx = (
            options._replace(mode=ALONE) for options in (check.options, check.for_onnx)
        )
        keys = partial(keys_of, follow_links=check.follow_links, weights=check.weights)
        self.keys = dict(each_file(paths, keys, jobs, executor))
        self.first: dict[str, tuple[str, LayerReference]] = {}
        chosen: dict[str, set[LayerReference]] = {}
        for path, names in self.keys.items():
            for layer, name in (names or {}).items():
                if self.first.setdefault(name, (path, layer)) == (path, layer):
                    chosen.setdefault(path, set()).add(layer)
        self.paths = [
            path for path, names in self.keys.items() if names is None or path in chosen
        ]
        self.layers = sum(len(names or ()) for names in self.keys.values())
        self.check = check._replace(options=alone, for_onnx=onnx, chosen=chosen)
        self._records: dict[tuple[str, LayerReference], list[Record]] = {}

    def reports(self, results: Iterator[FileReport]) -> Iterator[FileReport]:
        """The reports on all files, from the ``results`` for ``paths``, each as soon as its layers have run."""
        run = frozenset(self.paths)
        for path in self.keys:
            result = FileReport(path, ())
            if path in run:
                try:
                    result = next(results)
                except Stopped as stop:
                    (result,) = stop.report
                    raise Stopped(Report([self._report(result)])) from None
            yield self._report(result)
        yield from results  # none; now it says which files are lost

    def _report(self, result: FileReport) -> FileReport:
        """The report on a file, given the ``result`` of the layers that were run in it."""
        for record in result.layers:
            self._records.setdefault((result.path, record.layer), []).append(record)
        keys = self.keys[result.path]
        if result.error or keys is None:
            return result
        pairs = (
            (layer, self._records.get(self.first[name], ()))
            for layer, name in keys.items()
        )
        records = (
            record._replace(layer=layer) for layer, some in pairs for record in some
        )
        return FileReport(result.path, tuple(records))
