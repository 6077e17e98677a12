"""Every operation of OpenVINO's opsets, one file per family in a folder per field; ``DECLARATIONS`` is found by itself.

- A new operation: a ``Declaration`` in the file of its family, or a new file. ``tools/generate_operations.py`` writes
  ``index.json``, so that a process imports only the families that its files use. ``ovgather/ir/opsets.json`` says which
  opset has the type.
- A version is declared as a difference from the version before it: ``SOFTMAX_1._replace(since=8, ...)``.
- The rules ask a ``Node`` for shapes, element types, values and attributes, and refuse what OpenVINO's core refuses.

>>> find("softmax", "opset13").name, find("Softplus", "opset1")
('SoftMax-8', None)
"""

from __future__ import annotations

import json
import os
from functools import cache
from importlib import import_module
from pkgutil import iter_modules

from ovgather.ops.declaration import Declaration

_EARLY_OPSETS = ("extension", "experimental")
_EARLY_TYPES = frozenset(
    [
        "ExperimentalDetectronDetectionOutput",
        "ExperimentalDetectronGenerateProposalsSingleImage",
        "ExperimentalDetectronPriorGridGenerator",
        "ExperimentalDetectronROIFeatureExtractor",
        "ExperimentalDetectronTopKROIs",
        "GRUCell",
        "Proposal",
        "RNNCell",
    ]
)
"""Types that early files have in no opset: OpenVINO reads them as those of opset6."""
_EARLY_AS = 6


def find(type: str, opset: str) -> Declaration | None:
    """The version of ``type`` (in any case) that an opset holds; None if nothing declares one."""
    if opset in _EARLY_OPSETS:
        if type in _EARLY_TYPES:
            return _by_opset(type.lower()).get(_EARLY_AS)
        return None
    number = opset.removeprefix("opset")
    if not number.isdecimal() or len(number) > 2:
        return None
    return _by_opset(type.lower()).get(int(number))


@cache
def _by_opset(type: str) -> dict[int, Declaration]:
    family = _families().get(type)
    if family is None:
        return {}
    versions = [each for each in load(family) if each.type.lower() == type]
    versions.sort(key=lambda declaration: declaration.since)
    return {
        number: each
        for each in versions
        for number in range(each.since, each.until + 1)
    }


def types() -> list[str]:
    """All declared types, in lower case."""
    return sorted(_families())


def relatives(type: str) -> list[str]:
    """The declared types of the family of ``type``: a process that knows one has all of them."""
    families = _families()
    return [
        other
        for other, family in families.items()
        if family == families.get(type.lower())
    ]


@cache
def _families() -> dict[str, str]:
    """The family of each type, in lower case."""
    path = os.path.join(os.path.dirname(__file__), "index.json")
    with open(path, encoding="utf-8") as file:
        return {
            type: family for family, types in json.load(file).items() for type in types
        }


def list_families() -> list[str]:
    """The files of the folders of this package but ``common``, such as ``vision.pooling``."""
    folders = [entry.name for entry in iter_modules(__path__) if entry.name != "common"]
    return sorted(
        f"{folder}.{entry.name}"
        for folder in folders
        for entry in iter_modules([os.path.join(__path__[0], folder)])
        if not entry.name.startswith("_")
    )


def load(family: str) -> tuple[Declaration, ...]:
    """The declarations of one file."""
    declarations: tuple[Declaration, ...] = import_module(
        f"{__name__}.{family}"
    ).DECLARATIONS
    return declarations
