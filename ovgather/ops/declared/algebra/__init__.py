"""Reductions, order, linear algebra, normalization and signals."""
