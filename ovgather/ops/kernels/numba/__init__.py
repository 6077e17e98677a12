"""The data movement of single elements in loops that numba compiles; the extra ``fast`` installs it."""
