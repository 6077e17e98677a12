"""Mistakes in edges that lead elsewhere than meant."""
