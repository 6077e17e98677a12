"""A baseline: the known findings of a set of files, so that only new ones are reported.

A finding is identified by file, code, layer and message, since its line may change. Equal findings are counted.
"""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

from ovgather.errors import ConfigurationError
from ovgather.files.side import open_input
from ovgather.validation.checked import Checked
from ovgather.validation.diagnostic import Diagnostic, Suppressed
from ovgather.validation.selection.configuration import (
    POSITIVE,
    TABLE,
    TEXT,
    read_value,
    relative,
)

VERSION = 1
_OBJECT = TABLE._replace(name="an object")
# Whether findings are reported of a file (the first argument) and a code.
Reports = Callable[[str, str], bool]


class Known(NamedTuple):
    """What tells a finding from others; ``path`` is seen from the baseline, ``layer`` has its bodies before it."""

    path: str
    code: str
    layer: str
    message: str


class Baseline:
    """Known findings and how often each occurs."""

    def __init__(self, path: str, counts: dict[Known, int] | None = None) -> None:
        self.path = path
        self.folder = os.path.dirname(path)
        self.counts = counts or {}
        self.gone = 0

    def apply(self, results: Iterable[Checked], reports: Reports) -> Iterator[Checked]:
        """``results`` without the known findings; afterwards ``gone`` says how many known ones no longer occur."""
        left = Counter(self.counts)
        named = {entry.path for entry in left}
        paths: dict[str, str] = {}
        try:
            for checked in results:
                key = relative(checked.path, self.folder)
                if (
                    not checked.fatal and key in named
                ):  # the error of an unreadable file stays
                    paths[key] = checked.path
                    checked = self._without_known(checked, left)
                yield checked
        finally:
            entries = [
                entry
                for entry in left
                if entry.path in paths and reports(paths[entry.path], entry.code)
            ]
            self.gone = sum(left[entry] for entry in entries)

    def rewritten(self, results: Sequence[Checked], reports: Reports) -> Baseline:
        """A baseline of all findings of ``results``; known findings of other files and codes stay."""
        files = {
            relative(checked.path, self.folder): checked
            for checked in results
            if not checked.fatal
        }
        counts: Counter[Known] = Counter()
        for entry, count in self.counts.items():
            is_checked = entry.path in files and reports(
                files[entry.path].path, entry.code
            )
            exists = entry.path == "-" or os.path.exists(
                os.path.join(self.folder, entry.path)
            )
            if exists and not is_checked:
                counts[entry] = count
        counts.update(
            self._known(diagnostic)
            for checked in files.values()
            for diagnostic in checked.diagnostics
        )
        return Baseline(self.path, counts)

    def dump(self) -> bytes:
        """The file's content: sorted, a finding after the other, so that versions of it can be compared."""
        findings = [
            {**entry._asdict(), "count": count}
            for entry, count in sorted(self.counts.items())
        ]
        text = json.dumps(
            {"version": VERSION, "findings": findings}, indent=1, ensure_ascii=False
        )
        return f"{text}\n".encode("utf-8", "surrogatepass")

    def _without_known(self, checked: Checked, left: Counter[Known]) -> Checked:
        """``checked`` less the findings that are ``left``, which become fewer."""
        reported: list[Diagnostic] = []
        suppressed = list(checked.suppressed)
        for diagnostic in checked.diagnostics:
            entry = self._known(diagnostic)
            if left[entry] > 0:
                left[entry] -= 1
                suppressed.append(Suppressed(diagnostic, "baseline"))
            else:
                reported.append(diagnostic)
        return checked._replace(diagnostics=reported, suppressed=suppressed)

    def _known(self, diagnostic: Diagnostic) -> Known:
        layer = diagnostic.layer
        if layer is not None:
            name = "/".join((*layer.body, layer.name or layer.id))
        else:
            name = ""
        return Known(
            relative(diagnostic.path, self.folder),
            diagnostic.code,
            name,
            diagnostic.message,
        )


def read(path: str) -> Baseline:
    """The baseline in the file ``path``."""
    try:
        with open_input(path) as file:
            document = json.loads(file.read())
    except FileNotFoundError as error:
        raise ConfigurationError(
            f"{path}: there is no such baseline; --write-baseline writes one"
        ) from error
    except OSError as error:
        raise ConfigurationError(f"{path}: cannot be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        message = f"{path}: not a baseline: it is no UTF-8 text"
        raise ConfigurationError(message) from error
    except (ValueError, RecursionError) as error:
        raise ConfigurationError(
            f"{path}: not a baseline: not JSON: {error}"
        ) from error
    if not isinstance(document, dict) or not isinstance(document.get("findings"), list):
        raise ConfigurationError(
            f'{path}: not a baseline: expected {{"version": {VERSION}, "findings": [...]}}'
        )
    if document.get("version") != VERSION:
        raise ConfigurationError(
            f"{path}: version {document.get('version')!r} of a baseline, expected {VERSION}"
        )
    counts: Counter[Known] = Counter()
    for index, entry in enumerate(document["findings"]):
        where = f"{path}: findings[{index}]"
        read_value(_OBJECT, entry, where)
        known = Known(
            *(
                read_value(TEXT, entry.get(name), f"{where}.{name}")
                for name in Known._fields
            )
        )
        counts[known] += read_value(POSITIVE, entry.get("count"), f"{where}.count")
    return Baseline(path, dict(counts))
