"""Cross-check: what a runtime computes, layer by layer, beside the reference."""
