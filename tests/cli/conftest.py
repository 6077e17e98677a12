"""Folders to work in."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from output_files import put_files


@pytest.fixture(scope="session")
def files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with all that verbs read."""
    folder = tmp_path_factory.mktemp("read")
    put_files(folder)
    return folder


@pytest.fixture
def place(files: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of it to work in."""
    folder = tmp_path / "work"
    shutil.copytree(files, folder)
    monkeypatch.chdir(folder)
    monkeypatch.setenv("CI", "")
    return folder
