"""The data movement in NumPy."""
