"""Attributes of ``<data>`` that an operation does not have, or whose text OpenVINO reads only in part."""

from collections.abc import Iterable, Iterator
from functools import cache
from typing import Any, NamedTuple

from ovgather.forward.attributes import is_read_whole, value_read
from ovgather.forward.records import find_layer
from ovgather.ir.graph import Layer, LayerSignature, Problem
from ovgather.layers.gather_layer import is_family_type
from ovgather.ops.declaration import MISSING, Attribute, Declaration
from ovgather.ops.declared import list_families, load
from ovgather.text import closest

_RUNTIME = frozenset(
    {
        "PrimitivesPriority",
        "offset",
        "size",
        "element_type",
        "auto_broadcast",
        "alt_width",
    }
)
"""Attributes that OpenVINO writes or reads on any layer."""
_LONGEST = 32  # no longer word resembles an attribute
FAMILY = frozenset({"axis", "batch_dims"})
_LIKENESS, _LIKENESS_OF_OPTIONAL = 0.6, 0.8
"""Layers of old converters have attributes that resemble one of the operation by chance."""


class Data(NamedTuple):
    """The attributes that layers of one operation state; ``is_family``: a rule speaks of each of them."""

    declaration: Declaration
    texts: dict[str, str]
    is_family: bool

    @property
    def unknown(self) -> list[str]:
        """The attributes that the operation does not have: of other types than Gather those that resemble its own."""
        names = self.names
        others = [
            name for name in self.texts if name not in names and name not in _RUNTIME
        ]
        return [
            name for name in others if self.is_family or self.intended(name) is not None
        ]

    @property
    def other_type(self) -> str | None:
        """A type that has all the attributes, where the operation has none of them, and needs none."""
        if not self.texts or self.unknown:
            return None
        if any(each.default is MISSING for each in self.declaration.attributes):
            return None  # OpenVINO refuses the layer
        if not {*self.names, *_RUNTIME}.isdisjoint(self.texts):
            return None
        return _type_with(frozenset(self.texts))

    @property
    def names(self) -> list[str]:
        return [attribute.name for attribute in self.declaration.attributes]

    @property
    def partly_read(self) -> list[Attribute]:
        """The attributes whose text OpenVINO does not read as it stands, or at all."""
        written = [
            attribute
            for attribute in self.declaration.attributes
            if attribute.name in self.texts
        ]
        return [
            attribute
            for attribute in written
            if not is_read_whole(self.texts[attribute.name], attribute)
        ]

    @property
    def missing(self) -> list[Attribute]:
        """The attributes that the specification requires, which are neither there nor misspelt."""
        absent = [
            item
            for item in self.declaration.attributes
            if item.required and item.name not in self.texts
        ]
        if not absent or absent[0].default is MISSING:
            return []  # OpenVINO refuses the layer
        misspelt = [self.intended(name) for name in self.unknown]
        return [item for item in absent if item.name not in misspelt]

    def intended(self, name: str) -> str | None:
        """The attribute of the operation that ``name`` is probably a misspelling of: rather one that is not there."""
        letters = _letters(name)
        attributes = self.declaration.attributes
        absent = [item for item in attributes if item.name not in self.texts]
        required = [item.name for item in absent if item.required]
        close = _closest(letters, required, _LIKENESS) or _closest(
            letters, [item.name for item in absent], _LIKENESS_OF_OPTIONAL
        )
        if close is None and self.is_family:
            close = _closest(letters, self.names, _LIKENESS)
        return close

    def is_harmless(self, name: str, close: str | None) -> bool:
        """Whether an unknown attribute, ``close`` to one of the operation's or to none, asks for nothing."""
        if close is not None:
            return not self.is_family and self.is_default(name, close)
        return name.lower() not in FAMILY or (
            name in FAMILY and self.texts[name] == "0"
        )

    def default(self, name: str) -> Any:
        """What OpenVINO takes where an attribute is absent; ``MISSING``: it refuses the layer."""
        return self._attribute(name).default

    def is_default(self, name: str, close: str) -> bool:
        """Whether the text of attribute ``name`` says what ``close`` is without it."""
        default = self.default(close)
        return (
            default is not MISSING
            and value_read(self.texts[name], self._attribute(close)) == default
        )

    def _attribute(self, name: str) -> Attribute:
        return next(
            attribute
            for attribute in self.declaration.attributes
            if attribute.name == name
        )


@cache
def _type_with(names: frozenset[str]) -> str | None:
    """A type whose attributes include ``names``, the one with the fewest others."""
    every = [each for family in list_families() for each in load(family)]
    having = [
        each
        for each in every
        if names.issubset([attribute.name for attribute in each.attributes])
    ]
    fewest = min(having, key=lambda each: len(each.attributes), default=None)
    return None if fewest is None else fewest.type


def on_layer(problems: Iterable[Problem]) -> Iterator[tuple[Problem, Layer]]:
    """Those of the extra attributes of ``<layer>`` that the operation reads in ``<data>``, where they are not."""
    for problem in problems:
        layer = problem.layer
        name = problem.subject.lower()
        if layer is None or name in layer.data:
            continue
        declaration = find_layer(layer.signature)
        if declaration is not None and name in [
            each.name for each in declaration.attributes
        ]:
            yield problem, layer


def written_attributes(
    forms: Iterable[LayerSignature],
) -> list[tuple[Data, list[LayerSignature]]]:
    """The attributes of the forms of known operations, each with the forms that state it."""
    alike: dict[tuple[str, str, int], list[LayerSignature]] = {}
    for form in forms:
        # Equal attributes are one object.
        key = (
            form.type,
            form.version,
            id(form.data),
        )
        alike.setdefault(key, []).append(form)
    written = []
    for group in alike.values():
        declaration = find_layer(group[0])
        if (
            declaration is not None and declaration.inputs
        ):  # of Parameter and Const other rules ask
            data = Data(declaration, group[0].data, is_family_type(group[0].type))
            written.append((data, group))
    return written


def _closest(letters: str, names: list[str], likeness: float) -> str | None:
    if len(letters) > _LONGEST:
        return None
    plain = {_letters(name): name for name in names}
    close = closest(letters, plain, cutoff=likeness)
    if close:
        return plain[close]
    return None


def _letters(name: str) -> str:
    return name.lower().replace("_", "").replace("-", "")
