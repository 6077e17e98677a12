"""A model of either format as one list of nodes, bodies included: what can be compared and counted without its ids."""
