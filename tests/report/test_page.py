"""The shell of all HTML reports, and its script in a browser where there is one."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest
from html_check import Page as Checker
from html_check import data

from ovgather.report import page
from ovgather.report.page import Cause, HtmlPage, PageRecord, View

HOSTILE = "</script><script>alert(1)</script>\x1b[2J\u202e"
NEW, KNOWN = Cause("wrong dims", "bad"), Cause("as documented", "known")
STATUSES = {"error": "bad", "known": "known", "fine": "good"}
STYLE = Path(page.__file__).with_suffix(".css").read_text(encoding="utf-8")
LIGHT, DARK = (
    dict(re.findall(r"--(\w+):(#\w+)", root))
    for root in re.findall(r":root{(.*?)}", STYLE)
)
CHROMIUM = shutil.which("chromium") or shutil.which("google-chrome")


def record(number: int) -> PageRecord:
    if number % 10 == 0:
        return PageRecord(
            "error",
            [f"m{number}.xml", number],
            [page.command("Again", ["ovgather", f"m{number}.xml"])],
            NEW,
        )
    return PageRecord(
        "known" if number % 10 == 1 else "fine", [f"m{number}.xml", number]
    )


def made(records: list[PageRecord]) -> str:
    view = View("Findings", "finding", ["File", "Line"], STATUSES, records)
    return page.render(
        HtmlPage(
            "Validation",
            f"It fails {HOSTILE}",
            "bad",
            "1 file",
            [view],
            ["ovgather", "validate"],
        )
    )


def test_it_is_well_formed_and_hostile_text_stays_text() -> None:
    text = made(
        [PageRecord("error", [HOSTILE, 1], [page.text("Why", f"a\n{HOSTILE}")], NEW)]
    )
    assert Checker(text).problems == []
    assert text.count("<script") == 2
    assert "\x1b" not in text
    [found] = data(text)["views"][0]["records"]
    assert found[2][0] == r"</script><script>alert(1)</script>\x1b[2J\u202e"
    assert found[3] == [["text", "Why", "a\n" + found[2][0]]]


def test_the_checks_themselves_find_what_is_wrong() -> None:
    good = made([record(0)])
    for old, new in (
        ("<main", "<script>1</script><main"),
        ("</details>", ""),
        ("<h1>", "<h5>"),
        ('href="#main"', 'href="https://example.org/"'),
        ("</style>", "p{}</style>"),
        ('"use strict";', '"use strict"; '),
        ("<p>", '<p onclick="1">'),
    ):
        assert old in good
        assert Checker(good.replace(old, new, 1)).problems


def test_the_head_names_versions_date_and_command(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "86400")
    text = made([])
    assert "1970-01-02 00:00 UTC" in text
    assert "<dt>CPU</dt>" in text
    assert "<code>ovgather validate</code>" in text


def _luminance(color: str) -> float:
    parts = [int(color[start : start + 2], 16) / 255 for start in (1, 3, 5)]
    linear = [
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4
        for part in parts
    ]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def _contrast(first: str, second: str) -> float:
    lighter, darker = sorted((_luminance(first), _luminance(second)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


@pytest.mark.parametrize("colors", [LIGHT, DARK], ids=["light", "dark"])
def test_every_colour_of_text_is_legible_on_every_ground(
    colors: dict[str, str],
) -> None:
    # WCAG AA: 4.5 for text, 3 for the edge of what one can press.
    texts = set(re.findall(r"(?<![-\w])color:var\(--(\w+)\)", STYLE))
    # The chip that is chosen: the reverse.
    grounds = set(re.findall(r"background:var\(--(\w+)\)", STYLE)) - {"ink"}
    assert {"ink", "muted", "bad", "link"} <= texts
    assert grounds == {"paper", "panel"}
    for text in texts - {"paper"}:
        for ground in grounds:
            assert _contrast(colors[text], colors[ground]) >= 4.5, (
                text,
                ground,
            )
    assert _contrast(colors["line"], colors["paper"]) >= 3


def test_colours_of_the_sheet_are_those_there_are() -> None:
    assert set(re.findall(r"var\(--(\w+)\)", STYLE)) <= {*LIGHT} == {*DARK}


@pytest.mark.skipif(CHROMIUM is None, reason="there is no browser")
def test_the_script_draws_the_first_records_by_cause(tmp_path: Path) -> None:
    (tmp_path / "page.html").write_text(
        made([record(number) for number in range(1000)]), encoding="utf-8"
    )
    options = [
        "--headless",
        "--no-sandbox",
        "--disable-gpu",
        "--no-first-run",
        f"--user-data-dir={tmp_path / 'user'}",
    ]
    command = [str(CHROMIUM), *options, "--dump-dom", (tmp_path / "page.html").as_uri()]
    dom = subprocess.run(command, capture_output=True, text=True, timeout=60).stdout
    assert dom.count('<td class="status">') == 100
    assert "900 more below" in dom
    assert re.search(r"<b>wrong dims</b><span>100 findings in 100 files</span>", dom)
    assert dom.count('class="more"') == 1  # the first failure is open
    assert "<code>ovgather m0.xml</code>" in dom
