"""``ovgather.validate`` under atheris, which looks for texts that reach code no text before reached.

    python tests/fuzz/coverage_guided.py WORK tests/fuzz/corpus -max_total_time=1200 -max_len=4096 -timeout=5

New texts go into the folder WORK; what raises an exception, hangs or takes too much memory ends the run and stands in a
file ``crash-...``, ``timeout-...`` or ``oom-...``. Afterwards the few that reach all that was reached are kept:

    python tests/fuzz/coverage_guided.py --keep WORK

atheris is no part of the extras of the project: ``pip install atheris``. Whatever it finds is to be mended, and the
text to go into ``corpus``, which ``test_corpus.py`` reads on every run of the tests.
"""

from __future__ import annotations

import hashlib
import sys
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
CORPUS = HERE / "corpus"
MOST_FILES = 60
MOST_BYTES = 200_000
WEIGHTS = bytes([1, 0, 0, 0, 0, 0, 0, 0]) * 40
"""The ``.bin`` of every text: small numbers, so that constants can be axes and indices."""


def judge(text: bytes) -> None:
    """Read and check ``text`` by all rules; raises what must not be raised, and when a place is none of the text."""
    import ovgather

    lines = text.replace(b"\r\n", b"\n").replace(b"\r", b"\n").count(b"\n") + 1
    for found in ovgather.validate(text, WEIGHTS):
        if not 1 <= found.line <= lines:
            raise AssertionError(f"line {found.line} of {lines}: {found}")
        if len(found.message) > 500:
            raise AssertionError(
                f"{len(found.message)} characters: {found.message[:100]}"
            )


def main() -> None:
    """Fuzz, with the arguments of libFuzzer."""
    import atheris  # type: ignore[import-untyped,import-not-found,unused-ignore]

    with atheris.instrument_imports(include=["ovgather"]):
        import ovgather
        from ovgather.validation.rules import rules

        ovgather.validate(b"<net/>")
        rules()
    atheris.Setup([*sys.argv, f"-dict={HERE / 'words.dict'}"], judge)
    atheris.Fuzz()


def keep(folder: Path) -> None:
    """Of the texts in ``folder`` and in the corpus, leave in the corpus the few that run the most lines."""
    texts = {
        path.read_bytes()
        for place in (folder, CORPUS)
        for path in place.glob("*")
        if path.is_file()
    }
    reached = [
        (lines_of(text), text) for text in sorted(texts, key=len) if len(text) <= 8192
    ]
    chosen: list[bytes] = []
    covered: set[Any] = set()
    while len(chosen) < MOST_FILES:
        lines, text = max(
            reached, key=lambda item: len(item[0] - covered), default=(set(), b"")
        )
        if not lines - covered or sum(map(len, chosen)) + len(text) > MOST_BYTES:
            break
        covered |= lines
        chosen.append(text)
    for path in CORPUS.glob("*"):
        path.unlink()
    for text in chosen:
        (CORPUS / hashlib.sha256(text).hexdigest()[:16]).write_bytes(text)
    print(
        f"{len(chosen)} of {len(texts)} texts, {sum(map(len, chosen))} bytes, reach {len(covered)} lines"
    )


def lines_of(text: bytes) -> set[Any]:
    """The lines of ovgather that checking ``text`` runs."""
    seen: set[Any] = set()

    def line(frame: Any, event: str, argument: object) -> Any:
        seen.add((frame.f_code.co_filename, frame.f_lineno))
        return line

    def call(frame: Any, event: str, argument: object) -> Any:
        return line if "/ovgather/" in frame.f_code.co_filename else None

    sys.settrace(call)
    try:
        judge(text)
    finally:
        sys.settrace(None)
    return seen


if __name__ == "__main__":
    if sys.argv[1:2] == ["--keep"]:
        keep(Path(sys.argv[2]))
    else:
        main()
