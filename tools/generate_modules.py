"""Write docs/modules.md, a line about each module out of its docstring: ``python tools/generate_modules.py``."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
TARGET = os.path.join(ROOT, "docs", "modules.md")
_TREES = ("ovgather", "cli", "tools", "tests/shared")
_DOCSTRING = re.compile(r'r?"""(.*?)"""', re.DOTALL)  # a parser takes seconds
_HEAD = """\
<!-- Made by tools/generate_modules.py (`make docs`) from the docstrings of modules: change those. -->

# Modules

What each file holds, by folder. [The map](architecture.md) says how the packages work together.
"""


def text() -> str:
    """What the file should hold."""
    folders = [folder for tree in _TREES for folder in _folders(tree)]
    return _HEAD + "".join(map(_section, folders))


def _folders(tree: str) -> Iterator[str]:
    """The folders with modules in ``tree``, from the root of the repository."""
    for folder, inner, files in os.walk(os.path.join(ROOT, tree)):
        inner.sort()
        if any(name.endswith(".py") for name in files):
            yield os.path.relpath(folder, ROOT).replace(os.sep, "/")


def _section(folder: str) -> str:
    """What the package is, and a row for each file in it."""
    path = os.path.join(ROOT, folder)
    names = sorted(name for name in os.listdir(path) if name.endswith(".py"))
    sentences = {name: _summary(os.path.join(path, name)) for name in names}
    package = sentences.pop("__init__.py", "")
    lines = ["", f"## {folder}", ""]
    if package:
        lines += [f"{package}.", ""]
    if sentences:
        lines += ["| file | what it holds |", "| --- | --- |"]
        lines += [f"| `{name}` | {sentences[name]} |" for name in sentences]
    return "\n".join([*lines, ""])


def _summary(path: str) -> str:
    """The first sentence of the docstring of a module."""
    with open(path, encoding="utf-8") as file:
        docstring = _DOCSTRING.match(file.read())
    if docstring is None:
        return ""
    words = " ".join(docstring[1].partition("\n\n")[0].split())
    sentence, _, _ = words.partition(". ")
    plain = sentence.removeprefix("What: ").lstrip("# ").removesuffix(".")
    return plain.replace("``", "`").replace("|", "\\|")


def main() -> None:
    """Write the file."""
    with open(TARGET, "w", encoding="utf-8", newline="\n") as file:
        file.write(text())


if __name__ == "__main__":
    main()
