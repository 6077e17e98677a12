"""Renderers of ``rules`` (all rules as a list), one format a file."""
