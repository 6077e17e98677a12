"""The command line: one thin file a verb, found by listing; it loads only what its verb needs.

- May know: all. It holds no logic: options in, a call, text out, an exit code.
- A new file: a verb with ``command``; what verbs share stands in ``_shared/``.
- Enters: arguments, by way of ``main.main``. Leaves: text, files and the exit code.
"""
