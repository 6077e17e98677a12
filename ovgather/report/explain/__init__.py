"""Renderers of ``explain`` (pages), one format a file."""
