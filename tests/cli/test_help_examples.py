"""The examples that ``--help`` prints are commands that the verb takes."""

from __future__ import annotations

import shlex
from importlib import import_module
from pathlib import Path

import click
import pytest

from ovgather.cli._shared.group import ovgather

VERBS = tuple(
    verb
    for verb in ovgather.list_commands(click.Context(ovgather))
    if verb not in ("server", "conformance")
)
NEEDED = {"extract": ["-o", "x.xml"], "convert": ["-o", "x.onnx"], "diff": ["n.xml"]}


@pytest.mark.parametrize("verb", VERBS)
def test_examples(verb: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "real.npz").touch()
    command: click.Command = import_module(f"ovgather.cli.{verb}").command
    with command.make_context(verb, ["m.xml", *NEEDED.get(verb, [])]) as context:
        help = command.get_help(context)
    lines = [
        line.strip()
        for line in help.splitlines()
        if line.strip().startswith(f"ovgather {verb} ")
    ]
    assert len(lines) >= 2
    for line in lines:
        command.make_context(verb, shlex.split(line.partition(";")[0])[2:])
    assert all(line == line.rstrip() and len(line) <= 100 for line in help.splitlines())


def test_each_option_is_explained() -> None:
    for verb in VERBS:
        command: click.Command = import_module(f"ovgather.cli.{verb}").command
        for parameter in command.params:
            if isinstance(parameter, click.Option):
                assert parameter.help
                assert parameter.help.partition("  [default")[0].endswith(".")
