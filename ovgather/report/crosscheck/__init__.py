"""Renderers of ``crosscheck`` (verdicts), one format a file."""
