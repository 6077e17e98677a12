"""For all tests: nothing is sent while they run, and findings are as their rules declare them."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from ovgather.validation.checked import Counted
    from ovgather.validation.diagnostic import Diagnostic
    from ovgather.validation.limit import Tally

# OpenVINO's import forks a process that tells Intel of it, but not where it sees a CI. A child that crashes would leave
# that process behind, with the pipes that a test reads to their end. (By JENKINS_URL hypothesis does not go.)
os.environ.setdefault("JENKINS_URL", "none")


@pytest.fixture(scope="session", autouse=True)
def findings_are_declared() -> Iterator[None]:
    """Every finding of every test has a severity and a verdict that its rule declares.

    What OpenVINO does not build it accepts, whatever the rule.
    """
    from ovgather.validation.diagnostic import Diagnostic
    from ovgather.validation.limit import Tally
    from ovgather.validation.rules import every

    rules = {rule.CODE: rule for rule in every()}
    tally = Tally.add

    def add(self: Tally, finding: Diagnostic | Counted) -> bool:
        if finding.__class__ is Diagnostic and finding.message and finding.code in rules:
            rule = rules[finding.code]
            assert finding.severity in rule.SEVERITIES, finding
            is_built = not finding.effect.startswith("passes over it")
            assert not is_built or finding.openvino in (rule.VERDICTS or ("undefined",)), (finding, finding.openvino)
        return tally(self, finding)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Tally, "add", add)
        yield
