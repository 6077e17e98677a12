"""Mistakes in layers, their attributes and what they take."""
