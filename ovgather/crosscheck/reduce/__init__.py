"""A failing layer made as small as can be while it fails in the same way, and written down as a reproducer."""
