"""The schemas of what ovgather reads and writes: XSD of IR v10 and v11, JSON Schema of the verbs' ``--format json``
and of ``validate --format gitlab``. (SARIF and JUnit have schemas of their own.)

>>> [name for name in NAMES if name.startswith("validate")]
['validate-gitlab.schema.json', 'validate.schema.json']

An editor checks a file while it is being written once its root names the schema::

    <net xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"
         xsi:noNamespaceSchemaLocation="ir-v11.xsd" name="m" version="11">
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from lxml import etree

_FOLDER = os.path.dirname(os.path.abspath(__file__))
_PARTS = ("ir-common.xsd",)
NAMES = tuple(
    sorted(
        name
        for name in os.listdir(_FOLDER)
        if name.endswith((".schema.json", ".xsd")) and name not in _PARTS
    )
)


def path(name: str) -> str:
    """The file of a schema: ``name`` is a file name (``ir-v11.xsd``) or its first part (``ir-v11``).

    Raises:
        ValueError: there is no schema of that name.

    >>> path("validate").endswith("validate.schema.json")
    True
    """
    for known in NAMES:
        if name in (known, known.partition(".")[0]):
            return os.path.join(_FOLDER, known)
    raise ValueError(f"no schema is called {name!r}: there are {', '.join(NAMES)}")


def load(name: str) -> Any:
    """The schema ready for use: a dict for JSON Schema, an ``lxml.etree.XMLSchema`` for XSD.

    >>> from lxml import etree
    >>> load("ir-v11").validate(etree.fromstring('<net version="11"><layers/><edges/></net>'))
    True
    >>> load("infer")["title"]
    'ovgather infer --format json'
    """
    file = path(name)
    return _xsd(file) if file.endswith(".xsd") else _json(file)


def _xsd(file: str) -> etree.XMLSchema:
    from lxml import etree

    return etree.XMLSchema(etree.parse(file))


def _json(file: str) -> dict[str, Any]:
    import json

    with open(file, encoding="utf-8") as text:
        schema: dict[str, Any] = json.load(text)
    return schema
