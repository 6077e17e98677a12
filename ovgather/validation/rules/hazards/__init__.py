"""Rules about legal layers that a runtime gets wrong."""
