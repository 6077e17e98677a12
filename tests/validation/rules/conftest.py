"""Every finding of these tests has a severity and a verdict that its rule declares."""

from __future__ import annotations

import pytest

from ovgather.validation.checked import Counted
from ovgather.validation.diagnostic import Diagnostic
from ovgather.validation.limit import Tally
from ovgather.validation.rules import every

DECLARED = {rule.CODE: (rule.SEVERITIES, rule.VERDICTS or ("undefined",)) for rule in every()}


@pytest.fixture(autouse=True)
def findings_are_declared(monkeypatch: pytest.MonkeyPatch) -> None:
    """Look at every finding before it is tallied; what OpenVINO does not build it accepts, whatever the rule."""
    tally = Tally.add

    def add(self: Tally, finding: Diagnostic | Counted) -> bool:
        severities, verdicts = DECLARED[finding.code]
        assert finding.severity in severities, finding
        if isinstance(finding, Diagnostic) and not finding.effect.startswith("passes over it"):
            assert finding.openvino in verdicts, (finding, finding.openvino)
        return tally(self, finding)

    monkeypatch.setattr(Tally, "add", add)
