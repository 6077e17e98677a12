"""What a shell completes."""

from __future__ import annotations

import pytest
from click.shell_completion import ShellComplete
from paths import ROOT

from ovgather.cli._group import ovgather

DEMO = ROOT / "samples_xml" / "demo"


def completed(beginning: str, *arguments: str) -> list[str]:
    completion = ShellComplete(ovgather, {}, "ovgather", "_OVGATHER_COMPLETE")
    return [item.value for item in completion.get_completions([*map(str, arguments)], beginning)]


@pytest.mark.parametrize("verb", ["show", "infer"])
def test_layers_of_the_model(verb: str) -> None:
    assert completed("s", verb, DEMO / "good.xml", "--layer") == ["sorted_tokens", "sorted_scores"]


def test_layers_of_bodies_have_their_path() -> None:
    names = completed("", "show", DEMO / "nested.xml", "--layer")
    assert names == ["three_times/body/choose/then_body/pick", "three_times/body/choose/else_body/reverse"]


def test_no_file_no_layers() -> None:
    assert completed("", "show", DEMO / "none.xml", "--layer") == []


def test_verbs_and_options() -> None:
    assert completed("sh") == ["show"]
    assert "--input-shape" in completed("--in", "infer")
