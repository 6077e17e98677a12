"""Layers cut out of their model: planned and run."""
