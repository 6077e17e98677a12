"""For all tests: nothing is sent, Ctrl-C works, runtimes are marked, skips are summed up, findings are as declared."""

from __future__ import annotations

import gc
import os
import re
import signal
from collections import Counter
from collections.abc import Generator, Iterator
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import forked
import pytest
from paths import ROOT

if TYPE_CHECKING:
    from ovgather.validation.checked import Counted, Tally
    from ovgather.validation.diagnostic import Diagnostic

# OpenVINO's import forks a process that tells Intel of it, but not where it sees a CI. A child that crashes would leave
# that process behind, with the pipes that a test reads to their end. (By JENKINS_URL hypothesis does not go.)
os.environ.setdefault("JENKINS_URL", "none")
os.environ.pop("FORCE_COLOR", None)  # many a CI sets it, and tests compare plain text
# A shell starts what runs in its background with SIGINT ignored, nohup with SIGHUP, and children would inherit that.
for number, handler in (
    (signal.SIGINT, signal.default_int_handler),
    (getattr(signal, "SIGHUP", 0), signal.SIG_DFL),
):
    if number and signal.getsignal(number) is signal.SIG_IGN:
        with suppress(ValueError):  # not the main thread
            signal.signal(number, handler)

collect_ignore = ["shared", "releases"]
RUNTIME_TESTS = (
    "runtimes/",
    "comparison/",
    "differential/",
    "fuzz/",
    "benchmarks/",
    "verbs/convert/",
    "docs/test_onnx_page",
    "testing/test_",
    "report/test_crosscheck_html_runs",
    "schemas/test_real_output",
)
PROCESSES = (
    "subprocess",
    "forked",
    "shell",
    "pool",
    "crosscheck",
    "verdicts",
    "measured",
    "onnx_child",
    "ask",
    "openvino_child",
    "onnx",
)
"""Names that a module of tests imports to start a runtime or a process."""

_RUNTIME = re.compile("(openvino|onnxruntime|torch|onnx) is not installed")


def pytest_configure(config: pytest.Config) -> None:
    # pytest-xdist does not say it.
    missing = [each for each in config.args if not Path(each.split("::")[0]).exists()]
    if missing:
        raise pytest.UsageError(f"no such file or folder: {', '.join(missing)}")
    config.addinivalue_line(
        "markers",
        "runtime: starts OpenVINO, ONNX Runtime, torch or a process; set by conftest.py",
    )
    config.addinivalue_line(
        "markers", "slow: takes about a second or more: `make test-slow` runs it"
    )


@pytest.hookimpl(wrapper=True, optionalhook=True)
def pytest_xdist_auto_num_workers() -> Generator[None, int, int]:
    """One more than there are processors: tests that wait for a server or for the end of a timeout leave one idle."""
    return (yield) + 1


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Thousands of tests stay, and the garbage collector would look through them over and over."""
    gc.disable()
    collected = yield
    gc.enable()
    return collected


@pytest.hookimpl(wrapper=True)
def pytest_collect_file() -> Generator[None, list[Any], list[Any]]:
    """No doctests are looked for in test modules, which have none: that takes a tenth of the collection."""
    collectors = yield
    return [each for each in collectors if type(each).__name__ != "DoctestModule"]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if _starts_a_runtime(item):
            item.add_marker("runtime")


def _starts_a_runtime(item: pytest.Item) -> bool:
    if _is_in_a_room_of_runtimes(item.path):
        return True
    if any(
        _RUNTIME.match(mark.kwargs.get("reason", ""))
        for mark in item.iter_markers("skipif")
    ):
        return True
    return isinstance(item, pytest.Function) and not vars(
        item.module
    ).keys().isdisjoint(PROCESSES)


@cache
def _is_in_a_room_of_runtimes(path: Path) -> bool:
    return (
        path.relative_to(ROOT)
        .as_posix()
        .startswith(tuple(f"tests/{start}" for start in RUNTIME_TESTS))
    )


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """One line on all that was skipped."""
    reasons = Counter(
        _reason(report) for report in terminalreporter.stats.get("skipped", [])
    )
    if reasons:
        told = "; ".join(f"{count} {reason}" for reason, count in reasons.most_common())
        terminalreporter.write_line(f"skipped: {told}")


def _reason(report: Any) -> str:
    reason = (
        report.longrepr[2]
        if isinstance(report.longrepr, tuple)
        else str(report.longrepr)
    )
    missing = re.search(r"could not import '(\w+)'|(\w+) is not installed", reason)
    return (
        f"without {missing[1] or missing[2]}"
        if missing
        else reason.removeprefix("Skipped: ")
    )


@pytest.fixture(scope="session", autouse=True)
def workers_are_forked() -> Iterator[None]:
    """Child processes do not each load the runtimes anew, but where a test says ``starting_anew()``."""
    from ovgather.onnx_file import shapes
    from ovgather.runtimes import child

    with pytest.MonkeyPatch.context() as patch:
        for module in (child, shapes):
            patch.setattr(module, "subprocess", forked)
        yield


@pytest.fixture(scope="session", autouse=True)
def findings_are_declared() -> Iterator[None]:
    """Every finding of every test has a severity and a verdict that its rule declares.

    What OpenVINO does not build it accepts, whatever the rule. What a hypothesis explains has the verdict of all that
    follows from it.
    """
    from ovgather.validation.checked import Tally
    from ovgather.validation.diagnostic import Diagnostic
    from ovgather.validation.rules import every

    rules = {rule.RULE.code: rule for rule in every()}
    tally = Tally.add

    def add(self: Tally, finding: Diagnostic | Counted) -> bool:
        if (
            finding.__class__ is Diagnostic
            and finding.message
            and not finding.hypothesis
            and finding.code in rules
        ):
            rule = rules[finding.code]
            assert finding.severity in rule.RULE.severities, finding
            is_built = not finding.effect.startswith("passes over it")
            assert not is_built or finding.openvino in (
                rule.RULE.verdicts or ("undefined",)
            ), (
                finding,
                finding.openvino,
            )
        return tally(self, finding)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Tally, "add", add)
        yield
