"""Which packages there are: the folders `cli` and `schemas` stand at the top and install inside the package.

A page of a package index shows the README without the files beside it. OVGATHER_URL is the address of the repository
when a release is built: the links of the README then lead there, and it is a URL of the project.
"""

import os
import re
from collections.abc import Iterator
from pathlib import Path

from setuptools import find_packages, setup
from setuptools.command import editable_wheel

MAPPED = {"ovgather.cli": "cli", "ovgather.schemas": "schemas"}


class Finder(editable_wheel._TopLevelFinder):
    """An editable install: the finder for Python, which maps folders, and a path, which mypy reads."""

    def get_implementation(self) -> Iterator[tuple[str, bytes]]:
        yield from super().get_implementation()
        yield "__ovgather__.pth", str(Path(__file__).resolve().parent).encode()


editable_wheel._TopLevelFinder = Finder


def readme(url: str) -> str:
    """The README, with links and pictures at ``url``."""
    text = Path(__file__).with_name("README.md").read_text(encoding="utf-8")
    if not url:
        return text
    text = re.sub(r"(!\[[^]]*\]\()(?!\w+:)", rf"\g<1>{url}/raw/HEAD/", text)
    return re.sub(r"((?<!!)\[[^]]*\]\()(?!\w+:|#)", rf"\g<1>{url}/blob/HEAD/", text)


URL = os.environ.get("OVGATHER_URL", "").rstrip("/")
PAGES = {"Documentation": "docs/index.md", "Changelog": "CHANGELOG.md"}
inside = [
    f"{package}.{name}"
    for package, folder in MAPPED.items()
    for name in find_packages(folder)
]
setup(
    long_description=readme(URL),
    long_description_content_type="text/markdown",
    project_urls={
        "Source": URL,
        **{name: f"{URL}/blob/HEAD/{page}" for name, page in PAGES.items()},
    }
    if URL
    else {},
    packages=[*find_packages(include=["ovgather", "ovgather.*"]), *MAPPED, *inside],
    package_dir={"ovgather": "ovgather", **MAPPED},
)
