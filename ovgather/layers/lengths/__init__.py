"""Shapes and lengths on their way through layers outside the Gather family, of IR and ONNX.

A new rule for a type of layer is a function in ``derived.py`` and an entry in one of its tables.
"""
