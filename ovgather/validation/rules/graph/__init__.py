"""Rules about edges and bodies."""
