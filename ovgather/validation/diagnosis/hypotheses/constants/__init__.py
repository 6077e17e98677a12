"""Mistakes in constants and the ``.bin``."""
