"""Write docs/rules.md, the pages of all rules, out of the rules' docstrings, and the index of the rules with what a
file needs for each: ``python tools/generate_rules.py``."""

from __future__ import annotations

import json
import os

from ovgather.validation import rules as package
from ovgather.validation.rule_page import Page, page
from ovgather.validation.rules import every, rules

FOLDER = os.path.join(
    os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "docs"
)
INDEX = os.path.join(os.path.dirname(package.__file__), "index.json")
TARGET = os.path.join(FOLDER, "rules.md")
_HEAD = """\
<!-- Made by tools/generate_rules.py (`make docs`) from the docstrings of the rules: change those. -->

# Rules

`ovgather validate` checks these rules. `ovgather explain CODE` prints the same pages.

- **Severity**: `error` (OpenVINO rejects it, the specification forbids it, or the file contradicts itself), `warning`
  (it runs, but probably not as intended) or `note`. Where a rule has several, each finding says which.
- **OpenVINO**: what the runtime does with the defect: it `rejects` the file when it reads it, reads it but
  `rejects_on_compile` (for the CPU), compiles it but `rejects_on_run`, `accepts` it without a message, or `crashes`.
  `undefined` means not known, or not a matter of OpenVINO.

OVG801 to OVG849 are for ONNX files. OVG851 finds layers of an IR without an equivalent in ONNX; it is reported only if
`--select` names it. OVG852 finds nodes of an ONNX file that runtimes treat differently.
OVG86x, on a release or a device, are reported only with `--target` or `--device`.

| Code | Finding | Severity | OpenVINO |
| --- | --- | --- | --- |
"""


def text() -> str:
    """What the file should hold."""
    pages = [page(rule) for rule in every()]
    return _HEAD + "".join(map(_row, pages)) + "".join(map(_page, pages))


def index() -> str:
    """What ``index.json`` should hold."""
    rows = [
        (
            rule.RULE.code,
            vars(rule)["__name__"].partition(".rules.")[2],
            rule.RULE.needs,
        )
        for rule in rules()
    ]
    return "[\n" + ",\n".join(map(json.dumps, rows)) + "\n]\n"


def _row(known: Page) -> str:
    title = known.title.replace("|", "\\|")
    link = f"[{known.code}](#{known.code.lower()})"
    return f"| {link} | {title} | {', '.join(known.severities)} | {', '.join(known.verdicts) or 'ONNX files'} |\n"


def _page(known: Page) -> str:
    folder = f"samples_xml/rules/{known.code}"
    has_samples = os.path.isdir(os.path.join(os.path.dirname(FOLDER), folder))
    samples = f"\nSamples: [`{folder}`](../{folder})\n" if has_samples else ""
    return f"\n## {known.code}\n\n*{known.title}*\n\n{known.markdown}\n{samples}"


def main() -> None:
    """Write the files."""
    for path, content in ((TARGET, text()), (INDEX, index())):
        with open(path, "w", encoding="utf-8", newline="\n") as file:
            file.write(content)


if __name__ == "__main__":
    main()
