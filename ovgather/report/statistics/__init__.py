"""Renderers of ``statistics`` (how often each code occurs), one format a file."""
