"""Random data, legal shapes, index patterns and random layers."""
