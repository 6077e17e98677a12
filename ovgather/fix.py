"""The fixes of a file's findings, made: in memory, checked again, and only then handed out to be written.

Fixes that do not touch are made together; then the text is read and judged anew, which may bring others (a port that
is mended may show that the next one is wrong), until there are none.
"""

from __future__ import annotations

from bisect import insort
from collections import Counter
from collections.abc import Callable
from typing import NamedTuple

from ovgather.diagnostics import Diagnostic
from ovgather.edits import Patched, Region, compatible
from ovgather.errors import InvalidModelError
from ovgather.ir.source import Edit
from ovgather.plan import Plan
from ovgather.text_file import Encoding, Held
from ovgather.validate import Checked, check_file

_MOST_PASSES = 10
Narrow = Callable[[Checked], Checked]
"""Leaves out findings that are not to be fixed, such as those of a baseline."""


class Made(NamedTuple):
    """A finding that was fixed, and what was done about it."""

    found: Diagnostic
    what: str


class Fixed(NamedTuple):
    """What came of fixing a file.

    Attributes:
        text: the file before, as UTF-8.
        regions: how the text after differs from it; none when nothing was fixed.
        data: the bytes that the file should hold.
        made: the fixes, in the order of the text.
        left: what is found in ``data``.
        unsafe: how many of those findings have a fix that changes what OpenVINO computes.
        refused: why the fixes that there are were not made; ``""`` when they were.
    """

    text: bytes
    regions: list[Region]
    data: bytes
    made: list[Made]
    left: Checked
    unsafe: int
    refused: str = ""


def fix(data: bytes, path: str, plan: Plan, *, unsafe: bool = False, narrow: Narrow | None = None) -> Fixed:
    """Make the fixes of all findings in ``data``, the content of the file ``path``, that ``plan`` reports.

    Args:
        unsafe: make those, too, that change what OpenVINO computes.
        narrow: says what of the findings is to be fixed; left out, all.

    >>> fixed = fix(b'<net name="a&b" version="11"><layers/><edges/></net>', "m.xml", Plan())
    >>> fixed.data[:21], [made.found.code for made in fixed.made]
    (b'<net name="a&amp;b" v', ['OVG002'])
    """
    keeps = plan.selection_for(path).keeps

    def check(data: bytes) -> Checked:
        # Every rule is asked: a fix must bring no new error of any.
        return check_file(Held(data, path), plan.weights, suppressions=plan.suppressions)

    def wanted(checked: Checked) -> list[Diagnostic]:
        narrowed = narrow(checked) if narrow is not None else checked
        return [found for found in narrowed.diagnostics if keeps(found.code) or checked.fatal]

    before = checked = check(data)
    try:
        encoding = Encoding(data)
    except InvalidModelError as error:
        return Fixed(b"", [], data, [], _reported(before, keeps), 0, str(error))
    patched = Patched(encoding.text)
    made: list[Made] = []
    seen = {patched.text}
    for _ in range(_MOST_PASSES):
        edits, more = _choose(wanted(checked), unsafe)
        if not edits:
            break
        patched.apply(edits)
        if patched.text in seen:
            return Fixed(encoding.text, [], data, [], _reported(before, keeps), 0, "the fixes undo each other")
        seen.add(patched.text)
        made += more
        checked = check(encoding.encode(patched.text))
    # What cannot be read in the end is not worth mending in part.
    regions = patched.regions() if not (before.fatal and checked.fatal) else []
    refused = _refused(before, checked) if regions else ""
    if refused or not regions:
        return Fixed(encoding.text, [], data, [], _reported(before, keeps), _unsafe(wanted(before)), refused)
    left = _reported(checked, keeps)
    made.sort(key=lambda one: (one.found.line, one.found.column))
    return Fixed(encoding.text, regions, encoding.encode(patched.text), made, left, _unsafe(wanted(checked)))


def _choose(diagnostics: list[Diagnostic], unsafe: bool) -> tuple[list[Edit], list[Made]]:
    """The edits of all fixes that can be made together, the first of those that touch, and what they do."""
    places: list[tuple[int, int]] = []
    known: set[tuple[int, int, bytes]] = set()
    edits: list[Edit] = []
    made: list[Made] = []
    for found in diagnostics:
        fix = found.fix()
        if fix is None or not (fix.safe or unsafe):
            continue
        more = [edit for edit in fix.edits if edit[:3] not in known]
        taken = compatible(places, more)
        if taken is not None:
            for place in taken:
                insort(places, place)
            known.update(edit[:3] for edit in more)
            edits += more
            made.append(Made(found, fix.what))
    return edits, made


def _unsafe(diagnostics: list[Diagnostic]) -> int:
    fixes = [found.fix() for found in diagnostics if found.fixable]
    return sum(fix is not None and not fix.safe for fix in fixes)


def _reported(checked: Checked, keeps: Callable[[str], bool]) -> Checked:
    """What is to be reported of a file that was checked by all rules."""
    if checked.fatal:
        return checked
    return checked._replace(
        diagnostics=[found for found in checked.diagnostics if keeps(found.code)],
        suppressed=[entry for entry in checked.suppressed if keeps(entry.diagnostic.code)],
    )


def _refused(before: Checked, after: Checked) -> str:
    """Why what ``after`` speaks of must not take the place of what ``before`` does; ``""`` when it may.

    A file that could not be read at all had errors that nobody could see: to be read is better in any case.
    """
    if after.fatal:
        return f"it could not be read any more: {after.diagnostics[0].message}"
    if before.fatal:
        return ""
    known = Counter(_key(found) for found in before.diagnostics if found.severity == "error")
    for found in after.diagnostics:
        if found.severity == "error":
            known[_key(found)] -= 1
            if known[_key(found)] < 0:
                return f"that would bring a new error: {found.line}:{found.column} {found.code} {found.message}"
    return ""


def _key(found: Diagnostic) -> tuple[object, ...]:
    """What stays of an error when others are fixed: places, ids and the words of messages do not."""
    layer = found.layer
    return (found.code, *((layer.body, layer.name) if layer is not None else ()))
