"""The child process that runs a runtime: requests on standard input, answers on what was standard output.

It says which step comes next, so that its parent knows where it died. It ends when its input ends, and in the ordinary
way, so that a corrupted heap shows in its exit status.
"""

import json
import os
import signal
import sys
from collections.abc import Callable
from contextlib import suppress

from ovgather.errors import ConfigurationError, UnavailableError
from ovgather.processes import ENDING
from ovgather.runtimes import wire
from ovgather.runtimes.adapters import runtime_class
from ovgather.runtimes.base import TrialRuntime, UnsupportedError


def main(name: str = "openvino", settings: str = "[{}, {}]") -> None:
    """Answer requests to the runtime of that name until there are no more; ``settings`` are those of OpenVINO."""

    def start(enter: Callable[[str], None]) -> TrialRuntime:
        runtime: TrialRuntime = runtime_class(name)(enter)
        runtime.configure(*json.loads(settings))
        return runtime

    serve(start, name)


def serve(
    start: Callable[[Callable[[str], None]], TrialRuntime], name: str = ""
) -> None:
    """Answer requests to the runtime ``name`` that ``start`` gives; ``start`` gets what announces the next step."""
    requests = sys.stdin.buffer
    answers = os.fdopen(os.dup(1), "wb")
    # The frames keep the first output for themselves: what a library prints goes to standard error.
    os.dup2(2, 1)
    for number in ENDING:  # the parent decides what they end
        signal.signal(number, signal.SIG_IGN)
    with suppress(ImportError):  # on Windows
        import resource

        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    stage = ""

    def enter(step: str) -> None:
        nonlocal stage
        stage = step
        wire.send(answers, {"stage": step})

    try:
        runtime = start(enter)
    except ImportError as error:
        wire.send(answers, {"missing": name or error.name or "", "message": str(error)})
        return
    except UnavailableError as error:
        wire.send(answers, {"unavailable": str(error)})
        return
    wire.send(
        answers,
        {
            "title": runtime.title,
            "version": runtime.version,
            "devices": list(runtime.devices),
        },
    )
    while (frame := wire.receive(requests)) is not None:
        outputs: list[wire.Blob] = []
        try:
            header, outputs = runtime.answer(*frame)
        except UnsupportedError as error:
            header = {"unsupported": str(error)}
        except ConfigurationError as error:
            header = {"misconfigured": str(error)}
        except Exception as error:
            header = {"error": str(error) or type(error).__name__, "stage": stage}
        wire.send(answers, header, outputs)
