"""Which packages there are: the folders `cli` and `schemas` stand at the top and install inside the package."""

from setuptools import find_packages, setup

MAPPED = {"ovgather.cli": "cli", "ovgather.schemas": "schemas"}

inside = [f"{package}.{name}" for package, folder in MAPPED.items() for name in find_packages(folder)]
setup(
    packages=[*find_packages(include=["ovgather", "ovgather.*"]), *MAPPED, *inside],
    package_dir={"ovgather": "ovgather", **MAPPED},
)
