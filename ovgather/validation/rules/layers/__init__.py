"""Rules about a layer: its type, version, id and attributes."""
