"""Rules about ports: their number, ids, dims, precisions and names."""
