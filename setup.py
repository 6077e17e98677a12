"""Which packages there are: the folders `cli` and `schemas` stand at the top and install inside the package."""

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

inside = [f"{package}.{name}" for package, folder in MAPPED.items() for name in find_packages(folder)]
setup(
    packages=[*find_packages(include=["ovgather", "ovgather.*"]), *MAPPED, *inside],
    package_dir={"ovgather": "ovgather", **MAPPED},
)
