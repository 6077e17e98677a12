"""Renderers of ``conformance``."""
