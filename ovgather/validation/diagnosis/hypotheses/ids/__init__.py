"""Mistakes in ids of layers and ports."""
