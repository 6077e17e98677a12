"""Renderers of ``survey``, one format a file."""
