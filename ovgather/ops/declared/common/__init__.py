"""What the rules of several families share; no declarations."""
