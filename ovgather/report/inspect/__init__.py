"""``inspect`` as text and as JSON."""
