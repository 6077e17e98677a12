"""Renderers of ``infer`` (shapes), one format a file."""
