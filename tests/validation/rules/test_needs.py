"""A rule is silent about each file that has nothing of what it says that it needs."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from paths import SAMPLES

from ovgather.ir.read import read
from ovgather.validation.context import File
from ovgather.validation.rules import rules, rules_for

FILES = sorted((SAMPLES / "rules").rglob("bad*.xml"))
PLAIN = SAMPLES / "rules" / "OVG214" / "good.xml"


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.parent.name)
def test_who_speaks_is_asked(path: Path) -> None:
    file = File(read(path))
    asked = {rule.RULE.code for rule in rules_for(file, bool)}
    held = [rule for rule in rules() if rule.RULE.of_snippets or not file.model.snippet]
    speaking = {rule.RULE.code for rule in held if any(rule.check(file))}
    assert speaking <= asked


def test_every_need_is_a_fact_or_a_type_of_layers() -> None:
    file = File(read(PLAIN))
    for rule in rules():
        for need in rule.RULE.needs.split():
            assert file.has_any([need]) in (True, False), (rule.RULE.code, need)


def test_a_plain_file_loads_few_rules() -> None:
    code = (
        "import sys, ovgather; ovgather.validate(sys.argv[1]);"
        "print(sum(name.startswith('ovgather.validation.rules.') for name in sys.modules))"
    )
    command = [sys.executable, "-c", code, str(PLAIN)]
    run = subprocess.run(command, capture_output=True, text=True, check=True)
    assert int(run.stdout) < len(rules()) * 0.7
