"""Validation: a file is read, facts are established, rules make findings, selection decides what is reported.

- May know: all below; ``runtimes`` only to ask OpenVINO for its opinion.
- A new file: a rule in ``rules/<what it looks at>/`` (docstring, ``RULE``, ``check``). What several rules
  know stands in ``facts/``, fixes in ``fixes/``, what is reported in ``selection/``.
- Enters: ``check.check_file`` (one file) and ``plan.check_files`` (many). Leaves: ``Checked`` with diagnostics.
"""
