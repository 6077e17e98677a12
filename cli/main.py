"""The ``ovgather`` command. It imports next to nothing until Ctrl-C is caught: that may come during every import."""

from __future__ import annotations

import gc
import sys

_MOST_UNCOLLECTED = 100_000
INTERRUPTED = 130
_ended: list[int] = []
"""The signals that ended this run as Ctrl-C does."""


def main(arguments: list[str] | None = None) -> None:
    """Run the command line and exit with its code."""
    try:
        if arguments is None:
            _end_as_by_interrupt()
            sys.unraisablehook = _keep_interrupts
            # To look for garbage among modules takes 5 ms of a start of 80.
            gc.set_threshold(_MOST_UNCOLLECTED)
        code = run(arguments)
        if arguments is None:
            # All is done: while the interpreter shuts down, Ctrl-C could only show a traceback, and the collector would
            # look for garbage among all modules, a tenth of the time of a small file.
            import signal

            for number in (signal.SIGINT, *_ended):
                signal.signal(number, signal.SIG_IGN)
            gc.freeze()
    except KeyboardInterrupt:
        code = INTERRUPTED
    sys.exit(128 + _ended[0] if _ended and code == INTERRUPTED else code)


def _end_as_by_interrupt() -> None:
    """Let SIGTERM and SIGHUP do what Ctrl-C does, unless they are ignored, as by ``nohup``."""
    import signal
    from types import FrameType

    def end(number: int, frame: FrameType | None) -> None:
        _ended.append(number)
        interrupt = signal.getsignal(signal.SIGINT)
        if callable(interrupt):
            interrupt(number, frame)
        else:
            raise KeyboardInterrupt

    for name in ("SIGTERM", "SIGHUP"):
        number = getattr(signal, name, None)
        if number is not None and signal.getsignal(number) is signal.SIG_DFL:
            signal.signal(number, end)


def run(arguments: list[str] | None = None) -> int:
    try:
        from ovgather.cli._shared.group import run

        return run(arguments)
    except KeyboardInterrupt:
        return INTERRUPTED


def _keep_interrupts(unraisable: sys.UnraisableHookArgs) -> None:
    """Repeat a Ctrl-C that Python can only report, such as in a callback."""
    if unraisable.exc_type is not KeyboardInterrupt:
        sys.__unraisablehook__(unraisable)
        return
    import _thread
    import time

    def interrupt() -> None:
        time.sleep(0.01)  # here it would be reported and dropped as well
        _thread.interrupt_main()

    _thread.start_new_thread(interrupt, ())
