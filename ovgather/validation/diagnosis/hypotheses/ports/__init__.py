"""Mistakes in what ports declare."""
