"""Layers inside the running model: outputs added, inputs chosen, failures narrowed."""
