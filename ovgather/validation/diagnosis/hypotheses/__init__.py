"""The hypotheses: one module a kind of mistake, found by listing this package.

A module has a docstring (its page), ``ORDER`` (of two with one price the lower is tried first), and ``propose(case)``.
"""
