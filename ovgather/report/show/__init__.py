"""Renderers of ``show`` (a drawing), one format a file."""
