"""What the site is made of: its pages are there, made pages are up to date, and the API page answers."""

from __future__ import annotations

import re
import runpy
from typing import Any

import pytest
from paths import ROOT

import ovgather
from ovgather.targets.answers.match import all_sources

API = (ROOT / "docs" / "api.md").read_text(encoding="utf-8")
SITE = (ROOT / "tools" / "site_pages.py").read_text(encoding="utf-8")
NAV = re.findall(
    r"^ +- .*: (\S+\.md)$",
    (ROOT / "mkdocs.yml").read_text(encoding="utf-8"),
    re.MULTILINE,
)


@pytest.fixture(scope="module")
def made() -> dict[str, Any]:
    return runpy.run_path(str(ROOT / "tools" / "generate_reference.py"))


def test_every_page_is_in_the_site() -> None:
    pages = {path.name for path in (ROOT / "docs").glob("*.md")}
    assert pages | {"gather.md", "formats.md", "messages.md"} == set(NAV)


def test_every_public_name_is_on_the_page_of_python() -> None:
    by_name = {
        module: re.escape(name)
        for name, module in ovgather._WHERE.items()
        if module != "ovgather.errors"
    }
    for module, name in by_name.items():
        assert re.search(rf"^::: {module}\.{name}$", API, re.MULTILINE), name
    for name in re.findall(r"^::: (\S+)$", API, re.MULTILINE):
        module, _, member = name.rpartition(".")
        assert name in ("ovgather.testing", "ovgather.errors") or hasattr(
            __import__(module, fromlist=[member]), member
        ), name


def test_disagreements_are_up_to_date(made: dict[str, Any]) -> None:
    page = (ROOT / "docs" / "disagreements.md").read_text(encoding="utf-8")
    assert page == made["disagreements"](), "run `make docs`"


def test_operations_have_pages_with_examples_in_fences(made: dict[str, Any]) -> None:
    page = made["operations"]()
    assert "### Gather-8\n" in page
    assert "### onnx:GatherND-13\n" in page
    assert not re.search(
        r"^>>>",
        re.sub(r"^ *```pycon\n[\s\S]*?^ *```$", "", page, flags=re.MULTILINE),
        re.MULTILINE,
    )


def test_formats_list_nested_fields(made: dict[str, Any]) -> None:
    page = made["formats"]()
    for field in (
        "files[].diagnostics[].severity",
        "files[].layers[].verdict",
        "summary.errors",
    ):
        assert f"| `{field}` |" in page
    assert "`files[].diagnostics[].fix`? |" in page


def test_every_field_of_json_has_a_meaning(made: dict[str, Any]) -> None:
    rows = [line for line in made["formats"]().splitlines() if line.startswith("| `")]
    assert len(rows) > 250
    assert [row for row in rows if row.endswith("|  |")] == []


def test_every_verb_has_its_help(made: dict[str, Any]) -> None:
    page = made["commands"]()
    for verb in ("validate", "crosscheck", "server"):
        assert f"## {verb}\n\n```text\nUsage: ovgather {verb} " in page
    assert (
        "#### `--with-openvino [=compile]` { #validate--with-openvino }\n\nLoad the files in OpenVINO"
        in page
    )


def test_every_known_message_is_listed(made: dict[str, Any]) -> None:
    page = made["messages"]()
    known = [pattern for source in all_sources() for pattern in source.patterns]
    assert (
        page.count("\n#### ")
        == page.count("\nMeans: ")
        == page.count("\nRemedy: ")
        == len(known)
    )
    assert "\n#### Incorrect weights in bin file" in page
    assert (
        made["readable"](r"axis (?P<axis>-?\d+) out of (?:the|a) \S+ range$")
        == "axis AXIS out of the … range"
    )


def test_what_a_terminal_shows_is_marked_for_the_button_that_copies() -> None:
    markdown = "a\n\n```text\n$ ovgather --version\n1\n```\n\n```text\nno prompt\n```\n"
    session = re.compile(
        re.search(r'_SESSION = re.compile\(r"(.*)", re', SITE)[1], re.MULTILINE
    )  # type: ignore[index]
    assert session.sub(r"\1```console", markdown).count("console") == 1
