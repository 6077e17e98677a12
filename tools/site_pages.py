"""What the site needs besides mkdocs: pages that stand in the code, and plain text for links out of ``docs``."""

from __future__ import annotations

import re
from pathlib import Path
from runpy import run_path
from typing import Any

from griffe import Extension
from mkdocs.structure.files import File

_LINK = re.compile(r"(?<!!)\[([^\]]+)\]\(((?:\.\./|findings/|decisions/)[^)]*)\)")
_SESSION = re.compile(r"^( *)```(?:text)?(?=\n *\$ )", re.MULTILINE)
_REFERENCE = run_path(str(Path(__file__).with_name("generate_reference.py")))


def on_files(files: Any, config: Any) -> Any:
    """A hook of mkdocs: add the pages that are made from docstrings and schemas."""
    for page, make in (
        ("gather", "operations"),
        ("formats", "formats"),
        ("messages", "messages"),
    ):
        files.append(File.generated(config, f"{page}.md", content=_REFERENCE[make]()))
    return files


def on_page_markdown(markdown: str, page: Any, **_: Any) -> str:
    """Links to folders and sources, which have no page in the site, become plain text; commands show their help.

    What a terminal shows is marked as such: then the button beside it copies the commands alone.
    """
    if page.file.src_uri == "cli.md":
        # Who searches an option wants to know what it does.
        page.meta["search"] = {"boost": 2}
        markdown += f"\n\n{_REFERENCE['commands']()}"
    markdown = _SESSION.sub(r"\1```console", markdown)
    return _LINK.sub(r"\1 (`\2` in the repository)", markdown)


class Doctests(Extension):  # type: ignore[misc]  # griffe may not be installed
    """Fences the doctests of all docstrings."""

    def on_instance(self, *, obj: Any, **_: Any) -> None:
        """Change the docstring of a function, a class or a module."""
        if obj.docstring is not None:
            obj.docstring.value = _REFERENCE["fenced"](obj.docstring.value)
