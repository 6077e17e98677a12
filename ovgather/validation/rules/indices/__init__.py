"""Rules about constant indices."""
