"""Renderers of ``fuzz`` (findings of random layers), one format a file."""
