"""Fixes: made, applied, shown as a diff."""
