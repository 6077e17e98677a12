"""What a shell completes."""

from __future__ import annotations

import runpy
import subprocess
import sys
from pathlib import Path

import pytest
from click.shell_completion import ShellComplete
from paths import ROOT

from ovgather.cli._shared.completion import FILE
from ovgather.cli._shared.group import ovgather

DEMO = ROOT / "samples_xml" / "demo"


def completed(beginning: str, *arguments: str) -> list[str]:
    completion = ShellComplete(ovgather, {}, "ovgather", "_OVGATHER_COMPLETE")
    return [
        item.value
        for item in completion.get_completions([*map(str, arguments)], beginning)
    ]


@pytest.mark.parametrize("verb", ["show", "infer"])
def test_layers_of_the_model(verb: str) -> None:
    assert completed("s", verb, DEMO / "good.xml", "--layer") == [
        "sorted_tokens",
        "sorted_scores",
    ]


def test_layers_of_bodies_have_their_path() -> None:
    names = completed("", "show", DEMO / "nested.xml", "--layer")
    assert names == [
        "three_times/body/choose/then_body/pick",
        "three_times/body/choose/else_body/reverse",
    ]


def test_no_file_no_layers() -> None:
    assert completed("", "show", DEMO / "none.xml", "--layer") == []


def test_verbs_and_options() -> None:
    assert completed("sh") == ["show"]
    assert "--input-shape" in completed("--in", "infer")


@pytest.mark.parametrize(
    ("arguments", "beginning", "names"),
    [
        (["validate", "--select"], "ovg10,ovg002", ["ovg10,OVG002"]),
        (["validate", "--device"], "np", ["NPU"]),
        (["validate", "--target"], "2026.4", ["2026.4"]),
        (["crosscheck", "--variants"], "none,type-f1", ["none,type-f16"]),
        (["reduce", "--variant"], "data-c", ["data-constant"]),
        (["explain"], "gathernd", ["GatherND-5", "GatherND-8"]),
        (["infer", DEMO / "good.xml", "--input-shape"], "tok", ["token_ids="]),
        (["run", DEMO / "good.xml"], "da", ["data="]),
    ],
    ids=str,
)
def test_names(arguments: list[object], beginning: str, names: list[str]) -> None:
    assert completed(beginning, *map(str, arguments)) == names


def test_paths_are_left_to_the_shell() -> None:
    completion = ShellComplete(ovgather, {}, "ovgather", "_OVGATHER_COMPLETE")
    for arguments in (["validate"], ["show"], ["run", "m.xml"], ["validate", "-o"]):
        [item] = completion.get_completions(
            arguments, "indices=i" if "run" in arguments else "i"
        )
        assert (item.type, item.value) == ("file", "i")


def test_the_names_are_those_there_are() -> None:
    assert (
        Path(FILE).read_text(encoding="utf-8")
        == runpy.run_path(str(ROOT / "tools" / "generate_completion.py"))["text"]()
    )


def test_names_are_completed_without_the_rules() -> None:
    # A shell waits for it at each key: to import all rules takes longer than all of the rest.
    code = """
import sys
from click.shell_completion import ShellComplete
from ovgather.cli._shared.group import ovgather
for arguments in (["validate", "--select"], ["crosscheck", "--variants"]):
    assert ShellComplete(ovgather, {}, "ovgather", "X").get_completions(arguments, "")
print(*{"numpy", "ovgather.validation.rules.document", "ovgather.comparison.alone.variants"} & set(sys.modules))
"""
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT
    )
    assert (done.stdout, done.stderr) == ("\n", "")
