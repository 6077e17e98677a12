"""Rules about Const layers and the weights file."""
