"""OpenVINO IR: bytes to ``Model`` and back, with the way from every record to its line and column.

- May know: ``tensor``, errors, text, files. It knows no operation: a Gather is a layer like any other.
- A new file: something that reads, finds or writes text of an IR. ``reader/`` is the reader of any file, ``bulk/`` the
  quick path for files as OpenVINO writes them (behind one function), ``repair/`` reads what is not XML, ``edit/``
  changes text; ``positions`` and ``text`` lead from a record to its bytes, line and column.
- Enters: ``read.read`` (a path, bytes, or an open file). Leaves: ``Model`` with problems in place of exceptions, and
  edited text.
"""
