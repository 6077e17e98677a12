"""The page of findings: every folder is there, is complete, and is linked."""

from __future__ import annotations

import re
from pathlib import Path

from paths import ROOT

from ovgather.comparison import reproduce
from ovgather.comparison.reduce.folder import NAMES
from ovgather.comparison.verdict.openvino_deviations import STAGES

DOCS = ROOT / "docs"
PAGE = (DOCS / "findings.md").read_text("utf-8")
BY_HAND = {
    "assigned-input": ("REPORT.md", "model.xml", "reproduce.py"),
    "concat-itself": ("REPORT.md", "model.bin", "model.xml", "reproduce.py"),
    "empty-strings": ("REPORT.md", "reproduce.py"),
    "freed-input": ("REPORT.md", "model.bin", "model.xml", "reproduce.py"),
    "given-output": ("REPORT.md", "reproduce.py"),
    "if-two-readers": ("REPORT.md", "model.xml", "reproduce.py"),
    "kept-after-reset": ("REPORT.md", "model.bin", "model.xml", "reproduce.py"),
    "loop-count": ("REPORT.md", "model.bin", "model.xml", "reproduce.py"),
    "moved-function": ("REPORT.md", "model.bin", "model.xml", "reproduce.py"),
    "unsqueezed": ("REPORT.md", "model.bin", "model.xml", "reproduce.py"),
    "written-input": ("REPORT.md", "reproduce.py"),
}
"""Folders whose script is their own, and the files in them."""

OPERATIONS = (
    "# [CPU] Convert",
    "# [CPU] If",
    "# [CPU] Loop",
    "# [CPU] Assign",
    "# [CPU] Gather",
)

FOLDERS = [path for path in (DOCS / "findings").iterdir() if path.is_dir()]


def test_folders_and_links_are_the_same() -> None:
    linked = re.findall(r"\]\(findings/([\w-]+)/\)", PAGE)
    assert sorted(set(linked)) == sorted(path.name for path in FOLDERS)
    assert len(linked) == len(set(linked))


def test_every_folder_is_complete() -> None:
    for folder in FOLDERS:
        own = sorted(path.name for path in folder.iterdir())
        names = BY_HAND.get(folder.name, NAMES)
        assert sorted({"reproduce.py", *own}) == sorted(names)
        assert "### OpenVINO Version\n\n2026.4.1-22982" in (
            folder / "REPORT.md"
        ).read_text("utf-8")


def test_every_report_quotes_the_specification_and_has_a_script() -> None:
    for folder in FOLDERS:
        report = (folder / "REPORT.md").read_text("utf-8")
        by_hand = folder.name in BY_HAND
        assert report.startswith(
            ("# [Python API] Tensor", "# [CPU] set_output_tensor", *OPERATIONS)
            if by_hand
            else "# [CPU] Gather"
        )
        what = "specification"
        if by_hand and not report.startswith(OPERATIONS[1:]):
            what = "page of the class"
        assert re.search(
            rf"\nThe {what} \(https://docs\.openvino\.ai/2026/\S+\.html\):\n\n> \S",
            report,
        )
        (script,) = re.findall(r"```python\n(.+?)```", report, re.DOTALL)
        assert sum(map(bool, script.splitlines())) <= 10
        compile(script, folder.name, "exec")


def test_scripts_stand_alone() -> None:
    for script in (
        DOCS / "findings" / "reproduce.py",
        *(DOCS / "findings" / name / "reproduce.py" for name in BY_HAND),
    ):
        text = script.read_text("utf-8")
        assert "ovgather" not in text
        compile(text, script.name, "exec")


def test_the_script_is_the_one_that_reduce_writes() -> None:
    template = (
        Path(reproduce.__file__)
        .read_text("utf-8")
        .replace("  # type: ignore[import-untyped]", "")
    )
    assert (DOCS / "findings" / "reproduce.py").read_text("utf-8") == template


def test_causes_are_those_of_the_program() -> None:
    from ovgather.comparison.verdict.known_deviations import CRASHES

    known = {deviation.key for stage in STAGES for deviation in stage} | set(CRASHES)
    named = re.findall(r"cause `([\w-]+)`", PAGE) + re.findall(
        r"^\| [^|]+ \| `([\w-]+)` \|", PAGE, re.MULTILINE
    )
    assert len(named) >= 10
    assert set(named) <= known


def test_no_number_is_left_open() -> None:
    assert "@" not in PAGE
