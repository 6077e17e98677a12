"""Recurrent cells and sequences, state, strings, random values."""
