"""Renderers of ``run`` (one layer's output), one format a file."""
