"""Renderers of ``validate`` (findings), one format a file."""
