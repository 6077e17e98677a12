"""The cross-check of many files, by any executor; and of the layers in them that a runtime could tell apart."""

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Executor
from functools import partial
from math import inf
from typing import NamedTuple

from ovgather.crosscheck.distinct import key
from ovgather.crosscheck.entry import crosscheck_ir, crosscheck_onnx
from ovgather.crosscheck.ir_layers import family_layers
from ovgather.crosscheck.options import CrosscheckOptions
from ovgather.crosscheck.report import ALONE, FileReport, Record
from ovgather.errors import InvalidModelError
from ovgather.ir.model import Model
from ovgather.layers.formats import read
from ovgather.layers.gather_layer import gather_layers
from ovgather.layers.onnx_node import gather_nodes
from ovgather.layers.reference import LayerReference, reference
from ovgather.validation.check import problem_of
from ovgather.validation.foreign_weights import with_own_values
from ovgather.validation.many.run import each_file


class FileCheck(NamedTuple):
    """Cross-checks files, in any process; of them only the ``chosen`` layers by path, if given."""

    options: CrosscheckOptions
    for_onnx: CrosscheckOptions
    follow_links: bool = False
    weights: str | None = None
    chosen: Mapping[str, Container[LayerReference]] | None = None

    def check(self, path: str) -> tuple[FileReport, ...]:
        """The report on the file ``path``; one that cannot be read is a report that says why."""
        try:
            model = read(path, self.weights, follow_links=self.follow_links)
            if (problem := problem_of(model)) is not None:
                return (FileReport(path, (), problem),)
            if self.chosen is None:
                only = None
            else:
                only = self.chosen.get(path, ())
            if isinstance(model, Model):
                return crosscheck_ir(model, self.options, only).files
            return crosscheck_onnx(model, self.for_onnx, only=only).files
        except InvalidModelError as error:
            return (FileReport(path, (), str(error)),)


def keys_of(path: str, follow_links: bool = False) -> tuple[str, dict[LayerReference, str] | None]:
    """What each layer or node is to a runtime; one of no known operation is like no other. None: an unreadable file."""
    model = read(path, follow_links=follow_links)
    if problem_of(model) is not None:
        return path, None
    if not isinstance(model, Model):
        nodes = gather_nodes(model)
        return path, {
            node.reference: key(node) if node.operation else f"{path} {node.reference}"
            for node in nodes
        }
    keys = {reference(layer): f"{path} {layer.id}" for layer in family_layers(model, None)}
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
        self, paths: Sequence[str], check: FileCheck, executor: Executor | None = None
    ) -> None:
        alone, onnx = (options._replace(mode=ALONE) for options in (check.options, check.for_onnx))
        self.check = check._replace(options=alone, for_onnx=onnx)
        self.executor = executor
        self.keys = dict(
            each_file(paths, partial(keys_of, follow_links=check.follow_links), executor=executor)
        )
        self.first: dict[str, tuple[str, LayerReference]] = {}
        for path, keys in self.keys.items():
            for layer, name in (keys or {}).items():
                self.first.setdefault(name, (path, layer))
        self.layers = sum(len(keys or ()) for keys in self.keys.values())
        self._records: dict[tuple[str, LayerReference], list[Record]] = {}
        self._whole: dict[str, list[FileReport]] = {}

    def run(self) -> None:
        """Run the first of all layers that are the same; see ``each_file``."""
        chosen: dict[str, set[LayerReference]] = {}
        for path, layer in self.first.values():
            chosen.setdefault(path, set()).add(layer)
        paths = [path for path, keys in self.keys.items() if keys is None or path in chosen]
        for reports in each_file(
            paths, self.check._replace(chosen=chosen).check, 1, self.executor, inf
        ):
            self.take(reports)

    def take(self, reports: Iterable[FileReport]) -> None:
        for report in reports:
            if report.error or self.keys[report.path] is None:
                self._whole.setdefault(report.path, []).append(report)
            for record in report.layers:
                self._records.setdefault((report.path, record.layer), []).append(record)

    def reports(self) -> Iterator[FileReport]:
        """The reports on all files, in their order; a layer that was not run has no record."""
        for path, keys in self.keys.items():
            if keys is None or path in self._whole:
                yield from self._whole.get(path, ())
                continue
            pairs = (
                (layer, self._records.get(self.first[name], ())) for layer, name in keys.items()
            )
            yield FileReport(
                path,
                tuple(record._replace(layer=layer) for layer, some in pairs for record in some),
            )
