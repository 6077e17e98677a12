"""A worker without OpenVINO that answers, hangs or dies as its requests say."""

from __future__ import annotations

import atexit
import os
import sys
import tempfile
import time

from ovgather.runtimes import wire


def helper(own_session: bool) -> None:
    """Start a process that keeps the pipes of this one."""
    number = os.fork()
    if not number:
        if own_session:
            os.setsid()
        time.sleep(30)
        os._exit(0)
    with open(f"{tempfile.gettempdir()}/helper-of-{os.getppid()}", "w") as file:
        file.write(str(number))


def main() -> None:
    """Serve; a request ``poison`` is answered, but the process then dies at its end."""
    requests, answers = sys.stdin.buffer, os.fdopen(os.dup(1), "wb")
    greeting = sys.argv[1] if len(sys.argv) > 1 else "ready"
    if greeting == "missing":
        wire.send(
            answers, {"missing": "openvino", "message": "No module named 'openvino'"}
        )
        return
    if greeting == "silent":
        print("no such library", file=sys.stderr)
        return
    wire.send(answers, {"version": "0", "devices": ["CPU"]})
    served, poisoned = 0, False
    while (frame := wire.receive(requests)) is not None:
        task = frame[0]["task"]
        wire.send(answers, {"stage": "infer"})
        if "helper" in task:
            helper(own_session="own session" in task)
        if task == "stay":
            atexit.register(time.sleep, 60)
        if task == "hang":
            time.sleep(60)
        elif task.endswith("abort"):
            print("double free or corruption", file=sys.stderr, flush=True)
            os.abort()
        elif task == "babble and stay":
            os.write(answers.fileno(), b"no frame at all" * 100)
            time.sleep(60)
        elif task == "babble":
            os.write(answers.fileno(), b"no frame at all")
            return
        poisoned = poisoned or task == "poison"
        # A damaged heap: what follows a poisoned case in the same worker is wrong.
        wire.send(
            answers,
            {"value": frame[0]["value"] if not poisoned else -1, "before": served},
        )
        served += 1
    if poisoned:
        os.abort()


if __name__ == "__main__":
    main()
